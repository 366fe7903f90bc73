"""Prints events, for whoever watches a run at a terminal."""

from pprint import pformat
import sys
from typing import TextIO

from .events import TelemetryEvent


class PrintSink:
    """Prints each event with its parts in the order of their names, an empty line after it.

    The time is left out, so that two runs can be compared.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        """Print to `stream`, or to whatever is the standard output then."""
        self._stream = stream

    def record(self, event: TelemetryEvent) -> None:
        """Print the event.

        Raises:
            OSError: the stream cannot be written to.
        """
        stream = sys.stdout if self._stream is None else self._stream
        stream.write(f"{pformat(event.model_dump(mode='json', exclude={'timestamp'}))}\n\n")
