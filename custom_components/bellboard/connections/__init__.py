"""Connections to models: their clients, the roles of models, availability, migration."""
