#!/usr/bin/env python3
"""Measures the figures Bellboard is held to, all in one run on this machine.

python benchmarks/run.py                  a table
python benchmarks/run.py --json           one JSON object on standard output, nothing else
python benchmarks/run.py --quick          fewer repetitions
python benchmarks/run.py --llm none       without a model; what needs one is null, with a reason
python benchmarks/run.py --llm URL        with the model at this address

Without `--llm` the model at BELLBOARD_LLM_URL is asked, else the one `scripts/local-llm` starts.
Run it with a Python that has `requirements_test.txt`, such as the one `scripts/setup` makes.
"""

from pathlib import Path
import sys

sys.path[0] = str(Path(__file__).resolve().parent.parent)

if __name__ == "__main__":
    from benchmarks.suite import main

    main()
