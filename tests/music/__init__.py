"""Music: what is asked of players, with the real Music Assistant integration and without it."""
