"""Fit a model to a file without a screen: `python -m solvers.fit data.parquet --target y …`

It writes a model file that `load_model` reads, and shows how far it is on the standard error. Exit
codes: 0 when the certified gap reached the tolerance, 1 when the model was written without that,
2 when something is wrong with what was asked.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import numpy as np

from .api import solve_huber, solve_lasso, solve_logistic, solve_poisson, solve_svm
from .groups import Groups
from .large.reading import Table, connect, read, read_groups
from .model_file import LinearModel, NumberInput
from .result import Result
from .scales import default_n_groups

KINDS = {
    "lasso": "number",
    "huber": "number",
    "poisson": "count",
    "logistic": "logistic",
    "svm": "svm",
}
SOLVE: dict[str, Callable[..., Result]] = {
    "lasso": solve_lasso,
    "huber": solve_huber,
    "poisson": solve_poisson,
    "logistic": solve_logistic,
}
BAR = 30  # characters


def main(arguments=None) -> int:
    args = _parser().parse_args(arguments)
    try:
        return _fit(args)
    except (ValueError, RuntimeError) as error:
        print(f"solvers.fit: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("solvers.fit: stopped.", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m solvers.fit", description=__doc__)
    add = parser.add_argument
    add("data", help="a .parquet or .csv table, or a .npy or .zarr matrix")
    add("--target", required=True, help="the column that is predicted; of a matrix, a .npy file")
    add("--groups", help="a .csv file of two columns, feature and group; random unless given")
    add("--n-groups", type=int, help="how many random groups; a number for these data unless given")
    add("--seed", type=int, default=0, help="of the random groups")
    add("--loss", choices=tuple(KINDS), default="lasso", help="lasso unless given")
    add("--lam", type=float, default=1.0, help="the strength λ; 1 unless given")
    add("--alpha", type=float, default=1.0, help="of svm, the strength of ‖w‖²; 1 unless given")
    add("--beta", type=float, default=1.0, help="of svm, the strength of ‖w‖_e²; 1 unless given")
    add("--no-intercept", action="store_true", help="leave the intercept at 0")
    add("--tol", type=float, default=1e-4, help="the certified relative gap; 1e-4 unless given")
    add("--max-seconds", type=float, help="stop after that long, between passes over the data")
    add(
        "--dask",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="leave the data on disk and go through them in passes; on the cluster at an address "
        "such as tcp://host:8786, or in this process where none is given",
    )
    add("--output", help="the model file; the data's name with .model.json unless given")
    add("--quiet", action="store_true", help="show no progress")
    return parser


def _fit(args) -> int:
    with connect(args.dask) if args.dask else nullcontext():
        table = read(args.data, args.target, with_dask=args.dask is not None)
        groups = _groups(args, table)
        y, classes = _target(args.loss, table.y)
        progress = None if args.quiet else Progress(args.tol)
        result = _solver(args)(
            table.X,
            y,
            groups,
            tol=args.tol,
            max_seconds=args.max_seconds,
            fit_intercept=not args.no_intercept,
            callback=progress,
        )
    if progress is not None:
        progress.end()
    output = Path(args.output or f"{Path(args.data).with_suffix('')}.model.json")
    try:
        model_of(args, table, classes, groups, result).save(output)
    except OSError as error:
        raise ValueError(f"{output} cannot be written ({error}).") from None
    passes = "" if result.n_passes is None else f", {result.n_passes:.4g} passes over the data"
    print(
        f"{output}: {np.count_nonzero(result.w)} of {result.w.size} features, objective "
        f"{result.objective:.6g}, certified gap {result.gap:.1e} ({result.message}){passes}"
    )
    return 0 if result.converged else 1


def _solver(args):
    if args.loss == "svm":
        return partial(solve_svm, alpha=args.alpha, beta=args.beta)
    return partial(SOLVE[args.loss], lam=args.lam)


def _groups(args, table: Table) -> Groups:
    n_features = len(table.names)
    if args.groups is not None:
        return Groups.from_labels(read_groups(args.groups, table.names))
    n_groups = args.n_groups or default_n_groups(n_features, len(table.y))
    return Groups.random(n_features, n_groups, random_state=args.seed)


def _target(loss, y) -> tuple[np.ndarray, tuple]:
    """What the solver takes, and the classes that −1 and +1 stand for."""
    if KINDS[loss] not in ("logistic", "svm"):
        return y, ()
    classes = np.unique(y)
    if classes.size != 2:
        raise ValueError(f"the target must have two classes, and has {classes.size}.")
    return np.where(y == classes[1], 1.0, -1.0), tuple(classes.tolist())


def model_of(args, table: Table, classes, groups: Groups, result: Result) -> LinearModel:
    """The fit as a model file: the features that have a weight, and what they came from."""
    kept = np.flatnonzero(result.w) if result.w.any() else [0]
    inputs = tuple(NumberInput(table.names[i], weights=(float(result.w[i]),)) for i in kept)
    names = ("alpha", "beta") if args.loss == "svm" else ("lam",)
    about = {
        "command": "solvers.fit",
        "data": Path(args.data).name,
        "loss": args.loss,
        **{name: getattr(args, name) for name in names},
        "n_samples": int(table.X.shape[0]),
        "n_features": len(table.names),
        "n_groups": groups.n_groups,
        "objective": result.objective,
        "gap": result.gap,
        "status": result.status,
        "n_passes": result.n_passes,
    }
    return LinearModel(KINDS[args.loss], classes, inputs, (float(result.intercept),), about)


class Progress:
    """A bar that fills as the digits of the gap do, on the standard error."""

    def __init__(self, tol):
        self._tol = tol

    def __call__(self, record, w) -> None:
        print(f"\r{self.line(record)}", end="", file=sys.stderr, flush=True)

    def line(self, record) -> str:
        whole = -math.log10(min(max(self._tol, 1e-16), 0.1))
        done = -math.log10(min(max(record.gap, 1e-16), 1.0)) / whole
        filled = round(BAR * min(max(done, 0.0), 1.0))
        return (
            f"[{'#' * filled}{'.' * (BAR - filled)}] gap {record.gap:.1e}, "
            f"{record.nonzeros} features, {record.seconds:.1f} s "
        )

    def end(self) -> None:
        print(file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
