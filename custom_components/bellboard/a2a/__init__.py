"""Client of agents that speak the A2A protocol (Agent2Agent) over HTTP, in its versions 0.3 and 1.0.

Nothing here knows of Home Assistant; it can be used on its own with an aiohttp session.
"""
