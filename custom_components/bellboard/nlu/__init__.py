"""Words: one data file for each language."""
