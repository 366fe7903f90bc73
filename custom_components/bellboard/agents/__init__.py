"""Agents: cards, registry, eligibility, dispatch, aggregation, and the agents themselves."""
