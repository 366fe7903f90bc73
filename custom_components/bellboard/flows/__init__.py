"""The forms behind the config flow."""
