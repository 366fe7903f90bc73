"""Tests of Bellboard, through Home Assistant's own doors."""
