"""Plans: models, planning by a model, policy checks, execution and verification of tool calls."""
