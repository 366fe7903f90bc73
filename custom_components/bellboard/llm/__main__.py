"""Asks a language model as a process: one ActionRequest in, one ActionResponse out (LLM router agent contract).

Any Python 3.14 with aiohttp and pydantic runs it, wherever the integration is installed, without Home Assistant:

    python config/custom_components/bellboard/llm <request.json >response.json

and, where Home Assistant's packages are there, `python -m custom_components.bellboard.llm`.
"""

import gc
from importlib import import_module
import os
from pathlib import Path
import sys


def main(package: str | None) -> None:
    """Answer standard input and end the process; `package` is the one this is run as, None for a folder."""
    # So short a life leaves no garbage worth looking for, and a plug-in of pydantic's would see the key.
    gc.disable()
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    if not package:
        # Run as a folder: the wire is a package by itself, beside which nothing of ours is imported.
        package = "llm"
        sys.path[0] = str(Path(__file__).resolve().parent.parent)
    # Beside it is the `calendar.py` that Home Assistant wants, which is not the standard library's.
    beside = sys.path.pop(0)
    import_module("calendar")
    sys.path.insert(0, beside)
    if sys.version_info < (3, 14):  # noqa: UP036 -- whatever Python it is run with
        sys.exit("llm-router-agent: Python 3.14 or newer is needed")
    try:
        process = import_module(f"{package}.process")
    except ImportError as err:
        sys.exit(f"llm-router-agent: {err}")
    process.main()


if __name__ == "__main__":
    main(__package__)
