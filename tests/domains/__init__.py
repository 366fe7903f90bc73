"""What devices can do."""
