"""What a home has beside devices: helpers, scripts and automations, as Home Assistant is configured for them."""

from typing import Any

CONFIG: dict[str, Any] = {
    "input_boolean": {"guests": {"name": "Guest Mode"}},
    "input_number": {
        "delay": {"name": "Porch Delay", "min": 0, "max": 60, "step": 1, "initial": 10}
    },
    "input_select": {
        "program": {
            "name": "Dishwasher Program",
            "options": ["eco", "intensive", "glass"],
            "initial": "glass",
        }
    },
    "input_button": {"feed": {"name": "Feed The Cat"}, "bell": {"name": "Bell"}},
    "counter": {"coffees": {"name": "Coffees", "initial": 3}},
    "script": {
        "bedtime": {
            "alias": "Bedtime",
            "sequence": [
                {
                    "action": "input_boolean.turn_off",
                    "target": {"entity_id": "input_boolean.guests"},
                }
            ],
        }
    },
    "automation": [
        {
            "id": "motion",
            "alias": "Motion Lights",
            "triggers": [{"trigger": "event", "event_type": "moved"}],
            "actions": [
                {"action": "input_boolean.turn_on", "target": {"entity_id": "input_boolean.guests"}}
            ],
        }
    ],
}
"""Configuration by component."""
