"""The demonstration: a real Home Assistant, a made-up house and Bellboard, shown from outside by its API."""
