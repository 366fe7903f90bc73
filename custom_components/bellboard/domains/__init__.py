"""Device capabilities as data: one module and one `table.Domain` for each entity domain."""
