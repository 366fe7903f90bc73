"""Follow-ups of a conversation: answers to questions, references to what was spoken of, clarification."""
