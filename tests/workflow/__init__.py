"""What comes after an agent."""
