"""Who answers, and what comes of it."""
