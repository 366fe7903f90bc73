"""Clients for model servers, over HTTP and JSON: one protocol (`ModelClient`), a module per provider.

Nothing here knows of Home Assistant; it can be used on its own with an aiohttp session.
"""


def async_get_tools(*_: object) -> None:
    """Return no tools to Home Assistant, which takes a module of this name for a platform of LLM tools.

    Bellboard's own tools are an LLM API of their own.
    """
