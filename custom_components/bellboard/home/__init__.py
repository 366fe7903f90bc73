"""Catalog of the exposed entities, areas and floors, with names, groups and read permissions."""
