"""What the norm patterns page opens with, solved beforehand: one draw's paths, and 20 draws.

Solving takes seconds, so the first visitor of a server finds it beside this module; run the module
to make the files again.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from lab.data.datasets import TwinsSpec
from lab.norms import draws, paths, twins
from lab.norms.spec import PatternSpec, make_data

PATHS_FILE = Path(__file__).with_name("start.npz")
TWINS_FILE = Path(__file__).with_name("start_twins.json")
DRAWS_FILE = Path(__file__).with_name("start_draws.npz")

# The first seed whose draw shows what most draws show: see `typical_seed`.
SPEC = PatternSpec(seed=9)


def paths_of(spec: PatternSpec) -> paths.Paths:
    """The certified paths of a spec: those kept here, or else solved now."""
    return stored_paths() if spec == SPEC else paths.solve_paths(spec)


def stored_paths() -> paths.Paths:
    """The committed paths; what follows from their weights is computed as for any others."""
    with np.load(PATHS_FILE) as columns:
        fits = {
            norm: paths.Fits(*(columns[f"{norm}_{part}"] for part in ("lams", "coefs", "gaps")))
            for norm in paths.FITTED_AS
        }
    return paths.measured_paths(SPEC, make_data(SPEC), fits)


def is_kept(spec: PatternSpec) -> bool:
    """Whether the committed draws are of this spec, whatever its seed."""
    return draws.any_seed(spec) == draws.any_seed(SPEC)


def stored_draws() -> draws.Draws:
    with np.load(DRAWS_FILE) as columns:
        found = {name: columns[name] for name in (*draws.COLUMNS, *draws.BEST)}
    return draws.Draws(draws.any_seed(SPEC), **found)


def stored_claims(spec: TwinsSpec, share: str, vary: str) -> list | None:
    """The committed tallies of the twins' claims, where they are of this spec."""
    kept = twins.without(twins.without(spec, "seed"), vary) == TwinsSpec()
    if not kept or share != twins.DEFAULT_SHARE:
        return None
    return json.loads(TWINS_FILE.read_text(encoding="utf-8"))[vary]


def typical_seed(found: draws.Draws) -> int:
    """The first draw that agrees with most: in who does best, in what is seen, in empty groups."""
    leaders = [
        np.argmax(found.best_f1, axis=1) == np.argmax(found.best_f1.mean(axis=0)),
        np.argmin(found.best_error, axis=1) == np.argmin(found.best_error.mean(axis=0)),
    ]
    seen = found.at("seen", paths.DEFAULT_SHARE, True)
    empty = found.at("empty", paths.DEFAULT_SHARE, True)
    usual = [
        *(held == (held.mean() > 0.5) for held in seen.values()),
        *(counts == np.median(counts) for counts in empty.values()),
    ]
    return draws.SEEDS[int(np.flatnonzero(np.all([*leaders, *usual], axis=0))[0])]


if __name__ == "__main__":
    solved = paths.solve_paths(SPEC)
    np.savez_compressed(
        PATHS_FILE,
        **{
            f"{norm}_{part}": getattr(path, part)
            for norm, path in solved.by_norm.items()
            for part in ("lams", "coefs", "gaps")
        },
    )
    many = draws.solve_draws(SPEC)
    np.savez_compressed(
        DRAWS_FILE, **{name: getattr(many, name) for name in (*draws.COLUMNS, *draws.BEST)}
    )
    tallies = {
        vary: twins.claims_over_draws(TwinsSpec(), float(twins.DEFAULT_SHARE), vary, values)
        for vary, values in twins.AXES.items()
    }
    TWINS_FILE.write_text(json.dumps(tallies, indent=1) + "\n", encoding="utf-8")
    print(f"the first typical seed is {typical_seed(many)}; the page opens with {SPEC.seed}")
