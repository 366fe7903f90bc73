"""Tests of the panel's commands and its page."""
