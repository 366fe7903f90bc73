#!/usr/bin/env python3
"""Learns how often a model's routing is right at each measured probability, and keeps it.

python benchmarks/calibrate.py --llm URL                     with the model the server offers
python benchmarks/calibrate.py --llm URL --model-name NAME   kept under another name

The curve is kept in `custom_components/bellboard/routing/calibration.json` under the beginning of a
model's name that all its spellings share, such as "smollm2-135m".
"""

from pathlib import Path
import sys

sys.path[0] = str(Path(__file__).resolve().parent.parent)

if __name__ == "__main__":
    from benchmarks.learning import main

    main()
