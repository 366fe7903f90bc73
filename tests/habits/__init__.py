"""What is used by habit where nothing is said of it."""
