"""The evaluation harness: golden files said to Bellboard in a real core, and what came of them."""
