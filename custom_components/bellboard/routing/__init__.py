"""Who should answer: reflex, guard, model router and their cascade."""
