"""Natural language understanding without a model: lexicons, sentence templates, recognisers, targets."""
