"""Which model serves what, and how it is reached."""
