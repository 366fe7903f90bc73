"""What is still open in a conversation."""
