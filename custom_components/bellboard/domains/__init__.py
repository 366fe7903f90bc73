"""What a device can do: one module and one table for each domain."""
