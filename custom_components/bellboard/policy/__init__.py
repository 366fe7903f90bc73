"""Policies: the engine, the rules of the house, and their file."""
