"""What is stored: tasks, conversations, open questions, delayed commands, habits and learned decisions."""
