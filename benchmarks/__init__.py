"""Measures what Bellboard promises, side by side with Home Assistant's own agent; see `run.py`."""
