"""Tests of the wire to a model."""
