"""The code of the home page."""

from __future__ import annotations


def snippet(zeta: float, seed: int = 0) -> str:
    """A script that prints what the home page says for this ζ."""
    return f"""\
import numpy as np

from solvers import Groups, prox_exclusive

groups = Groups.contiguous(96, 8)
loudness = 0.4 * 1.35 ** np.arange(8)
c = groups.spread(loudness) * np.random.default_rng({seed}).standard_normal(96)

# argmin over w of ½‖w − c‖² + ζ/2 ‖w‖_e²
exclusive = prox_exclusive(c, groups, zeta={zeta!r})
kept = np.count_nonzero(exclusive)

# the soft threshold that leaves as many nonzeros
magnitudes = np.sort(np.abs(c))[::-1]
threshold = magnitudes[kept] if kept < c.size else 0.0
lasso = np.sign(c) * np.maximum(np.abs(c) - threshold, 0.0)

# the group lasso: as many whole groups as fit into that number, at least one
norms = np.sqrt(groups.sum(c**2))
whole = max(1, kept // 12)
loudest = np.sort(norms)[::-1]
tau = loudest[whole] if whole < 8 else 0.0
group_lasso = groups.spread(np.maximum(1 - tau / norms, 0.0)) * c

for name, w in (("exclusive norm", exclusive), ("l1", lasso), ("group lasso", group_lasso)):
    empty = np.count_nonzero(groups.max(np.abs(w)) == 0)
    print(f"{{name}}: {{np.count_nonzero(w)}} weights, {{empty}} groups empty")
"""
