"""The code of the norm patterns page: one script for each of its tabs."""

from __future__ import annotations

from collections.abc import Mapping

from lab.data.datasets import TwinsSpec
from lab.norms.balls import GROUPINGS
from lab.norms.paths import FITTED_AS, TOLERANCE
from lab.norms.spec import TEST_SAMPLES, PatternSpec
from lab.norms.touch import PAIRS, Touch, hessian


def figure_one(spec: PatternSpec, shares: Mapping[str, float]) -> str:
    """A script that prints the numbers of the four panels; `shares` are the λ the view shows."""
    by_key = {FITTED_AS[norm]: share for norm, share in shares.items()}
    return f"""\
{_imports(spec, "NORMS, ")}

{_data(spec)}
{SOLVED_AS_THE_PAGE}
# λ of each norm as a share of its own scale
shown = {_dictionary(by_key)}

true = w_true != 0
for key, share in shown.items():
    _, coefs, gaps = path(key, share)
    w = coefs[0]
    kept = np.abs(w) > 1e-6 * np.abs(w).max()
    w = np.where(kept, w, 0.0)
    empty = np.count_nonzero(groups.max(kept.astype(float)) == 0)
    f1 = 2 * np.count_nonzero(kept & true) / (kept.sum() + true.sum())
    error = np.sum((X_test @ w - y_test) ** 2) / np.sum(y_test**2)
    print(
        f"{{NORMS[key].label}}: {{kept.sum()}} weights, {{empty}} groups empty, F1 {{f1:.4f}}, "
        f"test error {{percent(error, 0)}}, certified gap {{gaps[0]:.0e}}"
    )
"""


def path(spec: PatternSpec, norm: str) -> str:
    """A script that prints one norm's path, on the page's own grid of λ and as the page solves."""
    return _numbers(spec, repr(FITTED_AS[norm]) + ",")


def numbers(spec: PatternSpec) -> str:
    """A script that prints the numbers of all four paths."""
    return _numbers(spec, ", ".join(map(repr, FITTED_AS.values())))


def _numbers(spec: PatternSpec, keys: str) -> str:
    return f"""\
{_imports(spec, "NORMS, ")}

{_data(spec)}
{SOLVED_AS_THE_PAGE}
true = w_true != 0
for key in ({keys}):
    print(NORMS[key].label)
    for share, w, gap in zip(*path(key)):
        kept = np.abs(w) > 1e-6 * np.abs(w).max()
        w = np.where(kept, w, 0.0)
        f1 = 2 * np.count_nonzero(kept & true) / (kept.sum() + true.sum())
        error = np.sum((X_test @ w - y_test) ** 2) / np.sum(y_test**2)
        print(
            f"{{share:.2g}}: {{kept.sum()}} weights, F1 {{f1:.4f}}, "
            f"test error {{percent(error, 0)}}, gap {{gap:.0e}}"
        )
"""


# As `lab.norms.paths` does it, λ for λ, so that the last digit is the page's too.
SOLVED_AS_THE_PAGE = f"""
def path(key, weakest=0.0):
    # the page's grid of λ, as shares of the norm's own scale
    stops = np.array([float(f"{{10 ** (1 - k / 8):.2g}}") for k in range(24, -1, -1)])
    between = [np.sqrt(stops[1:] * stops[:-1])]
    if key == "group":
        between.append(np.geomspace(0.35, 0.99, 24))
    shares = np.unique(np.concatenate([stops, *between]))
    shares = shares[shares >= weakest]
    scale = largest_useful_lam(key, X, y, groups) / (100.0 if key in ("ridge", "exclusive") else 1)
    lams = scale * shares
    if key == "exclusive":
        found = lasso_path(X, y, groups, lams, tol={TOLERANCE!r})
        return shares, found.coefs, found.gaps
    # from the strongest λ down, each fit starting the next
    fits, w = [], None
    for lam in lams[::-1]:
        fits.append(fit_norm(key, X, y, groups, lam, tol={TOLERANCE!r}, w0=w))
        w = fits[-1].w
    return shares, [fit.w for fit in fits[::-1]], [fit.gap for fit in fits[::-1]]

"""


def _imports(spec: PatternSpec, names: str = "") -> str:
    return f"""\
import numpy as np

from lab.data.datasets import CorrelatedSpec
from lab.words import percent
from solvers import {"Groups, " if spec.overlap else ""}lasso_path
from solvers.comparisons import {names}fit_norm, largest_useful_lam"""


def touching(
    grouping: str,
    pair: str,
    tilt: float,
    c: tuple[float, ...],
    found: Mapping[str, Touch],
) -> str:
    """A script that prints where the loss touches each ball: fits at the page's multipliers."""
    places = PAIRS[pair]
    here = {feature: k for k, feature in enumerate(places)}
    groups = [[here[i] for i in group if i in here] for group in GROUPINGS[grouping]]
    lists = [group for group in groups if group]
    multipliers = {FITTED_AS[norm]: at.lam for norm, at in found.items()}
    return f"""\
import numpy as np

from solvers import Groups
from solvers.comparisons import NORMS, fit_norm

# ½(w − c)ᵀH(w − c) = ½‖Xw − y‖² for HalfᵀHalf = H, X = Half, y = Half c
H = np.array({hessian(tilt).tolist()!r})
c = np.array({list(c)!r})
X = np.linalg.cholesky(H).T
groups = Groups.from_lists({lists!r}, 2)

# the penalty's weight at which the fit has norm 1; 0 where the optimum is in the ball
multipliers = {_dictionary(multipliers)}

for key, lam in multipliers.items():
    w = c if lam == 0 else fit_norm(key, X, X @ c, groups, lam, tol=1e-12).w
    w = np.where(np.abs(w) > 1e-6 * np.abs(w).max(), w, 0.0)
    print(f"{{NORMS[key].label}}: ({{w[0]:.2f}}, {{w[1]:.2f}}), {{np.sum(w == 0)}} exactly 0")
"""


def twins(spec: TwinsSpec, share: float) -> str:
    """A script that prints what each norm makes of the twins."""
    return f"""\
import numpy as np

from lab.data.datasets import TwinsSpec
from solvers.comparisons import NORMS, fit_norm, largest_useful_lam

spec = {spec!r}
data = spec.make()
busy, quiet = spec.twins

for key, norm in NORMS.items():
    scale = largest_useful_lam(key, data.X, data.y, data.groups)
    scale /= 100 if key in ("ridge", "exclusive") else 1
    w = fit_norm(key, data.X, data.y, data.groups, {share!r} * scale, tol={TOLERANCE!r}).w
    w = np.where(np.abs(w) > 1e-6 * np.abs(w).max(), w, 0.0)
    total = abs(w[busy]) + abs(w[quiet])
    part = f"{{100 * abs(w[quiet]) / total:.0f}} % to the quiet one" if total else "both dropped"
    print(f"{{norm.label}}: busy twin {{w[busy]:.2f}}, quiet twin {{w[quiet]:.2f}}, {{part}}")
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
