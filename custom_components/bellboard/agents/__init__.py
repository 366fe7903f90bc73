"""Who answers: cards, registry, dispatch, aggregation and the specialists."""
