"""Workflows: after each agent a router decides whether the task is complete or which agent goes on.

Nothing here knows of a sentence's first choice, nor of how agents are run (V2 routing).
"""
