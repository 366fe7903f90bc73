#!/usr/bin/env python3
"""Measures how well sentences are routed, how fast, and how far the confidence can be believed.

python benchmarks/routing.py --llm URL                    our own sentences, each agent a label
python benchmarks/routing.py --llm URL --cases FILE       a file with {"utterance", "agent"} a line;
                                                          an agent it does not name is "other"
python benchmarks/routing.py ... --per-label 73           so many of each label, always the same
python benchmarks/routing.py ... --written                the number the model writes, too
python benchmarks/routing.py ... --json                   one JSON object
python benchmarks/routing.py ... --diagram FILE           a reliability diagram, as SVG
"""

from pathlib import Path
import sys

sys.path[0] = str(Path(__file__).resolve().parent.parent)

if __name__ == "__main__":
    from benchmarks.routing_suite import main

    main()
