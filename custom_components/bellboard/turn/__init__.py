"""One turn of a conversation: its stages, its context, and what follows from it."""
