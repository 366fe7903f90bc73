"""One call from outside as a span, found by its correlation id (LLM router agent contract, correlation_span).

OpenTelemetry is used if it is installed and is not required. What is told goes nowhere until
somebody sets up its SDK. It is imported with this module, because that reads files.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from .metrics import SCOPE

try:
    from opentelemetry import trace
except ImportError:
    HAS_OPENTELEMETRY = False
else:
    HAS_OPENTELEMETRY = True


def correlation_span(name: str, ids: Mapping[str, object]) -> AbstractContextManager[object]:
    """Return the span of what is done while it is entered, in the one that is current.

    `ids` are its attributes by their names, under `bellboard.`; those that are None are left out.
    Nothing else of the call is told.
    """
    if not HAS_OPENTELEMETRY:
        return nullcontext()
    attributes = {f"bellboard.{key}": str(value) for key, value in ids.items() if value is not None}
    # An exception's words are not recorded: nobody knows what is in them.
    return trace.get_tracer(SCOPE).start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    )
