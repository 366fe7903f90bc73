"""Stored state: tasks, conversations, open questions, delayed commands, habits and learned decisions."""
