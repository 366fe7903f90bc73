"""What happened: the trace of each turn."""
