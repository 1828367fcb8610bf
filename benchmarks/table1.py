"""The paper's Table 1: accuracy on real data, under both readings of "cross validation".

    python -m benchmarks.table1                        every set, protocol, preprocessing and method
    python -m benchmarks.table1 --quick                one small set, one preprocessing
    python -m benchmarks.table1 --sets leu allaml --scalings standardise --workers 2
    python -m benchmarks.table1 --dry                  what is there and what is to do

The seven data sets of the paper that could be had, with the paper's number of folds; ordinary folds
(train on all but one) and inverted ones (train on one, test on the rest); raw, standardised and
unit-length features; SVM, S-SVM, Kong, E-SVM(R) and ℓ1 logistic, strengths chosen by the same inner
cross-validation on training data only, by both rules for grids and ties (`REAL_RULES`). Writes
benchmarks/results/table1.json after every trial and continues where it was stopped: sets that are
cheap as a whole are complete early. The files are looked for where EXCLUSIVE_SPARSITY_DATA says.
"""

from __future__ import annotations

import argparse
from itertools import product

from benchmarks import cells
from lab.datasets import MatSpec
from lab.paper_numbers import TABLE_1
from lab.sweeps import (
    FOLD_KINDS,
    HOW_SETTLED,
    REAL_METHODS,
    REAL_RULES,
    SCALINGS,
    RealSpec,
)

ROWS = {row.data: row for row in TABLE_1 if row.data}


def spec_of(name: str, protocol: str, scaling: str, ties: str, methods) -> RealSpec:
    return RealSpec(
        data=MatSpec(name),
        folds=ROWS[name].folds,
        fold_kind=protocol,
        scaling=scaling,
        methods=tuple(methods),
        protocol=REAL_RULES[ties],
    )


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


def tasks(names, protocols, scalings, rules, methods) -> list[cells.Task]:
    """Whole sets in the order of what they cost, the variants of preprocessing after them.

    A few folds of many sets say less than all folds of some, and methods and rules can only be
    compared on folds that all have.
    """
    found = []
    for name, protocol, scaling, ties in product(names, protocols, scalings, rules):
        spec = spec_of(name, protocol, scaling, ties, methods)
        cell = (("data", name), ("protocol", protocol), ("preprocessing", scaling), ("ties", ties))
        found += [
            cells.Task(
                (*cell, ("method", method)),
                fold,
                spec,
                (repeat, fold, method),
                rough_cost(spec) / len(methods),
            )
            for repeat, fold, method in spec.trials()
        ]

    def place(task):
        scaling = scalings.index(task.spec.scaling)
        return (1.0 + 4.0 * scaling) * task.cost * task.spec.folds, task.number

    return sorted(found, key=place)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cells.add_options(parser)
    parser.add_argument("--sets", nargs="+", choices=ROWS, default=None)
    parser.add_argument("--protocols", nargs="+", choices=FOLD_KINDS, default=list(FOLD_KINDS))
    parser.add_argument("--scalings", nargs="+", choices=SCALINGS, default=None)
    parser.add_argument("--ties", nargs="+", choices=REAL_RULES, default=list(REAL_RULES))
    parser.add_argument("--methods", nargs="+", choices=REAL_METHODS, default=list(REAL_METHODS))
    chosen = parser.parse_args(arguments)
    quick = chosen.quick
    names = chosen.sets or (["leu"] if quick else list(ROWS))
    every = ["standardise", "none", "unit length"]
    scalings = chosen.scalings or (every[:1] if quick else every)
    wanted = tasks(names, chosen.protocols, scalings, chosen.ties, chosen.methods)
    some = spec_of(names[0], "ordinary", scalings[0], chosen.ties[0], chosen.methods)
    head = {
        "quick": quick,
        "seed": some.seed,
        "group_rule": some.group_rule,
        "protocols": {ties: rule.in_words() for ties, rule in REAL_RULES.items()},
        "how_settled": HOW_SETTLED,
        "wanted": {
            "preprocessings": every,
            "methods": list(REAL_METHODS),
            "folds": {key: row.folds for key, row in ROWS.items()},
        },
    }
    cells.run(
        "table1-quick" if quick else "table1",
        wanted,
        head,
        workers=chosen.workers,
        seconds=0.0 if chosen.dry else chosen.seconds,
    )


if __name__ == "__main__":
    main()
