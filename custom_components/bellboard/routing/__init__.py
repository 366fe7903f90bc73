"""Routing of sentences to agents: reflex, guard, model router and their cascade."""
