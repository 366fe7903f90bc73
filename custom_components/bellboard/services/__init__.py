"""The actions that people and automations call."""
