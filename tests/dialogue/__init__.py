"""Tests of follow-ups: answers, references, clarification."""
