"""What will be done, and whether it was."""
