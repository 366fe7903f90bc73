"""Tests of the client of A2A agents."""
