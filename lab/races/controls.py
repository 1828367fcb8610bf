"""Where people begin, and a race as the values of a page's controls."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from lab.data.bundled_problems import SHAPES
from lab.data.datasets import Dataset
from lab.data.peers import LAM
from lab.races.panels import PANELS
from lab.races.specs import METHODS, PROBLEMS, SOURCES, RaceSpec, refused_by
from solvers.scales import lambda_0

# Who is faster is not told from one draw.
REPEATS = 3

# Small enough to be raced while a page opens, with a λ at which all four arrive.
QUICK = RaceSpec(lam=100.0, repeats=REPEATS)


def _in_order(spec: RaceSpec) -> RaceSpec:
    """The race with its lanes in the order of their switches."""
    return replace(spec, methods=tuple(k for k in METHODS[spec.problem] if k in spec.methods))


_PEERS = RaceSpec(
    n_samples=200,
    n_features=2000,
    n_groups=20,
    lam=LAM,
    methods=("newton", "active_set", "pcp", "locp", "kong"),
    budget=3.0,
    repeats=REPEATS,
    source="peers",
)
# Problems from elsewhere: those of PPDNA's authors, and a real set.
ELSEWHERE = MappingProxyType(
    {
        "Correlated, 2,000 features": _PEERS,
        "Correlated, 10,000 features": replace(_PEERS, n_features=10_000),
        "Correlated, logistic": replace(
            _PEERS,
            problem="logistic",
            n_features=4000,
            methods=("newton", "active_set", "pcp", "locp"),
        ),
        "Digits": RaceSpec(
            problem="svm",
            n_samples=SHAPES["digits"][0],
            n_features=SHAPES["digits"][1],
            n_groups=16,
            methods=("newton", "dual_u", "licp", "admm"),
            tol=1e-4,
            budget=3.0,
            repeats=REPEATS,
            source="digits",
        ),
    }
)

PAPER = MappingProxyType(
    {
        "Paper Fig. 2(a)": _in_order(PANELS["2a"].spec),
        "Paper Fig. 2(b)": _in_order(PANELS["2b"].spec),
        "Fig. 2(c), overlapped as captioned": _in_order(PANELS["2c_overlapped_1_10"].spec),
        "Fig. 2(c), disjoint as generated": _in_order(PANELS["2c_disjoint_1_10"].spec),
    }
)
# What a preset's button says more of where one points at it.
PRESET_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "Quick E-LASSO": "A small race, run here and now.",
        **dict.fromkeys(
            PAPER, "Replays the benchmark's race of these settings; Start races it here and now."
        ),
        **dict.fromkeys(
            ("Correlated, 2,000 features", "Correlated, 10,000 features", "Correlated, logistic"),
            "A problem of PPDNA's authors, strongly correlated inside groups: run here and now.",
        ),
        "Digits": "E-SVM on handwritten digits, 0–4 against 5–9, in 16 random groups.",
    }
)
PRESELECTED = frozenset({"newton", "locp", "pcp", "kong", "dual_u", "licp", "admm"})
LANES = tuple(dict.fromkeys(key for methods in METHODS.values() for key in methods))

# Texts, so that a typed address means the same as the control's own.
LAMS = ("paper", "0.001", "0.01", "0.1", "0.2", "1", "3", "10", "30", "100", "300", "1000")
STRENGTHS = ("0.01", "0.1", "1", "10", "100")
CORRELATIONS = ("0", "0.3", "0.5", "0.7", "0.9", "0.99")
TOLERANCES = ("1e-2", "1e-4", "1e-6", "1e-8")


def controls_of(spec: RaceSpec) -> dict[str, str | int | float | bool]:
    """A spec as the values of named controls, the inverse of `spec_of`.

    The switches of other problems' methods are left alone.
    """
    overlapped = spec.problem == "overlapped"
    return {
        "problem": PROBLEMS[spec.problem],
        "data": SOURCES[spec.source],
        "samples": spec.n_samples,
        "features": spec.n_features,
        "groups": spec.n_groups,
        "lam": "paper" if spec.lam is None else f"{spec.lam:g}",
        "alpha": f"{spec.alpha:g}",
        "beta": f"{spec.beta:g}",
        "overlap": spec.extras if overlapped else 20,
        "extras": 0 if overlapped else spec.extras,
        "rho": f"{spec.rho:g}",
        "seed": spec.seed,
        "tol": next(text for text in TOLERANCES if float(text) == spec.tol),
        "budget": spec.budget,
        "repeats": spec.repeats,
        **{f"m_{key}": key in spec.methods for key in METHODS[spec.problem]},
    }


def spec_of(controls: Mapping, table: Dataset | None = None) -> RaceSpec:
    """The race that some controls describe; methods that refuse the problem are left out.

    `table` is the visitor's own, if one was sent here; real data have their own shape.
    """
    problem, source = problem_called(controls["problem"]), source_called(controls["data"])
    if source == "own" and table is None:
        source = "paper"
    extras = {"lasso": 0, "overlapped": controls["overlap"]}.get(problem, controls["extras"])
    shape, n_groups = (int(controls["samples"]), int(controls["features"])), int(controls["groups"])
    if source == "own":
        shape, n_groups = table.X.shape, table.groups.n_groups
    # What the problem does not have must not tell one race of it from another.
    strengths = {"lam": None if controls["lam"] == "paper" else float(controls["lam"])}
    if problem == "svm":
        strengths = {name: float(controls[name]) for name in ("alpha", "beta")}
    spec = RaceSpec(
        problem=problem,
        n_samples=SHAPES.get(source, shape)[0],
        n_features=SHAPES.get(source, shape)[1],
        n_groups=n_groups,
        extras=int(extras),
        rho=float(controls["rho"]),
        **strengths,
        seed=int(controls["seed"]),
        methods=tuple(key for key in METHODS[problem] if controls[f"m_{key}"]),
        tol=float(controls["tol"]),
        budget=float(controls["budget"]),
        repeats=int(controls["repeats"]),
        source=source,
        table=digest(table) if source == "own" else "",
        overlapping=source == "own" and table.groups.overlapping,
    )
    if source != "paper":
        spec = replace(spec, rho=0.0, extras=spec.extras if problem == "overlapped" else 0)
    refused = refused_by(spec)
    return replace(spec, methods=tuple(key for key in spec.methods if key not in refused))


def controls_for(table: Dataset) -> dict[str, str]:
    """A visitor's table set up: E-SVM on classes, E-LASSO on numbers, with a usual λ."""
    if table.task == "classification":
        return {"data": SOURCES["own"], "problem": PROBLEMS["svm"]}
    wanted = 0.1 * lambda_0(table.X, table.y, table.groups)
    nearest = min(LAMS[1:], key=lambda text: abs(np.log(float(text) / max(wanted, 1e-300))))
    return {"data": SOURCES["own"], "problem": PROBLEMS["lasso"], "lam": nearest}


def digest(table: Dataset) -> str:
    """What tells one table from another."""
    groups = table.groups
    parts = (table.X, table.y, groups.indptr, groups.indices)
    sums = hashlib.sha256()
    for part in parts:
        sums.update(np.ascontiguousarray(part).tobytes())
    return sums.hexdigest()[:12]


def source_called(label: str) -> str:
    return next(key for key, name in SOURCES.items() if name == label)


def problem_called(label: str) -> str:
    """The key of a problem from its label, which is what controls and addresses carry."""
    return next(key for key, name in PROBLEMS.items() if name == label)


def default_controls() -> dict[str, str | int | float | bool]:
    """The quick race, with each problem's preselected methods: four of them at most."""
    return {**controls_of(QUICK), **{f"m_{key}": key in PRESELECTED for key in LANES}}


def presets() -> dict[str, dict]:
    """The changes that races of the paper and from elsewhere make to the default controls."""
    return {label: controls_of(spec) for label, spec in {**PAPER, **ELSEWHERE}.items()}
