#!/usr/bin/env python3
"""Measures what each part of the routing prompt and of its evidence is worth.

python benchmarks/ablation.py --llm URL                  our own sentences, 40 of each label
python benchmarks/ablation.py --llm URL --cases FILE     a file with {"utterance", "agent"} a line
python benchmarks/ablation.py --llm URL --per-label 20   fewer sentences
python benchmarks/ablation.py --llm URL --json           one JSON object
"""

from pathlib import Path
import sys

sys.path[0] = str(Path(__file__).resolve().parent.parent)

if __name__ == "__main__":
    from benchmarks.variants import main

    main()
