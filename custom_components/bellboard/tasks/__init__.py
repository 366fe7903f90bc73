"""What is still open: the A2A task models and where they are kept."""
