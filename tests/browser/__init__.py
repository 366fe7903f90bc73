"""Tests in a real browser: a running Home Assistant with its web interface, and Bellboard set up through it."""
