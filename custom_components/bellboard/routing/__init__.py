"""Who should answer: reflex, model router and their cascade."""
