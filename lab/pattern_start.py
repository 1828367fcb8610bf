"""The paths that the norm patterns page opens with, solved beforehand.

Solving them takes seconds, so the first visitor of a server finds them beside this module; run the
module to make them again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lab import patterns

FILE = Path(__file__).with_name("pattern_start.npz")
SPEC = patterns.PatternSpec()


def paths_of(spec: patterns.PatternSpec) -> patterns.Paths:
    """The certified paths of a spec: those kept here, or else solved now."""
    return stored() if spec == SPEC else patterns.solve_paths(spec)


def stored() -> patterns.Paths:
    """The committed paths; what follows from their weights is computed as for any others."""
    with np.load(FILE) as columns:
        fits = {
            norm: patterns.Fits(*(columns[f"{norm}_{part}"] for part in ("lams", "coefs", "gaps")))
            for norm in patterns.FITTED_AS
        }
    return patterns.measured_paths(SPEC, patterns.make_data(SPEC), fits)


if __name__ == "__main__":
    solved = patterns.solve_paths(SPEC)
    np.savez_compressed(
        FILE,
        **{
            f"{norm}_{part}": getattr(path, part)
            for norm, path in solved.by_norm.items()
            for part in ("lams", "coefs", "gaps")
        },
    )
