"""The paper's Fig. 2(d): accuracy of SVM, S-SVM, Kong, E-SVM and E-SVM(R) against m.

    python -m benchmarks.figure2d                      the paper's setting, both noise models
    python -m benchmarks.figure2d --ms 112 315 --noise independent --processes 2
    python -m benchmarks.figure2d --dry                what is there and what is to do

n = 5040, m = 112 … 2520 samples and groups, 10 repeats, strengths chosen for every method by the
same cross-validation on training data only, and every E-SVM certified to a relative gap of 1e-4 or
better. Adds each trial to benchmarks/results/trials as it ends and continues where it was stopped:
cheap settings are complete early, dear ones get their first repeats in between. `benchmarks.sweep`
runs other settings.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from benchmarks import trials
from lab.accuracy import FIG2D_METHODS, NOISES, Fig2dSpec
from lab.accuracy.paper_runs import fig2d_spec
from lab.data.paper_numbers import FIG2D_MS, FIG2D_REPEATS


def tasks(specs: list[Fig2dSpec]) -> list[trials.Task]:
    """By (repeat + 1)·cost: cheap settings are complete early, dear ones have some repeats."""
    found = [(spec, trial) for spec in specs for trial in spec.trials()]
    return sorted(found, key=lambda task: (task[1][1] + 1) * task[0].cost(task[1]))


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    trials.add_options(parser)
    parser.add_argument("--ms", nargs="+", type=int, default=list(FIG2D_MS))
    parser.add_argument("--repeats", type=int, default=FIG2D_REPEATS)
    parser.add_argument("--noise", nargs="+", choices=NOISES, default=list(NOISES))
    parser.add_argument("--methods", nargs="+", choices=FIG2D_METHODS, default=list(FIG2D_METHODS))
    chosen = parser.parse_args(arguments)
    extent = dict(ms=tuple(chosen.ms), repeats=chosen.repeats, methods=tuple(chosen.methods))
    specs = [replace(fig2d_spec(noise), **extent) for noise in chosen.noise]
    trials.ship("Fig. 2(d)", tasks(specs), chosen)


if __name__ == "__main__":
    main()
