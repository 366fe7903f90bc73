"""Custom integrations: this file lets Home Assistant and the tests import them from here."""
