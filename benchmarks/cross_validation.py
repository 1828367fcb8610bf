"""What does a whole model selection cost, beside scikit-learn's, on real data?

    python -m benchmarks.cross_validation              five sets (needs the data folder)
    python -m benchmarks.cross_validation --quick      one synthetic set, in under a minute

12 settings × 5 folds for everybody, on one thread, processor seconds of one run, of short
fits the least of several: `ExclusiveSVCCV` and `ExclusiveLassoCV` against `GridSearchCV(LinearSVC)`
with either loss, `LogisticRegressionCV` (ℓ1) and `LassoCV`. Everybody has fitted a small problem
before, so that nobody pays for what is loaded at first use.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
from scipy import sparse
from sklearn.linear_model import LassoCV, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks import common
from lab.data.datasets import MatSpec, load
from solvers import ExclusiveLassoCV, ExclusiveSVCCV, Groups
from solvers.scales import svm_scales

SETS = ("allaml", "prostate_ge", "isolet", "pcmac", "mnist_138")
SPARSE_BELOW = 0.1  # share of nonzeros below which the data are given as a sparse matrix
SETTINGS = 12
FOLDS = 5
N_GROUPS = 20
REPEATS, ENOUGH = 5, 2.0  # fits of a model, and seconds of them after which there are no more


def entrants(X, y, groups) -> dict:
    """Everybody with 12 settings: ours three α by four β, as an E-SVM has two strengths.

    They are those of the automatic grid, named, because that one would grow to more settings.
    """
    strengths = np.geomspace(1e-4, 1e1, SETTINGS)
    alpha, beta = svm_scales(X, y, groups, fit_intercept=True)
    alphas, betas = alpha * np.geomspace(1.0, 1e-3, 3), beta * np.geomspace(1.0, 1e-3, 4)
    return {
        "ExclusiveSVCCV": ExclusiveSVCCV(alphas=alphas, betas=betas, groups=groups, cv=FOLDS),
        "ExclusiveLassoCV": ExclusiveLassoCV(lams=SETTINGS, groups=groups, cv=FOLDS),
        "LinearSVC, hinge": GridSearchCV(LinearSVC(loss="hinge"), {"C": strengths}, cv=FOLDS),
        "LinearSVC, squared hinge": GridSearchCV(LinearSVC(), {"C": strengths}, cv=FOLDS),
        "LogisticRegressionCV, l1": LogisticRegressionCV(
            Cs=strengths, cv=FOLDS, penalty="l1", solver="liblinear"
        ),
        "LassoCV": LassoCV(alphas=SETTINGS, cv=FOLDS),
    }


def warm_up() -> None:
    X = np.random.default_rng(0).standard_normal((30, 10))
    target, groups = np.where(X[:, 0] > 0.0, 1.0, -1.0), Groups.contiguous(10, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for model in entrants(X, target, groups).values():
            model.fit(X, target)


def measure(X, y, only) -> dict:
    groups = Groups.random(X.shape[1], N_GROUPS, random_state=0)
    rows = {}
    target = np.where(y == np.max(y), 1.0, -1.0)
    for name, model in entrants(X, target, groups).items():
        if only and name not in only:
            continue
        took: list[float] = []
        while not took or (len(took) < REPEATS and sum(took) < ENOUGH):
            started = time.process_time()
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                model.fit(X, target)
            took.append(time.process_time() - started)
        rows[name] = {
            "cpu_seconds": min(took),
            "warnings": sorted({type(each.message).__name__ for each in told}),
        }
        print(
            f"  {name:<26} {rows[name]['cpu_seconds']:8.2f} s {rows[name]['warnings']}", flush=True
        )
    return rows


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*", default=list(SETS))
    parser.add_argument("--models", nargs="*", default=[])
    chosen = parser.parse_args(arguments)
    file = "cross_validation-quick" if chosen.quick else "cross_validation"
    found = {}
    if not chosen.quick and common.path_of(file).exists():
        found = common.read(file)["sets"]
    with threadpool_limits(1):
        warm_up()
        if chosen.quick:
            rng = np.random.default_rng(0)
            X = rng.standard_normal((60, 300))
            found["synthetic"] = {"rows": measure(X, np.sign(X[:, 0] - X[:, 1]), chosen.models)}
        for name in [] if chosen.quick else chosen.only:
            data = load(MatSpec(name))
            X = data.X
            if np.count_nonzero(X) < SPARSE_BELOW * X.size:
                X = sparse.csr_array(X)
            print(name, X.shape, flush=True)
            rows = found.get(name, {}).get("rows", {}) | measure(X, data.y, chosen.models)
            found[name] = {"shape": list(data.X.shape), "rows": rows}
            common.write(
                file, {"quick": False, "settings": SETTINGS, "folds": FOLDS, "sets": found}
            )
    if chosen.quick:
        common.write(file, {"quick": True, "settings": SETTINGS, "folds": FOLDS, "sets": found})


if __name__ == "__main__":
    main()
