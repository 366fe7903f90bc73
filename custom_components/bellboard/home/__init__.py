"""What there is: the exposed entities, their names, areas and abilities."""
