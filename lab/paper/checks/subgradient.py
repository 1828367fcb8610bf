"""How fast the subgradient method falls on E-LASSO and E-SVM, in iterations: there is no clock."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType

import numpy as np

from lab.races import RaceSpec
from lab.races.specs import METHODS
from solvers.tracking import solve

LOOKS = (100, 300, 1000, 3000, 10_000, 30_000)
# Small enough for so many iterations, and races that the race page can run.
RACES: Mapping[str, RaceSpec] = MappingProxyType(
    {
        "lasso": RaceSpec(
            n_samples=60,
            n_features=200,
            n_groups=10,
            lam=10.0,
            methods=("newton", "locp", "subgradient"),
            repeats=5,
        ),
        "svm": RaceSpec(
            problem="svm",
            n_samples=60,
            n_features=240,
            n_groups=24,
            methods=("newton", "licp", "admm", "subgradient"),
            repeats=5,
        ),
    }
)


def falls(kind: str, draws: int, looks=LOOKS) -> dict:
    """Relative errors of the best point after so many iterations, and their power of k, by draw.

    `growth` is the largest √k·error at the last look over the largest at any look before: at most 1
    where the error falls at least like 1/√k.
    """
    spec = RACES[kind]
    methods = METHODS[spec.problem]
    errors = []
    for draw in range(draws):
        problem = spec.build(draw)
        optimum = solve(problem, methods["newton"], tol=1e-10)
        steps = islice(methods["subgradient"].run(problem, None), looks[-1] + 1)
        found = [problem.score(build()).objective for k, build in enumerate(steps) if k in looks]
        errors.append(np.array(found) / optimum.bound - 1.0)
    scaled = np.sqrt(looks) * np.array(errors)
    powers = [-np.polyfit(np.log(looks), np.log(error), 1)[0] for error in errors]
    return {
        "draws": draws,
        "iterations": list(looks),
        "errors": round_all(np.median(errors, axis=0)),
        "powers": round_all(powers),
        "growth": float(f"{np.max(scaled[:, -1] / scaled[:, :-1].max(axis=1)):.3g}"),
    }


def round_all(values) -> list[float]:
    return [float(f"{value:.3g}") for value in values]
