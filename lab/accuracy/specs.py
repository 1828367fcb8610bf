"""What a sweep is: frozen specs that list their trials and name themselves."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.accuracy.protocol import Protocol
from lab.accuracy.quantities import QUANTITIES
from lab.data.datasets import BundledSpec, MatSpec, OpenMLSpec
from lab.data.paper_numbers import FIG2D_MS
from lab.results import Named, Store, Trial
from lab.results.identity import plain
from lab.words import counted
from solvers.grouping import recommend_n_groups

FIG2D_METHODS = ("svm", "sparse_svm", "kong", "esvm", "esvm_r", "oracle")
REAL_METHODS = ("svm", "sparse_svm", "kong", "esvm_r", "logistic_l1")

NOISES = ("independent", "shared")
GROUP_RULES = ("m/log m", "exact law", "as many as m", "fixed")
SCALINGS = ("none", "standardise", "unit length")
FOLD_KINDS = ("ordinary", "inverted")

_GENERATED_PROTOCOL = Protocol()
# Two rules for real data, by who wins ties. The first is the usual one; since it was settled with
# test accuracies seen (`HOW_SETTLED`), results that matter are reported by both.
REAL_RULES = MappingProxyType(
    {
        "weakest": Protocol(weakest=0.001, strongest=0.1, ties="weakest"),
        "strongest": Protocol(weakest=0.001),
    }
)
_REAL_PROTOCOL = REAL_RULES["weakest"]
_REAL_DATA = BundledSpec("breast_cancer")

# Changes whenever the meaning of a stored trial does.
VERSION = 1


@dataclass(frozen=True)
class Fig2dSpec(Named):
    """The paper's Fig. 2(d): accuracy against m = samples = groups, on generated data

    `group_rule` says how many random groups E-SVM(R) draws for s = m true features: the paper's
    m/log m, the exact law's recommendation (P ≥ .95 at t = .5), m itself, or `n_random_groups`.
    """

    n_features: int = 5040
    ms: tuple[int, ...] = FIG2D_MS
    repeats: int = 10
    bayes_error: float = 0.1
    noise: str = "independent"
    group_rule: str = "m/log m"
    n_random_groups: int = 50
    methods: tuple[str, ...] = FIG2D_METHODS
    protocol: Protocol = _GENERATED_PROTOCOL
    seed: int = 0

    _EXTENT = ("ms", "repeats", "methods")

    def __post_init__(self):
        _check_choice(self.noise, "noise", NOISES)
        _check_choice(self.group_rule, "group_rule", GROUP_RULES)
        _check_methods(self.methods, FIG2D_METHODS)
        if not self.ms:
            raise ValueError("the list of m is empty; give at least one.")
        for m in self.ms:
            if not 4 <= m <= self.n_features:
                raise ValueError(
                    f"each m must lie between 4 and the number of features, {self.n_features:,}; "
                    f"got {m:,}."
                )
        if self.repeats < 1:
            raise ValueError(f"repeats must be at least 1, got {self.repeats}.")
        if not 0.0 < self.bayes_error < 0.5:
            raise ValueError(f"bayes_error must lie between 0 and ½, got {self.bayes_error}.")

    @property
    def places(self) -> tuple[int, ...]:
        return self.ms

    def trials(self) -> list[Trial]:
        """(m, repeat, method); the first repeat of every m before the second of any."""
        return [
            (m, repeat, method)
            for repeat in range(self.repeats)
            for m in self.ms
            for method in self.methods
        ]

    def cost(self, trial: Trial) -> float:
        """A trial's time relative to the others, roughly, as measured at n = 5040."""
        m, _, method = trial
        return _METHOD_COST[method] * (150.0 + m) ** 1.7 * self.n_features

    def random_groups(self, m: int) -> int:
        return count_groups(self.group_rule, self.n_features, m, self.n_random_groups)

    def as_dict(self) -> dict[str, Any]:
        content = plain(asdict(self))
        content["protocol"] = _as_given(self.protocol)
        if self.group_rule != "fixed":
            del content["n_random_groups"]
        return {"kind": "fig2d", "version": VERSION, **content}


@dataclass(frozen=True)
class WhenSpec(Named):
    """The data of Fig. 2(d) with one quantity varied: when does exclusive sparsity help?

    `values` are those of the `quantity`, whole numbers in its unit (`QUANTITIES`); all others are
    as usual: a true classifier that errs on 10 % of new samples, features that are not correlated,
    one true feature per group, groups that are right, strengths chosen by cross-validation.
    Accuracies are exact (`lab.accuracy.trials.chance_of_being_right`), so repeats differ by what
    was trained on alone.
    """

    quantity: str = "error"
    values: tuple[int, ...] = QUANTITIES["error"].values
    n_features: int = 1008
    n_samples: int = 192
    n_groups: int = 48
    repeats: int = 20
    noise: str = "independent"
    group_rule: str = "m/log m"
    n_random_groups: int = 50
    methods: tuple[str, ...] = FIG2D_METHODS
    protocol: Protocol = _GENERATED_PROTOCOL
    seed: int = 0

    _EXTENT = ("values", "repeats", "methods")

    def __post_init__(self):
        _check_choice(self.quantity, "quantity", tuple(QUANTITIES))
        _check_choice(self.noise, "noise", NOISES)
        _check_choice(self.group_rule, "group_rule", GROUP_RULES)
        _check_methods(self.methods, FIG2D_METHODS)
        if not self.values:
            raise ValueError("the list of values is empty; give at least one.")
        for value in self.values:
            QUANTITIES[self.quantity].check(value)
        for name, least in (("n_samples", 8), ("n_groups", 2), ("repeats", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}.")
        largest = max(self.settings_at(value)["per_group"] for value in self.values)
        if self.n_groups * largest > self.n_features:
            raise ValueError(
                f"{self.n_groups:,} groups of {self.n_features:,} features have no room for "
                f"{counted(largest, 'true feature')} each; lower the groups or raise the features."
            )

    @property
    def places(self) -> tuple[int, ...]:
        return self.values

    def settings_at(self, value: int) -> dict[str, Any]:
        """All quantities where this one has the value: shares and counts, not per cent."""
        usual = {name: each.usual for name, each in QUANTITIES.items()}
        return usual | {self.quantity: QUANTITIES[self.quantity].of(value)}

    def trials(self) -> list[Trial]:
        """(value, repeat, method); the first repeat of every value before the second of any."""
        return [
            (value, repeat, method)
            for repeat in range(self.repeats)
            for value in self.values
            for method in self.methods
        ]

    def cost(self, trial: Trial) -> float:
        return _METHOD_COST[trial[2]] * (150.0 + self.n_samples) ** 1.7 * self.n_features

    def random_groups(self, n_true: int) -> int:
        return count_groups(self.group_rule, self.n_features, n_true, self.n_random_groups)

    def as_dict(self) -> dict[str, Any]:
        content = plain(asdict(self))
        content["protocol"] = _as_given(self.protocol)
        if self.group_rule != "fixed":
            del content["n_random_groups"]
        return {"kind": "when", "version": VERSION, **content}


@dataclass(frozen=True)
class UploadSpec:
    """A visitor's own data, known by its name and a digest; the data themselves travel beside."""

    name: str
    digest: str


DataSpec = BundledSpec | OpenMLSpec | MatSpec | UploadSpec


@dataclass(frozen=True)
class RealSpec(Named):
    """A comparison on real data by K-fold cross-validation, ordinary or inverted

    Ordinary folds train on all but one; inverted ones train on one and test on the rest, which is
    what the paper's Table 1 fits. `group_rule` counts the training samples as m.
    """

    data: DataSpec = _REAL_DATA
    folds: int = 5
    fold_kind: str = "ordinary"
    repeats: int = 1
    scaling: str = "standardise"
    group_rule: str = "m/log m"
    n_random_groups: int = 50
    methods: tuple[str, ...] = REAL_METHODS
    protocol: Protocol = _REAL_PROTOCOL
    seed: int = 0

    _EXTENT = ("repeats", "methods")

    def __post_init__(self):
        _check_choice(self.fold_kind, "fold_kind", FOLD_KINDS)
        _check_choice(self.scaling, "scaling", SCALINGS)
        _check_choice(self.group_rule, "group_rule", GROUP_RULES)
        _check_methods(self.methods, REAL_METHODS)
        for name, least in (("folds", 2), ("repeats", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}.")

    @property
    def may_be_kept(self) -> bool:
        """Whether results may be written to disk: never those of a visitor's own data."""
        return not isinstance(self.data, UploadSpec)

    @property
    def places(self) -> tuple[int, ...]:
        """A set of data is a single place."""
        return (0,)

    def trials(self) -> list[Trial]:
        """(repeat, fold, method)"""
        return [
            (repeat, fold, method)
            for repeat in range(self.repeats)
            for fold in range(self.folds)
            for method in self.methods
        ]

    def cost(self, trial: Trial) -> float:
        return _METHOD_COST[trial[2]]

    def as_dict(self) -> dict[str, Any]:
        content = plain(asdict(self))
        content["protocol"] = _as_given(self.protocol)
        content["data"] = {"source": type(self.data).__name__, **content["data"]}
        if self.group_rule != "fixed":
            del content["n_random_groups"]
        return {"kind": "real", "version": VERSION, **content}


Spec = Fig2dSpec | WhenSpec | RealSpec


def started(store: Store, id: str) -> Spec | None:
    """The sweep with this id, if it was started where the store is."""
    for content in store.specs(id):
        try:
            spec = from_dict(content)
        except (ValueError, TypeError, KeyError):
            continue
        if spec.id == id:
            return spec
    return None


def from_dict(content: dict[str, Any]) -> Spec:
    """The spec that `as_dict` wrote; a sentence if it is not one of this version."""
    content = dict(content)
    kinds = {"fig2d": Fig2dSpec, "when": WhenSpec, "real": RealSpec}
    kind = kinds.get(content.pop("kind", None))
    if kind is None or content.pop("version", None) != VERSION:
        raise ValueError("this sweep was made by another version and cannot be continued.")
    sources = {each.__name__: each for each in (BundledSpec, OpenMLSpec, MatSpec, UploadSpec)}
    values: dict[str, Any] = {}
    known = {each.name for each in fields(kind)}
    for name, value in content.items():
        if name not in known:
            raise ValueError(f"a sweep has no setting {name!r}.")
        if name == "protocol":
            value = Protocol(**value)
        elif name == "data":
            value = dict(value)
            value = sources[value.pop("source")](**value)
        elif isinstance(value, list):
            value = tuple(value)
        values[name] = value
    return kind(**values)


def count_groups(rule: str, n_features: int, m: int, fixed: int) -> int:
    """How many random groups a rule gives for m true features (or training samples)."""
    if rule == "m/log m":
        count = round(m / np.log(m)) if m > 2 else 1
    elif rule == "exact law":
        count = recommend_n_groups(n_features, min(m, (n_features + 1) // 2))
    else:
        count = m if rule == "as many as m" else fixed
    return int(min(max(count, 1), n_features))


# Seconds at m = 1008, n = 5040 by this protocol, relative to the SVM.
_METHOD_COST = MappingProxyType(
    {
        "svm": 1.0,
        "sparse_svm": 2.0,
        "kong": 3.0,
        "esvm": 0.8,
        "esvm_r": 0.8,
        "oracle": 0.02,
        "logistic_l1": 3.0,
    }
)


def _as_given(protocol: Protocol) -> dict[str, Any]:
    """Without what is as usual, so that an option added later leaves the ids of older sweeps."""
    content = asdict(protocol)
    for name, usual in (("strongest", 1.0), ("ties", "strongest")):
        if content[name] == usual:
            del content[name]
    return content


def _check_choice(value, name, choices) -> None:
    if value not in choices:
        raise ValueError(f"there is no {name} {value!r}; choose one of: {', '.join(choices)}.")


def _check_methods(methods, known) -> None:
    if not methods:
        raise ValueError("no method is chosen; choose at least one.")
    for method in methods:
        _check_choice(method, "method", known)
