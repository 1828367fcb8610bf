"""Accuracy sweeps without the app: the paper's Fig. 2(d) and Table 1, resumable.

    python -m benchmarks.sweep fig2d                      the paper's setting, independent noise
    python -m benchmarks.sweep fig2d --noise shared --ms 112 315 --repeats 10
    python -m benchmarks.sweep table1 --data allaml leu   the paper's folds, both fold protocols
    python -m benchmarks.sweep real --data breast_cancer --folds 5 --repeats 3
    python -m benchmarks.sweep fig2d --status             how much of it is done, no work

Finished trials are appended to the results folder (EXCLUSIVE_SPARSITY_RESULTS names another) as
they come, so a run that was stopped continues where it was; the app resumes the same sweep. With
--ship they go to benchmarks/results/trials, and come with the product.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import trials
from lab.accuracy import (
    FIG2D_METHODS,
    FOLD_KINDS,
    GROUP_RULES,
    LABELS,
    NOISES,
    REAL_METHODS,
    SCALINGS,
    TIES,
    Fig2dSpec,
    Protocol,
    RealSpec,
    summarise,
)
from lab.accuracy.summary import points
from lab.data import paper_numbers
from lab.data.datasets import BUNDLED, MAT_FILES, BundledSpec, MatSpec, OpenMLSpec
from lab.results import Store, shipped
from lab.words import percent

EXPERIMENTS = ("fig2d", "table1", "real")
ALIASES = {"ssvm": "sparse_svm", "logistic": "logistic_l1"}


def main(arguments=None) -> int:
    options = _parser().parse_args(arguments)
    try:
        specs = _specs(options)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    store = shipped() if options.ship else Store(options.results)
    if options.status:
        for spec in specs:
            print(f"{_title(spec)}: {len(store.load(spec))} of {len(spec.trials())} trials")
        return 0
    failed = 0
    for spec in specs:
        tasks = [(spec, trial) for trial in spec.trials()]
        state = trials.run(
            f"{_title(spec)} ({spec.id})",
            tasks,
            store,
            also=[Store() if options.ship else shipped()],
            processes=options.processes,
            seconds=0.0 if options.dry else options.seconds,
        )
        failed += state == "failed"
        _print_summary(spec, store.load(spec))
    return 1 if failed else 0


def _print_summary(spec, results) -> None:
    for cell in summarise(spec, results):
        place = f"m={cell.place:<5}" if isinstance(spec, Fig2dSpec) else ""
        difference = ""
        if cell.difference is not None:
            half = 100 * cell.difference.half
            difference = f"   minus SVM {points(cell.difference.mean):>5} ± {half:.1f}"
        gap = "" if cell.worst_gap is None else f"   gap ≤ {cell.worst_gap:.0e}"
        print(
            f"  {place}{LABELS[cell.method]:<12} {percent(cell.accuracy.mean)} "
            f"± {100 * cell.accuracy.half:.1f}{difference}   {cell.nonzeros:.0f} features{gap}"
        )


def _specs(options) -> list:
    methods = tuple(ALIASES.get(key, key) for key in options.methods or ())
    protocol = {"inner_folds": options.inner_folds}
    shared = {"seed": options.seed, "group_rule": options.groups}
    if options.n_groups is not None:
        shared |= {"group_rule": "fixed", "n_random_groups": options.n_groups}
    if options.experiment == "fig2d":
        return [
            Fig2dSpec(
                n_features=options.features,
                ms=tuple(options.ms),
                repeats=options.repeats or 10,
                bayes_error=options.bayes_error,
                noise=options.noise,
                methods=methods or FIG2D_METHODS,
                protocol=Protocol(
                    weakest=options.weakest or Protocol().weakest,
                    strongest=options.strongest or Protocol().strongest,
                    ties=options.ties or Protocol().ties,
                    **protocol,
                ),
                **shared,
            )
        ]
    usual = RealSpec().protocol
    weakest = options.weakest or usual.weakest
    protocol |= {
        "strongest": options.strongest or usual.strongest,
        "ties": options.ties or usual.ties,
    }
    shared |= {
        "methods": methods or REAL_METHODS,
        "protocol": Protocol(weakest=weakest, **protocol),
        "repeats": options.repeats or 1,
    }
    names = options.data or (
        list(MAT_FILES) if options.experiment == "table1" else ["breast_cancer"]
    )
    kinds = options.fold_kind or (
        list(FOLD_KINDS) if options.experiment == "table1" else ["ordinary"]
    )
    return [
        RealSpec(
            data=_data(name),
            folds=options.folds or _folds(name, options.experiment),
            fold_kind=kind,
            scaling=scaling,
            **shared,
        )
        for name in names
        for kind in kinds
        for scaling in options.scaling
    ]


def _data(name: str):
    if name in MAT_FILES:
        return MatSpec(name)
    return BundledSpec(name) if name in BUNDLED else OpenMLSpec(name)


def _folds(name: str, experiment: str) -> int:
    row = paper_numbers.row_of(name)
    return row.folds if experiment == "table1" and row is not None else 5


def _title(spec) -> str:
    if isinstance(spec, Fig2dSpec):
        return f"Fig. 2(d), n = {spec.n_features}, {spec.noise} noise"
    return f"{spec.data.name}, {spec.folds} {spec.fold_kind} folds, scaling: {spec.scaling}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", choices=EXPERIMENTS, help="what to run")
    parser.add_argument("--status", action="store_true", help="say how much is done, and stop")
    parser.add_argument("--ship", action="store_true", help="keep them in benchmarks/results")
    parser.add_argument("--results", metavar="FOLDER", help="where finished trials are kept")
    trials.add_options(parser)
    parser.add_argument("--repeats", type=int, help="repeats (fig2d 10, real data 1)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--methods", nargs="+", metavar="METHOD", help=f"of {', '.join((*LABELS, 'ssvm'))}"
    )
    parser.add_argument(
        "--groups", choices=GROUP_RULES[:-1], default="m/log m", help="rule for E-SVM(R)"
    )
    parser.add_argument("--n-groups", type=int, help="a fixed number of random groups instead")
    parser.add_argument("--inner-folds", type=int, default=3, help="folds that choose strengths")
    parser.add_argument(
        "--weakest", type=float, help="weakest strength over its scale (fig2d .05, real .001)"
    )
    parser.add_argument(
        "--strongest", type=float, help="strongest strength over its scale (fig2d 1, real .1)"
    )
    parser.add_argument(
        "--ties", choices=TIES, help="who wins ties (fig2d strongest, real weakest)"
    )
    fig2d = parser.add_argument_group("fig2d")
    fig2d.add_argument("--features", type=int, default=5040)
    fig2d.add_argument(
        "--ms", type=int, nargs="+", default=list(paper_numbers.FIG2D_MS), metavar="M"
    )
    fig2d.add_argument("--noise", choices=NOISES, default="independent")
    fig2d.add_argument("--bayes-error", type=float, default=0.1)
    real = parser.add_argument_group("table1 and real")
    real.add_argument(
        "--data",
        nargs="+",
        metavar="SET",
        help=f"{', '.join(MAT_FILES)}; {', '.join(BUNDLED)}; or a name on OpenML",
    )
    real.add_argument("--folds", type=int, help="folds (the paper's for table1, else 5)")
    real.add_argument("--fold-kind", nargs="+", choices=FOLD_KINDS, help="both for table1")
    real.add_argument("--scaling", nargs="+", choices=SCALINGS, default=["standardise"])
    return parser


if __name__ == "__main__":
    sys.exit(main())
