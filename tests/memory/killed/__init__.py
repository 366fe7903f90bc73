"""A house that is killed in the middle of what it does, and what it knows when it comes back."""
