"""What comes after an agent: done, or somebody else's turn.

Nothing here knows of a sentence's first choice, nor of how agents are run.
"""
