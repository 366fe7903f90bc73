"""Clients for model servers, over HTTP and JSON: one protocol (`ModelClient`), a module per provider.

Nothing here knows of Home Assistant; it can be used on its own with an aiohttp session.
"""
