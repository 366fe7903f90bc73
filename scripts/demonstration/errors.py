"""What can go wrong in a way that one line explains."""


class DemoError(Exception):
    """Something the demonstration needs cannot be had; the message tells a person what."""


class HomeAssistantError(DemoError):
    """Home Assistant did not do its part; the end of its log helps to see why."""
