"""What there is, and what a sentence means of it."""
