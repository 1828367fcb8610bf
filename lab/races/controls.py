"""Where people begin, and a race as the values of a page's controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from lab.races.panels import PANELS
from lab.races.specs import METHODS, PROBLEMS, RaceSpec, refused_by

# Who is faster is not told from one draw.
REPEATS = 3

# Small enough to be raced while a page opens, with a λ at which all four arrive.
QUICK = RaceSpec(lam=100.0, repeats=REPEATS)


def _in_order(spec: RaceSpec) -> RaceSpec:
    """The race with its lanes in the order of their switches."""
    return replace(spec, methods=tuple(k for k in METHODS[spec.problem] if k in spec.methods))


PAPER = MappingProxyType(
    {
        "Paper Fig. 2(a)": _in_order(PANELS["2a"].spec),
        "Paper Fig. 2(b)": _in_order(PANELS["2b"].spec),
        "Fig. 2(c), overlapped as captioned": _in_order(PANELS["2c_overlapped_1_10"].spec),
        "Fig. 2(c), disjoint as generated": _in_order(PANELS["2c_disjoint_1_10"].spec),
    }
)
# What a preset's button says more of where one points at it.
PRESET_WORDS: Mapping[str, str] = MappingProxyType({})
PRESELECTED = frozenset({"newton", "locp", "pcp", "kong", "dual_u", "licp", "admm"})
CONTESTANTS = tuple(dict.fromkeys(key for methods in METHODS.values() for key in methods))

# Texts, so that a typed address means the same as the control's own.
LAMS = ("paper", "0.001", "0.01", "0.1", "1", "3", "10", "30", "100", "300", "1000")
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


def spec_of(controls: Mapping) -> RaceSpec:
    """The race that some controls describe; methods that refuse the problem are left out."""
    problem = problem_called(controls["problem"])
    extras = {"lasso": 0, "overlapped": controls["overlap"]}.get(problem, controls["extras"])
    spec = RaceSpec(
        problem=problem,
        n_samples=int(controls["samples"]),
        n_features=int(controls["features"]),
        n_groups=int(controls["groups"]),
        extras=int(extras),
        rho=float(controls["rho"]),
        lam=None if controls["lam"] == "paper" else float(controls["lam"]),
        alpha=float(controls["alpha"]),
        beta=float(controls["beta"]),
        seed=int(controls["seed"]),
        methods=tuple(key for key in METHODS[problem] if controls[f"m_{key}"]),
        tol=float(controls["tol"]),
        budget=float(controls["budget"]),
        repeats=int(controls["repeats"]),
    )
    refused = refused_by(spec)
    return replace(spec, methods=tuple(key for key in spec.methods if key not in refused))


def problem_called(label: str) -> str:
    """The key of a problem from its label, which is what controls and addresses carry."""
    return next(key for key, name in PROBLEMS.items() if name == label)


def default_controls() -> dict[str, str | int | float | bool]:
    """The quick race, with each problem's preselected methods: four of them at most."""
    return {**controls_of(QUICK), **{f"m_{key}": key in PRESELECTED for key in CONTESTANTS}}


def presets() -> dict[str, dict]:
    """The changes that the paper's races make to the default controls."""
    return {label: controls_of(spec) for label, spec in PAPER.items()}
