"""What will be done: plan models, execution and verification."""
