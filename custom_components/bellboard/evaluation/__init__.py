"""Evaluation: golden files of sentences with expected results, run against an assistant."""
