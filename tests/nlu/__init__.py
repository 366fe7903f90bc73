"""Tests of words to meaning."""
