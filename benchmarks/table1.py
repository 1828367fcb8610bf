"""The paper's Table 1: accuracy on real data, under both readings of "cross validation".

    python -m benchmarks.table1                        every set, protocol, preprocessing and method
    python -m benchmarks.table1 --quick                one small set, one preprocessing
    python -m benchmarks.table1 --sets leu allaml --scalings standardise --workers 2
    python -m benchmarks.table1 --dry                  what is there and what is to do

The seven data sets of the paper that could be had, with the paper's number of folds; ordinary folds
(train on all but one) and inverted ones (train on one, test on the rest); raw, standardised and
unit-length features; SVM, S-SVM, Kong, E-SVM(R) and ℓ1 logistic, strengths chosen by the same inner
cross-validation on training data only. Writes benchmarks/results/table1.json after every trial and
continues where it was stopped. The files are looked for where EXCLUSIVE_SPARSITY_DATA says.
"""

from __future__ import annotations

import argparse

from benchmarks import cells
from lab.datasets import MatSpec
from lab.paper_numbers import TABLE_1
from lab.sweeps import FOLD_KINDS, REAL_METHODS, SCALINGS, RealSpec

ROWS = {row.data: row for row in TABLE_1 if row.data}


def spec_of(name: str, protocol: str, scaling: str, methods) -> RealSpec:
    return RealSpec(
        data=MatSpec(name),
        folds=ROWS[name].folds,
        fold_kind=protocol,
        scaling=scaling,
        methods=tuple(methods),
    )


def rough_cost(spec: RealSpec, method: str) -> float:
    """Training samples, to the power that the kernels and Newton systems cost, times features."""
    row = ROWS[spec.data.name]
    share = 1 / row.folds if spec.fold_kind == "inverted" else 1 - 1 / row.folds
    train = max(share * row.n_samples, 5.0)
    return spec.cost((0, 0, method)) * (50.0 + train) ** 1.9 * row.n_features


def tasks(names, protocols, scalings, methods) -> list[cells.Task]:
    found = []
    for scaling in scalings:
        for name in names:
            for protocol in protocols:
                spec = spec_of(name, protocol, scaling, methods)
                cell = (("data", name), ("protocol", protocol), ("preprocessing", scaling))
                # The second and third preprocessing are variants: they come after the first.
                later = 1.0 + 4.0 * scalings.index(scaling)
                found += [
                    cells.Task(
                        (*cell, ("method", method)),
                        fold,
                        spec,
                        (repeat, fold, method),
                        later * rough_cost(spec, method),
                    )
                    for repeat, fold, method in spec.trials()
                ]
    return cells.in_useful_order(found)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cells.add_options(parser)
    parser.add_argument("--sets", nargs="+", choices=ROWS, default=None)
    parser.add_argument("--protocols", nargs="+", choices=FOLD_KINDS, default=list(FOLD_KINDS))
    parser.add_argument("--scalings", nargs="+", choices=SCALINGS, default=None)
    parser.add_argument("--methods", nargs="+", choices=REAL_METHODS, default=list(REAL_METHODS))
    chosen = parser.parse_args(arguments)
    quick = chosen.quick
    names = chosen.sets or (["leu"] if quick else list(ROWS))
    every = ["standardise", "none", "unit length"]
    scalings = chosen.scalings or (every[:1] if quick else every)
    wanted = tasks(names, chosen.protocols, scalings, chosen.methods)
    some = spec_of(names[0], "ordinary", scalings[0], chosen.methods)
    head = {
        "quick": quick,
        "seed": some.seed,
        "group_rule": some.group_rule,
        "protocol": some.protocol.in_words(),
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
