"""The door to the forms: Home Assistant looks for a connection's config flow here."""

from .flows.connection import BellboardConfigFlow

__all__ = ["BellboardConfigFlow"]
