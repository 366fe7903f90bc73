"""Golden sentences: what is said, what is right then, and whether it was."""
