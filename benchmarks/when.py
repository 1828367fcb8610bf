"""When exclusive sparsity helps: accuracy on generated data while one quantity is varied.

    python -m benchmarks.when                          every quantity, as the app ships it
    python -m benchmarks.when --quantities wrong --processes 2
    python -m benchmarks.when --dry                    what is there and what is to do

192 samples of 1008 features in 48 groups, 20 draws a value, all methods tuned alike on training
samples only; accuracies are exact probabilities, not counts over a test set. Adds each trial to
benchmarks/results/trials as it ends and continues where it was stopped.
"""

from __future__ import annotations

import argparse

from benchmarks import trials
from lab.accuracy import QUANTITIES
from lab.accuracy.paper_runs import when_spec


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    trials.add_options(parser)
    parser.add_argument("--quantities", nargs="+", choices=QUANTITIES, default=list(QUANTITIES))
    chosen = parser.parse_args(arguments)
    specs = [when_spec(quantity) for quantity in chosen.quantities]
    # The first draw of everything before the second of anything.
    tasks = sorted(
        ((spec, trial) for spec in specs for trial in spec.trials()), key=lambda task: task[1][1]
    )
    trials.ship("When it helps", tasks, chosen)


if __name__ == "__main__":
    main()
