"""Who answers which part of a sentence."""
