"""The code of the norm patterns page: one script for each of its tabs."""

from __future__ import annotations

from collections.abc import Mapping

from lab.balls import GROUPINGS
from lab.datasets import TwinsSpec
from lab.patterns import FITTED_AS, TEST_SAMPLES, PatternSpec


def figure_one(spec: PatternSpec, shares: Mapping[str, float]) -> str:
    """A script that prints the numbers of the four panels; `shares` are the λ the view shows."""
    by_key = {FITTED_AS[norm]: share for norm, share in shares.items()}
    return f"""\
import numpy as np

from lab.datasets import CorrelatedSpec
{_groups_import(spec)}from solvers.baselines import NORMS, fit_norm, largest_useful_lam

{_data(spec)}
# λ of each norm as a share of its own scale
shares = {_dictionary(by_key)}

true = w_true != 0
for key, share in shares.items():
    scale = largest_useful_lam(key, X, y, groups) / (100 if key in ("ridge", "exclusive") else 1)
    fit = fit_norm(key, X, y, groups, share * scale)
    kept = np.abs(fit.w) > 1e-6 * np.abs(fit.w).max()
    empty = np.count_nonzero(groups.max(kept.astype(float)) == 0)
    f1 = 2 * np.count_nonzero(kept & true) / (kept.sum() + true.sum())
    error = np.sum((X_test @ fit.w - y_test) ** 2) / np.sum(y_test**2)
    print(
        f"{{NORMS[key].label}}: {{kept.sum()}} weights, {{empty}} groups empty, F1 {{f1:.3f}}, "
        f"test error {{error:.3f}}, certified gap {{fit.gap:.0e}}"
    )
"""


def path(spec: PatternSpec, norm: str, low: float, high: float) -> str:
    """A script that prints one norm's path between two shares of its scale."""
    if norm == "le":
        fits = """\
path = lasso_path(X, y, groups, lams)
coefs, gaps = path.coefs, path.gaps"""
        imports = """\
from solvers import Groups, lasso_path
from solvers.baselines import largest_useful_lam"""
        if not spec.overlap:
            imports = imports.replace("Groups, ", "")
    else:
        fits = f"""\
coefs, gaps, w = [], [], None
for lam in lams:
    fit = fit_norm({FITTED_AS[norm]!r}, X, y, groups, lam, w0=w)
    w = fit.w
    coefs.append(w)
    gaps.append(fit.gap)"""
        imports = (
            f"{_groups_import(spec)}from solvers.baselines import fit_norm, largest_useful_lam"
        )
    hundred = " / 100" if norm in ("l2", "le") else ""
    return f"""\
import numpy as np

from lab.datasets import CorrelatedSpec
{imports}

{_data(spec)}
shares = np.geomspace({high!r}, {low!r}, 25)
lams = shares * largest_useful_lam({FITTED_AS[norm]!r}, X, y, groups){hundred}
{fits}

for share, w, gap in zip(shares, coefs, gaps):
    kept = np.count_nonzero(np.abs(w) > 1e-6 * np.abs(w).max())
    print(f"{{share:.3g}}: {{kept}} weights, largest {{np.abs(w).max():.4f}}, gap {{gap:.0e}}")
"""


def twins(spec: TwinsSpec, share: float) -> str:
    """A script that prints what each norm makes of the twins."""
    return f"""\
from lab.datasets import TwinsSpec
from solvers.baselines import NORMS, fit_norm, largest_useful_lam

spec = {spec!r}
data = spec.make()
busy, quiet = spec.twins

for key, norm in NORMS.items():
    scale = largest_useful_lam(key, data.X, data.y, data.groups)
    scale /= 100 if key in ("ridge", "exclusive") else 1
    fit = fit_norm(key, data.X, data.y, data.groups, {share!r} * scale)
    print(f"{{norm.label}}: busy twin {{fit.w[busy]:.3f}}, quiet twin {{fit.w[quiet]:.3f}}")
"""


def balls(grouping: str) -> str:
    """A script that prints points of the four unit balls."""
    groups = [list(group) for group in GROUPINGS[grouping]]
    overlapping = sum(map(len, groups)) > 3
    if overlapping:
        group_import, group_ball = (
            "l1_norm, l2_norm",
            """\
def latent_norm(w):
    # the least Σ‖v_g‖ over v_{1,2} + v_{2,3} = w
    return np.hypot(abs(w[0]) + abs(w[2]), w[1])""",
        )
        call = "latent_norm"
    else:
        group_import, group_ball, call = (
            "group_norm, l1_norm, l2_norm",
            "",
            "lambda w: group_norm(w, groups)",
        )
    return f"""\
import numpy as np

from solvers import Groups, exclusive_norm
from solvers.norms import {group_import}

groups = Groups.from_lists({groups}, 3)

{group_ball}
norms = {{
    "l2": l2_norm,
    "l1": l1_norm,
    "l21": {call},
    "le": lambda w: exclusive_norm(w, groups),
}}
for direction in ([1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]):
    u = np.array(direction, dtype=float)
    # the ball's boundary in direction u is u/‖u‖
    radii = {{name: 1 / norm(u) for name, norm in norms.items()}}
    print(direction, *(f"{{name}} {{radius:.6f}}" for name, radius in radii.items()))
"""


def _groups_import(spec: PatternSpec) -> str:
    return "from solvers import Groups\n" if spec.overlap else ""


def _data(spec: PatternSpec) -> str:
    base = spec.base()
    lines = [
        f"N = {spec.n_samples}",
        "drawn = CorrelatedSpec(",
        f"    n_samples=N + {TEST_SAMPLES},",
        f"    n_features={base.n_features},",
        f"    n_groups={base.n_groups},",
        f"    nonzeros_per_group={base.nonzeros_per_group},",
        f"    rho={base.rho!r},",
        f"    grouping={base.grouping!r},",
        f"    snr={base.snr!r},".replace("inf", 'float("inf")'),
        f"    seed={base.seed},",
        ").make()",
        "w_true, y, groups = drawn.true_weights, drawn.y, drawn.groups",
    ]
    if spec.n_active < spec.n_groups:
        lines += [
            "",
            f"# true features in {spec.n_active} groups only; the noise shrinks with the signal",
            f"chosen = np.random.default_rng({spec.seed}).permutation({spec.n_groups})"
            f"[:{spec.n_active}]",
            "fewer = np.where(np.isin(groups.labels, chosen), w_true, 0.0)",
            "before, after = drawn.X @ w_true, drawn.X @ fewer",
            "y, w_true = after + (y - before) * (np.std(after) / np.std(before)), fewer",
        ]
    if spec.overlap:
        lines += [
            "",
            f"# each group also holds the first {spec.overlap} features of the next one",
            "lists = groups.lists()",
            "following = [*lists[1:], lists[0]]",
            "groups = Groups.from_lists(",
            f"    [own + more[:{spec.overlap}] for own, more in zip(lists, following)], "
            f"{spec.n_features}",
            ")",
        ]
    lines += ["X, X_test, y, y_test = drawn.X[:N], drawn.X[N:], y[:N], y[N:]", ""]
    return "\n".join(lines)


def _dictionary(values: Mapping[str, float]) -> str:
    entries = "".join(f"    {key!r}: {value!r},\n" for key, value in values.items())
    return "{\n" + entries + "}"
