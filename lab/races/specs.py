"""What is raced: a problem with its data, lanes and limits, and which races are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.data.bundled_problems import SHAPES, BundledProblemSpec
from lab.data.datasets import Dataset, ELassoSpec, ESVMSpec, load
from lab.data.peers import LEAST_SIZE, PeersSpec
from lab.words import counted
from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, Groups
from solvers.method import Method
from solvers.problems import LassoProblem, LogisticProblem, Problem, SVMProblem
from solvers.second_order.svm_newton import prefers_interior

PROBLEMS = MappingProxyType(
    {
        "lasso": "E-LASSO",
        "overlapped": "E-LASSO overlapped",
        "logistic": "Exclusive logistic",
        "svm": "E-SVM",
    }
)
# Where the data come from. A visitor's table is held by the visitor's session, and sent along.
SOURCES = MappingProxyType(
    {
        "paper": "The paper's generator",
        "peers": "The peers' generator",
        "digits": "Handwritten digits",
        "breast_cancer": "Breast cancer",
        "own": "My table",
    }
)
METHODS: Mapping[str, Mapping[str, Method]] = MappingProxyType(
    {
        "lasso": LASSO_METHODS,
        "overlapped": LASSO_METHODS,
        "logistic": LOGISTIC_METHODS,
        "svm": SVM_METHODS,
    }
)


# The paper's largest race, 720 × 5040, fits with a little to spare.
MOST_NUMBERS = 4_000_000
MOST_SAMPLES = 2_000
MOST_FEATURES = 10_000
MOST_GROUP_MEMBERS = 100_000
MOST_BUDGET = 60.0
MOST_REPEATS = 5
NONZEROS_PER_GROUP = 4


@dataclass(frozen=True)
class RaceSpec:
    """What is raced: the data, the problem on them, the lanes and when they stop.

    `lam` None is the paper's rule in the solvers' convention, λ = 2·0.4/‖w*‖₁. `extras` random
    other features join each group, which then overlap. `budget` is solver time for each lane,
    in seconds. Each repeat draws new data, from the next seed; of a real set new random groups; a
    visitor's own table, whose digest is `table`, is raced as it is.
    """

    problem: str = "lasso"
    n_samples: int = 100
    n_features: int = 600
    n_groups: int = 20
    extras: int = 0
    rho: float = 0.0
    lam: float | None = None
    alpha: float = 1.0
    beta: float = 10.0
    seed: int = 0
    methods: tuple[str, ...] = ("newton", "pcp", "locp", "kong")
    tol: float = 1e-6
    budget: float = 1.0
    repeats: int = 1
    source: str = "paper"
    table: str = ""
    overlapping: bool = False

    def data(self, repeat: int = 0) -> Any:
        """The spec of a repeat's data; of the paper, Section 5.1 for E-LASSO, 5.2 for classes."""
        if self.source in SHAPES:
            return BundledProblemSpec(self.source, self.n_groups, self.seed + repeat)
        if self.source == "peers":
            return PeersSpec(
                self.n_samples,
                self.n_features,
                self.n_groups,
                task="regression" if self.problem == "lasso" else "classification",
                seed=self.seed + repeat,
            )
        if self.source == "own":
            raise ValueError("a visitor's table is in no generator's hands")
        common = dict(
            n_samples=self.n_samples,
            n_features=self.n_features,
            n_groups=self.n_groups,
            extras=self.extras,
            seed=self.seed + repeat,
            rho=self.rho,
        )
        if self.problem in ("lasso", "overlapped"):
            return ELassoSpec(nonzeros_per_group=NONZEROS_PER_GROUP, **common)
        return ESVMSpec(**common)

    def build(self, repeat: int = 0, table: Dataset | None = None) -> Problem:
        """The problem of a repeat: on a visitor's table, or on data drawn or from the cache."""
        data = load(self.data(repeat)) if table is None else table
        if self.problem == "svm":
            return SVMProblem(data.X, data.y, data.groups, self.alpha, self.beta)
        lam = self.lam
        if lam is None:
            lam = 0.8 / float(np.abs(data.true_weights).sum())
        kind = LogisticProblem if self.problem == "logistic" else LassoProblem
        return kind(data.X, data.y, data.groups, lam)

    @property
    def strength(self) -> str:
        """λ, or α and β, in words."""
        if self.problem == "svm":
            return f"α = {self.alpha:g}, β = {self.beta:g}"
        return "the paper's λ" if self.lam is None else f"λ = {self.lam:g}"

    @property
    def description(self) -> str:
        """The problem in a few words."""
        words = [
            f"{PROBLEMS[self.problem]}{_ON[self.source]}, {self.n_samples} × {self.n_features}",
            counted(self.n_groups, f"{'random ' if self.source in SHAPES else ''}group"),
            self.strength,
        ]
        if self.extras and self.problem != "overlapped":
            words[1] += f" with {self.extras} extras each"
        if self.rho and self.source == "paper":
            words.append(f"correlation {self.rho:g}")
        if self.source == "own":
            words.append(counted(self.repeats, "repeat"))
        else:
            words.append(f"seed {self.seed}" if self.repeats == 1 else f"{self.repeats} draws")
        return ", ".join(words)

    def settings(self) -> dict[str, str | int | float]:
        """The spec as plain values, for a file."""
        plain = asdict(self)
        plain["methods"] = ", ".join(self.methods)
        plain["lam"] = "0.8/|w*|_1 (the paper's)" if self.lam is None else self.lam
        absent = ("lam",) if self.problem == "svm" else ("alpha", "beta")
        return {name: value for name, value in plain.items() if name not in absent}


_ON = MappingProxyType(
    {
        "paper": "",
        "peers": " of the peers' generator",
        "digits": " on handwritten digits",
        "breast_cancer": " on breast cancer",
        "own": " on your table",
    }
)


def _source_refusal(spec: RaceSpec) -> str | None:
    """What cannot be asked of data that are not the paper's."""
    if spec.source != "paper" and (spec.problem == "overlapped" or spec.extras):
        return (
            "extra features are drawn by the paper's generator only: choose it, or a problem "
            "without extras."
        )
    if spec.source in (*SHAPES, "own") and spec.lam is None and spec.problem != "svm":
        return "the paper's λ needs true weights, which real data do not have: choose a number."
    if spec.source == "peers" and spec.n_features % spec.n_groups:
        return (
            f"the peers' groups are equally large, and {spec.n_groups:,} does not divide "
            f"{spec.n_features:,} features: change either one."
        )
    if spec.source == "peers" and spec.n_features < LEAST_SIZE * spec.n_groups:
        return (
            f"the peers' correlations need groups of at least {LEAST_SIZE} features: take at most "
            f"{spec.n_features // LEAST_SIZE:,} groups."
        )
    if spec.source in SHAPES and spec.n_groups > spec.n_features:
        return f"there are {spec.n_features} features here: take at most as many groups."
    return None


def refusal(spec: RaceSpec) -> str | None:
    """None, or one sentence on why this race is not run here and what to change."""
    reason = _source_refusal(spec)
    if reason is not None:
        return reason
    numbers = spec.n_samples * spec.n_features
    if numbers > MOST_NUMBERS:
        return (
            f"{spec.n_samples:,} samples × {spec.n_features:,} features are {numbers / 1e6:.1f} "
            f"million numbers, and a race here has at most {MOST_NUMBERS / 1e6:.0f} million: lower "
            "either one."
        )
    drawn = spec.source == "paper" and spec.problem in ("lasso", "overlapped")
    least = NONZEROS_PER_GROUP if drawn else 1
    if spec.n_features < least * spec.n_groups:
        return (
            f"{spec.n_groups:,} groups of {spec.n_features:,} features cannot hold {least} true "
            f"features each: take at most {spec.n_features // least:,} groups."
        )
    outside = spec.n_features - -(-spec.n_features // spec.n_groups)
    if spec.extras > outside:
        return (
            f"there are only {outside:,} features outside a group, too few for {spec.extras:,} "
            "extras: lower the extra features or raise the number of groups."
        )
    if spec.extras * spec.n_groups > MOST_GROUP_MEMBERS:
        return (
            f"{spec.n_groups:,} groups with {spec.extras:,} extras each are more than "
            f"{MOST_GROUP_MEMBERS:,} memberships, too many for a race here: lower either one."
        )
    if spec.problem == "overlapped" and spec.extras < 1:
        return "overlapped groups need at least 1 extra feature each: raise the extra features."
    if not spec.methods:
        return "a race needs a lane: switch on at least one method."
    return None


@lru_cache(maxsize=64)
def refused_methods(
    problem: str, n_samples: int, n_features: int, n_groups: int, overlapping: bool
) -> Mapping[str, str]:
    """The methods that do not accept such a problem, and each one's reason.

    What a method accepts depends on the shape of the data, not on the numbers in them; so they are
    asked about zeros.
    """
    labels = np.arange(n_features) % n_groups
    groups = Groups.from_labels(labels)
    if overlapping:
        lists = [list(members) for members in groups.lists()]
        lists[0].append(int(np.flatnonzero(labels != 0)[0]))
        groups = Groups.from_lists(lists, n_features)
    X = np.zeros((n_samples, n_features))
    y = np.where(np.arange(n_samples) % 2, 1.0, -1.0)
    if problem == "svm":
        posed = SVMProblem(X, y, groups, 1.0, 1.0)
    elif problem == "logistic":
        posed = LogisticProblem(X, y, groups, 1.0)
    else:
        posed = LassoProblem(X, y, groups, 1.0)
    reasons = {key: method.accepts(posed) for key, method in METHODS[problem].items()}
    if problem == "svm" and reasons["newton"] is None and prefers_interior(posed):
        label = METHODS[problem]["newton"].label
        reasons["interior"] = f"{label} runs the same algorithm on such data, one lane for both"
    return MappingProxyType({key: reason for key, reason in reasons.items() if reason})


def refused_by(spec: RaceSpec) -> Mapping[str, str]:
    """The methods that cannot take part, with the reason; none where the data are impossible."""
    if refusal(replace(spec, methods=("any",))) is not None:
        return MappingProxyType({})
    return refused_methods(
        spec.problem,
        spec.n_samples,
        spec.n_features,
        spec.n_groups,
        spec.extras > 0 or spec.overlapping,
    )
