"""What is known of a turn afterwards."""
