"""The paper's Table 1: accuracy on real data, under both readings of "cross validation".

    python -m benchmarks.table1                        every set, protocol, preprocessing and method
    python -m benchmarks.table1 --sets leu allaml --scalings standardise --processes 2
    python -m benchmarks.table1 --dry                  what is there and what is to do

The seven data sets of the paper that could be had, with the paper's number of folds; ordinary folds
(train on all but one) and inverted ones (train on one, test on the rest); raw, standardised and
unit-length features; SVM, S-SVM, Kong, E-SVM(R) and ℓ1 logistic, strengths chosen by the same inner
cross-validation on training data only, by both rules for grids and ties (`REAL_RULES`). Adds each
trial to benchmarks/results/trials as it ends and continues where it was stopped: sets that are
cheap as a whole are complete early. The files are looked for where EXCLUSIVE_SPARSITY_DATA says.
"""

from __future__ import annotations

import argparse
from itertools import product

from benchmarks import trials
from lab.accuracy import FOLD_KINDS, REAL_METHODS, REAL_RULES, RealSpec
from lab.accuracy.paper_runs import ROWS, SCALINGS, table1_spec


def rough_cost(spec: RealSpec) -> float:
    """Seconds of all methods in one fold, as measured with standardised features."""
    inverted, ordinary = _SECONDS[spec.data.name]
    return inverted if spec.fold_kind == "inverted" else ordinary


_SECONDS = {
    "leu": (1.2, 2.0),
    "allaml": (1.5, 3.0),
    "prostate_ge": (0.8, 4.0),
    "isolet": (1.5, 60.0),
    "pcmac": (6.0, 200.0),
    "mnist_138": (20.0, 300.0),
    "tdt2": (18.0, 100.0),
}


def tasks(names, protocols, scalings, rules, methods) -> list[trials.Task]:
    """Whole sets in the order of what they cost, the variants of preprocessing after them.

    A few folds of many sets say less than all folds of some, and methods and rules can only be
    compared on folds that all have.
    """
    specs = [
        table1_spec(*settings, methods) for settings in product(names, protocols, scalings, rules)
    ]

    def place(task):
        spec, (_, fold, _) = task
        return (1.0 + 4.0 * scalings.index(spec.scaling)) * rough_cost(spec) * spec.folds, fold

    return sorted(((spec, trial) for spec in specs for trial in spec.trials()), key=place)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    trials.add_options(parser)
    parser.add_argument("--sets", nargs="+", choices=ROWS, default=list(ROWS))
    parser.add_argument("--protocols", nargs="+", choices=FOLD_KINDS, default=list(FOLD_KINDS))
    parser.add_argument("--scalings", nargs="+", choices=SCALINGS, default=list(SCALINGS))
    parser.add_argument("--ties", nargs="+", choices=REAL_RULES, default=list(REAL_RULES))
    parser.add_argument("--methods", nargs="+", choices=REAL_METHODS, default=list(REAL_METHODS))
    chosen = parser.parse_args(arguments)
    found = tasks(chosen.sets, chosen.protocols, chosen.scalings, chosen.ties, chosen.methods)
    trials.ship("Table 1", found, chosen)


if __name__ == "__main__":
    main()
