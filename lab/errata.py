"""Where the paper is misprinted or silent: each with a small demonstration that is computed live.

Every demonstration sets what the printed line gives beside what the corrected one gives, on an
example small enough to be computed while the reader waits, and says in one sentence what it shows.
All are pure: the same call gives the same numbers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from lab import cones, rates
from lab.datasets import BundledSpec, ELassoSpec, ESVMSpec, load
from solvers import (
    Groups,
    dual_exclusive_norm,
    exclusive_norm,
    grouping,
    project_l1_cone,
    prox_exclusive,
    solve_lasso,
)
from solvers.problems import LassoProblem


@dataclass(frozen=True)
class Curves:
    """Lines for a log–log picture: one x, and y by name. The name says how it is drawn."""

    x: np.ndarray
    lines: Mapping[str, np.ndarray]
    x_title: str
    y_title: str


@dataclass(frozen=True, eq=False)
class Demonstration:
    """What was computed: one sentence, a table by columns, and curves where they tell more.

    `differs` says whether printed and corrected disagree, so that a test can insist on it.
    """

    finding: str
    table: Mapping[str, list[str]]
    differs: bool
    curves: Curves | None = None


@dataclass(frozen=True)
class Erratum:
    """One place of the paper: what stands there, what should, and the proof by example."""

    key: str
    title: str
    where: str
    printed: str
    right: str
    demonstrate: Callable[[], Demonstration] = field(repr=False)
    page: str = ""
    controls: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


# -- the algorithms ------------------------------------------------------------------------------


def momentum() -> Demonstration:
    printed, corrected = rates.lasso_curve("locp", True), rates.lasso_curve("locp", False)
    t_printed = t_corrected = 1.0
    last = corrected.iterations[-1]
    for _ in range(last):
        t_printed = rates.printed_momentum(t_printed)
        t_corrected = rates.corrected_momentum(t_corrected)
    ratio = printed.errors[-1] / corrected.errors[-1]
    shown = [k for k in (10, 100, last) if k <= last]
    return Demonstration(
        f"After {last:,} iterations of LOCP the printed rule is {ratio:.0f} times further from the "
        f"optimum: its t stops at {t_printed:.3f}, the corrected one is at {t_corrected:.0f}.",
        {
            "iteration": [f"{k:,}" for k in shown],
            "suboptimality as printed": [f"{printed.errors[k - 1]:.1e}" for k in shown],
            "suboptimality corrected": [f"{corrected.errors[k - 1]:.1e}" for k in shown],
            "theorem's bound": [f"{corrected.bound[k - 1]:.1e}" for k in shown],
        },
        printed.share_of_bound > 1.0 >= corrected.share_of_bound,
        Curves(
            corrected.iterations,
            {
                "as printed": printed.errors,
                "corrected": corrected.errors,
                "theorem's bound": corrected.bound,
            },
            "iteration",
            "objective above its minimum",
        ),
    )


def l1_origin() -> Demonstration:
    return _projection("ℓ1", (1.0, 0.5), -3.0)


def linf_formula() -> Demonstration:
    return _projection("ℓ∞", (3.0, 1.0), 1.0)


def linf_negative() -> Demonstration:
    return _projection("ℓ∞", (1.0, 0.5), -3.0)


def _projection(cone, a, b, zeta=1.0) -> Demonstration:
    search, right = cones.printed_search(cone, a, b, zeta), cones.project(cone, a, b, zeta)
    printed = search.result
    return Demonstration(
        " ".join(cones.verdict(search, right)) or "Printed and corrected agree here.",
        {
            "": ["as printed", "corrected"],
            "x": [cones.vector_text(printed.x), cones.vector_text(right.x)],
            "y": [cones.shown(printed.y), cones.shown(right.y)],
            "in the cone": [_yes(p.conditions["in the cone"][1]) for p in (printed, right)],
            "is the projection": [_yes(p.is_projection) for p in (printed, right)],
        },
        right.is_projection and not printed.is_projection,
    )


def windows() -> Demonstration:
    """Points of one decimal, where candidates fall on the edge of a window and rounding decides."""
    values = [k / 10 for k in range(-5, 6)]
    rows = {"algorithm": [], "points tried": [], "wrong as printed": [], "wrong corrected": []}
    total_missed = total_wrong = tried = 0
    for cone in cones.CONES:
        missed = wrong = tried = 0
        for a in itertools.combinations_with_replacement(values, 2):
            # At b ≥ 0 neither algorithm has its other faults, but for x in Algorithm 3.
            for b in (value for value in values if value >= 0.0):
                tried += 1
                search = cones.printed_search(cone, a, b, 1.0)
                missed += search.missed_by_rounding is not None
                wrong += not cones.project(cone, a, b, 1.0).is_projection
        rows["algorithm"].append(cones.ALGORITHMS[cone])
        rows["points tried"].append(f"{tried:,}")
        rows["wrong as printed"].append(f"{missed} ({missed / tried:.1%})")
        rows["wrong corrected"].append(f"{wrong}")
        total_missed, total_wrong = total_missed + missed, total_wrong + wrong
    return Demonstration(
        f"Of {2 * tried:,} points with one decimal, {total_missed} fall between two windows by "
        f"rounding alone and get a wrong answer; taking the largest candidate, as we do, gets "
        f"{total_wrong} wrong.",
        rows,
        total_missed > 0 and total_wrong == 0,
    )


def zeta_sign() -> Demonstration:
    a, b = (1.0, 0.5), 0.2
    rows = {"ζ": [], "Algorithm 2 as printed": [], "ours": []}
    refused = 0
    for zeta in (1.0, 0.0, -1.0):
        try:
            printed = cones.printed_search("ℓ1", a, b, zeta).result
            text = f"x = {cones.vector_text(printed.x)}, y = {cones.shown(printed.y)}"
        except ZeroDivisionError:
            text = "division by zero"
        try:
            x, y = project_l1_cone(a, b, zeta)
            ours = f"x = {cones.vector_text(x)}, y = {cones.shown(y)}"
        except ValueError as error:
            ours, refused = str(error), refused + 1
        rows["ζ"].append(f"{zeta:g}")
        rows["Algorithm 2 as printed"].append(text)
        rows["ours"].append(ours)
    return Demonstration(
        f"For ζ < 0 the problem is not convex and for ζ = 0 y is free; {refused} of 3 values of ζ "
        "are refused with a reason.",
        rows,
        refused == 2,
    )


# -- the formulations ----------------------------------------------------------------------------


def factor_two() -> Demonstration:
    """Groups of one make the penalty a ridge, which has a closed form to compare with."""
    rng = np.random.default_rng(1)
    X, y, lam = rng.standard_normal((30, 8)), rng.standard_normal(30), 3.0
    w = solve_lasso(X, y, Groups.contiguous(8, 8), lam, tol=1e-12).w

    def ridge(strength):
        return np.linalg.solve(X.T @ X + strength * np.eye(8), X.T @ y)

    half, whole = ridge(lam), ridge(2.0 * lam)
    sizes = [float(np.linalg.norm(v)) for v in (half, whole, w)]
    errors = [float(np.abs(w - v).max()) for v in (half, whole)]
    return Demonstration(
        f"With λ = {lam:g} the two conventions differ by {errors[1]:.2g} in a weight; ours is λ/2 "
        f"throughout (largest error {errors[0]:.0e}), and a paper preset passes twice the paper's "
        "λ.",
        {
            "penalty": ["λ/2 ‖w‖² (Section 3.2, ours)", "λ ‖w‖² (Section 5.1)", "solve_lasso"],
            "‖w‖ at λ = 3": [f"{size:.4f}" for size in sizes],
        },
        errors[0] < 1e-5 < errors[1],
    )


def exponent() -> Demonstration:
    """Shrink one vector with both readings of the remark at q = 2."""
    groups = Groups.contiguous(12, 3)
    c = np.random.default_rng(2).standard_normal(12)
    zeta = 1.0
    printed = c / (1.0 + zeta)  # argmin ½‖w − c‖² + ζ/2 Σ_g ‖w_g‖₂²
    right = prox_exclusive(c, groups, zeta)
    counts = [int(np.count_nonzero(w)) for w in (printed, right)]
    pair = np.ones(2)
    return Demonstration(
        f"At q = 2 the printed sum is ‖w‖₂², a ridge: it keeps {counts[0]} of 12 weights, the "
        f"exclusive penalty {counts[1]}.",
        {
            "penalty at q = 2": ["Σ ‖w_g‖_q^q (printed)", "Σ ‖w_g‖₁^q (from w = w₊ − w₋)"],
            "value at w = (1, 1), one group": [
                f"{np.sum(pair**2):g}",
                f"{exclusive_norm(pair, Groups.contiguous(2, 1)) ** 2:g}",
            ],
            "weights kept of 12": [str(count) for count in counts],
        },
        counts[0] > counts[1],
    )


def licp_rate() -> Demonstration:
    curves = rates.licp_curves()
    k = curves.dual.iterations
    shown = [10, 100, int(k[-1])]
    shares = {
        "dual": curves.dual.share_of_bound,
        "last w": curves.last.share_of_bound,
        "averaged w̄": curves.averaged.share_of_bound,
    }
    return Demonstration(
        f"After {k[-1]:,} iterations LICP's dual is {curves.dual.errors[-1]:.0e} from its optimum "
        f"but the last w still {curves.last.errors[-1]:.1g}; the averaged w̄ is at "
        f"{curves.averaged.errors[-1]:.1g} and keeps the O(1/k²) bound (largest share "
        f"{shares['averaged w̄']:.2f} of it), which the last w exceeds {shares['last w']:.1f} "
        "times.",
        {
            "iteration": [f"{i:,}" for i in shown],
            "dual error": [f"{curves.dual.errors[i - 1]:.1e}" for i in shown],
            "gap of the last w": [f"{curves.last.errors[i - 1]:.1e}" for i in shown],
            "gap of the averaged w̄": [f"{curves.averaged.errors[i - 1]:.1e}" for i in shown],
        },
        shares["last w"] > 1.0 >= max(shares["dual"], shares["averaged w̄"]),
        Curves(
            k,
            {
                "last w": curves.last.errors,
                "averaged w̄": curves.averaged.errors,
                "dual": curves.dual.errors,
                "theorem's bound": curves.averaged.bound,
            },
            "iteration",
            "error, or gap to the dual value",
        ),
    )


def norm_prox() -> Demonstration:
    """argmin ½‖w − c‖² + φ‖w‖_e as the squared prox at the ζ with ζ‖w_ζ‖_e = φ."""
    groups = Groups.contiguous(60, 6)
    c = np.random.default_rng(3).standard_normal(60)
    phi_max = dual_exclusive_norm(c, groups)
    rows = {"φ / φ_max": [], "nonzeros": [], "squared proxes": [], "KKT residual": []}
    worst, most = 0.0, 0
    for share in (0.05, 0.5, 0.95, 1.0):
        w, evaluations = prox_of_norm(c, groups, share * phi_max)
        residual = norm_prox_residual(c, w, groups, share * phi_max)
        worst, most = max(worst, residual), max(most, evaluations)
        rows["φ / φ_max"].append(f"{share:g}")
        rows["nonzeros"].append(f"{np.count_nonzero(w)}")
        rows["squared proxes"].append(f"{evaluations}")
        rows["KKT residual"].append(f"{residual:.0e}")
    return Demonstration(
        f"At most {most} squared proxes find the prox of ‖·‖_e itself, with a KKT residual of "
        f"{worst:.0e}: one monotone root, no harder than the squared one.",
        rows,
        worst < 1e-9,
    )


def prox_of_norm(c, groups: Groups, phi: float) -> tuple[np.ndarray, int]:
    """argmin over w of ½‖w − c‖² + φ‖w‖_e (disjoint groups), and how many squared proxes it took

    ζ‖w_ζ‖_e grows with ζ, so ζ‖w_ζ‖_e = φ has one root; 0 from φ = max ‖c‖ in the dual norm on.
    Bisection in log ζ, to the last digit.
    """
    c = np.asarray(c, dtype=float)
    if phi >= dual_exclusive_norm(c, groups):
        return np.zeros_like(c), 0
    evaluations = 0

    def weighed(log_zeta):
        nonlocal evaluations
        evaluations += 1
        w = prox_exclusive(c, groups, math.exp(log_zeta))
        return math.exp(log_zeta) * exclusive_norm(w, groups), w

    # ‖w_ζ‖_e lies between 0 and ‖c‖_e, so the root is above φ/‖c‖_e.
    low = math.log(phi / exclusive_norm(c, groups))
    high = low + 1.0
    while weighed(high)[0] < phi:
        low, high = high, high + 2.0 * (high - low)
    while high - low > 4e-16 * max(1.0, abs(low)):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if weighed(middle)[0] < phi:
            low = middle
        else:
            high = middle
    return weighed(low)[1], evaluations


def norm_prox_residual(c, w, groups: Groups, phi: float) -> float:
    """How far c − w is from φ·∂‖w‖_e, relative: in the dual ball, and aligned with w."""
    rest = np.asarray(c) - w
    outside = max(dual_exclusive_norm(rest, groups) / phi - 1.0, 0.0)
    scale = phi * exclusive_norm(w, groups)
    misaligned = abs(float(rest @ w) - scale) / scale if scale else 0.0
    return max(outside, misaligned)


# -- random grouping -----------------------------------------------------------------------------


def proof_probability() -> Demonstration:
    n, s, m, t = 5040, 504, 81, 0.5
    eps = 0.1 * t
    printed, right = s / m * (1 - eps), s / n * (1 - eps)
    return Demonstration(
        f"For n = {n:,}, s = {s}, m = {m} the printed p = {printed:.2f} is no probability; "
        f"p = s/n·(1 − ε) = {right:.3f} is, and the proof goes through with it.",
        {
            "": ["as printed", "corrected"],
            "p": ["s/m·(1 − ε)", "s/n·(1 − ε)"],
            "value": [f"{printed:.3f}", f"{right:.3f}"],
            "a probability": [_yes(0 <= p <= 1) for p in (printed, right)],
        },
        printed > 1.0 > right,
    )


def available_constants(t: float) -> tuple[float, float, float]:
    """The constants that Bernstein's inequality gives in Theorem 3's proof at ε = t/10.

    In units of t²s/m (both tails of a group) and of t²s (the total); the paper uses .08, .2, .001.
    """
    eps = 0.1 * t
    gap = t - eps
    upper = gap**2 / (2 * (1 + eps) + 2 * gap / 3) / t**2
    lower = gap**2 / (2 * (1 - eps) + 2 * gap / 3) / t**2
    total = eps**2 / (2 * (1 + 4 * eps / 3)) / t**2
    return upper, lower, total


def proof_constants() -> Demonstration:
    ts = (0.01, 0.5, 0.99)
    rows = {"t": [f"{t:g}" for t in ts]}
    names = ("upper tail (paper .08)", "lower tail (paper .2)", "total (paper .001)")
    columns = list(zip(*(available_constants(t) for t in ts), strict=True))
    for name, values in zip(names, columns, strict=True):
        rows[name] = [f"{value:.4f}" for value in values]
    least = [min(values) for values in columns]
    eps = 0.05
    printed, right = 2 * (1 + 0.75 * eps), 2 * (1 + 4 * eps / 3)
    return Demonstration(
        f"Bernstein's inequality gives 1 + 4ε/3 where 1 + ¾ε is printed ({right:.3f} against "
        f"{printed:.3f} in the denominator at t = ½); the theorem survives, because at least "
        f"{least[0]:.3f}, {least[1]:.3f} and {least[2]:.4f} are available for the .08, .2 and .001 "
        "that it uses.",
        rows,
        least[0] >= 0.08 and least[1] >= 0.2 and least[2] >= 0.001 and right > printed,
    )


def condition_constant() -> Demonstration:
    m, t = 20, 0.5
    rows = {"C in s = C t⁻² m log m": [], "s": [], "theorem's bound": [], "exact P": []}
    bounds, exact = [], []
    for constant in (1.0, 5.0, 12.5, 20.0, 40.0):
        s = math.ceil(constant * m * math.log(m) / t**2)
        n = m * math.ceil(10 * s / m)
        bounds.append(grouping.theorem_bound(s, m, t))
        rows["C in s = C t⁻² m log m"].append(f"{constant:g}")
        rows["s"].append(f"{s:,}")
        rows["theorem's bound"].append(f"{bounds[-1]:.3f}" if bounds[-1] > 0 else "vacuous")
        exact.append(grouping.balance_probability(n, s, m, t))
        rows["exact P"].append(f"{exact[-1]:.4f}")
    return Demonstration(
        f"s ≥ O(·) hides the constant: with m = {m}, t = ½ the bound says nothing up to C = 12.5, "
        f"although the exact probability is {exact[1]:.4f} already at C = 5.",
        rows,
        bounds[0] <= 0 and bounds[2] <= 0 < bounds[-1],
    )


def rule_of_thumb() -> Demonstration:
    n, t = 5040, 0.5
    rows = {
        "s": [],
        "m = s/log s": [],
        "exact P at t = ½": [],
        "at t = .8": [],
        "most m, P ≥ .9": [],
    }
    values = []
    for s in (112, 504, 1008):
        m = round(s / math.log(s))
        values.append(grouping.balance_probability(n, s, m, t))
        rows["s"].append(f"{s:,}")
        rows["m = s/log s"].append(str(m))
        rows["exact P at t = ½"].append(f"{values[-1]:.2g}")
        rows["at t = .8"].append(f"{grouping.balance_probability(n, s, m, 0.8):.2g}")
        rows["most m, P ≥ .9"].append(str(grouping.recommend_n_groups(n, s, t, probability=0.9)))
    return Demonstration(
        f"With m = s/log s the grouping of s = 112 true features is balanced (t = ½) with "
        f"probability {values[0]:.2g}, of s = 1,008 with {values[-1]:.0e}.",
        rows,
        max(values) < 0.5,
    )


# -- the experiments -----------------------------------------------------------------------------


@lru_cache(maxsize=1)
def shared_noise() -> Demonstration:
    """A plain SVM on five small data sets with noise of either kind, beside the true model."""
    from solvers.baselines import make_classifier

    accuracy = {}
    for shared in (True, False):
        for seed in range(5):
            spec = ESVMSpec(n_features=504, n_groups=56, shared_noise=shared, seed=seed)
            data = load(spec)
            model = make_classifier("svm", alpha=1.0, fit_intercept=False).fit(data.X, data.y)
            test = data.test
            for name, right in (
                ("svm", model.predict(test.X) == test.y),
                ("oracle", np.sign(test.X @ data.true_weights) == test.y),
            ):
                accuracy.setdefault((name, shared), []).append(float(np.mean(right)))
    mean = {key: float(np.mean(values)) for key, values in accuracy.items()}
    pairs = load(ESVMSpec(n_features=504, n_groups=56, shared_noise=True))
    half = pairs.n_samples // 2
    spread = float(np.ptp(pairs.X[:half] - pairs.X[half:], axis=0).max())
    return Demonstration(
        f"With the printed shared X₀ a plain SVM reaches {mean['svm', True]:.3f} (the true model "
        f"{mean['oracle', True]:.3f}); with independent noise {mean['svm', False]:.3f} (against "
        f"{mean['oracle', False]:.3f}). All pairs of samples differ by the same vector 2d·w* "
        f"(up to {spread:.0e}), which gives the answer away.",
        {
            "noise": ["shared by the classes (printed)", "independent"],
            "SVM accuracy": [f"{mean['svm', shared]:.3f}" for shared in (True, False)],
            "true model": [f"{mean['oracle', shared]:.3f}" for shared in (True, False)],
        },
        mean["svm", True] > mean["svm", False] + 0.1,
    )


def tuned_distance() -> Demonstration:
    data = load(ESVMSpec(n_features=504, n_groups=56, n_samples=4000))
    w = data.true_weights
    error = float(np.mean(np.sign(data.X @ w) != data.y))
    d = 1.2815515655446004 / float(np.linalg.norm(w))
    return Demonstration(
        f"d need not be tuned: the true model errs with probability Φ(−d‖w*‖), so d = 1.2816/‖w*‖ "
        f"= {d:.3f} here; {data.n_samples:,} samples give {error:.1%}.",
        {
            "how": ["closed form", f"{data.n_samples:,} samples"],
            "error of the true model": ["10.0 %", f"{100 * error:.1f} %"],
        },
        abs(error - 0.1) < 0.02,
    )


def odd_m() -> Demonstration:
    data = load(ESVMSpec(n_features=945, n_groups=315))
    positives = int(np.count_nonzero(data.y > 0))
    return Demonstration(
        f"m = 315 samples cannot be m/2 of each class: we draw {positives} and "
        f"{data.n_samples - positives}.",
        {
            "class": ["+1", "−1"],
            "as printed": ["157.5", "157.5"],
            "ours": [str(positives), str(data.n_samples - positives)],
        },
        positives != data.n_samples - positives,
    )


@lru_cache(maxsize=1)
def inverted_folds(folds: int = 20) -> Demonstration:
    """One data set that everybody has, under both readings of "cross validation"."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from solvers.baselines import make_classifier

    data = load(BundledSpec("breast_cancer"))
    scores = {"ordinary": [], "inverted": []}
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=0).split(data.X, data.y))
    for many, few in splits:
        for name, train, test in (("ordinary", many, few), ("inverted", few, many)):
            # One ordinary fold in four is enough to tell: each trains on nearly everything.
            if name == "ordinary" and len(scores["ordinary"]) * 4 > len(scores["inverted"]):
                continue
            model = make_pipeline(StandardScaler(), make_classifier("svm", alpha=1.0))
            model.fit(data.X[train], data.y[train])
            scores[name].append(float(model.score(data.X[test], data.y[test])))
    mean = {name: float(np.mean(values)) for name, values in scores.items()}
    sizes = [len(part) for part in splits[0]]
    return Demonstration(
        f"Breast cancer, {folds} folds, a plain SVM: {mean['ordinary']:.1%} when it trains on all "
        f"folds but one ({sizes[0]} samples), {mean['inverted']:.1%} when it trains on one "
        f"({sizes[1]} samples) and is tested on the rest. Table 1's numbers fit the second.",
        {
            "protocol": ["ordinary: train on K − 1 folds", "inverted: train on one fold"],
            "training samples": [str(size) for size in sizes],
            "SVM accuracy": [f"{100 * mean[name]:.1f} %" for name in ("ordinary", "inverted")],
        },
        mean["ordinary"] > mean["inverted"],
    )


def uncovered() -> Demonstration:
    n, m, size = 4000, 100, 140
    rng = np.random.default_rng(0)
    drawn = np.unique(np.concatenate([rng.choice(n, size, replace=False) for _ in range(m)]))
    expected = n * (1 - size / n) ** m
    ours = load(ELassoSpec.overlapped(n_samples=2)).groups
    return Demonstration(
        f"{m} random groups of {size} leave {n - drawn.size} of {n:,} features in no group "
        f"({expected:.0f} expected), so without any penalty; a partition with random extras leaves "
        f"{int(np.count_nonzero(ours.overlap_counts == 0))}.",
        {
            "groups": ["purely random (one reading)", "40 own and 100 random others (ours)"],
            "group size": [str(size), str(int(ours.sizes.max()))],
            "features in no group": [
                str(n - drawn.size),
                str(int(np.count_nonzero(ours.overlap_counts == 0))),
            ],
        },
        drawn.size < n and int(ours.overlap_counts.min()) >= 1,
    )


@lru_cache(maxsize=1)
def kong_limit() -> Demonstration:
    """Kong's iteration from a dense start, and the printed one from a start with zeros."""
    data, lam, steps = load(ELassoSpec(n_samples=40, n_features=120, n_groups=10)), 5.0, 500
    dense = solve_lasso(data.X, data.y, data.groups, lam, method="kong", tol=1e-6)
    dropped = np.argsort(-np.abs(dense.w))[:3]
    w = dense.w.copy()
    w[dropped] = 0.0
    for _ in range(steps):
        w = _reweighted(data, lam, w)
    stuck = LassoProblem(data.X, data.y, data.groups, lam).objective(w) / dense.bound - 1.0
    return Demonstration(
        f"From a dense start Kong's iteration reaches a certified gap of {dense.gap:.0e}: its "
        f"limit is the optimum. Started with {dropped.size} exact zeros where weights belong, it "
        f"keeps them and ends {stuck:.1%} above.",
        {
            "start": ["dense (ridge)", f"{dropped.size} of its weights set to 0"],
            "iterations": [f"{dense.n_iter:,}", f"{steps:,}"],
            "above the optimum": [f"at most {dense.gap:.0e}", f"{stuck:.1e}"],
        },
        dense.gap <= 1e-6 < stuck,
    )


def _reweighted(data, lam, w):
    """One step in the N × N form, in which a zero weight stays zero."""
    magnitude = np.abs(w)
    weight = data.groups.spread(data.groups.sum(magnitude))
    scale = np.divide(magnitude, weight, out=np.zeros_like(w), where=weight > 0.0)
    gram = (data.X * scale) @ data.X.T + lam * np.eye(data.n_samples)
    return scale * (data.X.T @ np.linalg.solve(gram, data.y))


def _search(cone: str, vector: str, height: float) -> Mapping[str, Any]:
    """The controls of the page of projections that show the search at a point."""
    controls = {"tab": "The search", "cone": cone, "vector": vector, "height": height}
    return MappingProxyType(controls)


def _yes(truth) -> str:
    return "yes" if truth else "no"


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "momentum",
        "No acceleration as printed",
        "Algorithm 1, step 4",
        r"$t = \frac12 + \frac12\sqrt{1+4t}$",
        r"$t = \frac12 + \frac12\sqrt{1+4t^2}$",
        momentum,
        "solver_race",
    ),
    Erratum(
        "l1_origin",
        "The origin is missing",
        "Algorithm 2",
        r"no window holds: $x=a,\ y=b$",
        r"if $-\zeta b \ge \lVert a\rVert_\infty$ the projection is the origin",
        l1_origin,
        "cone_projections",
        _search("ℓ1", "1, 0.5", -3.0),
    ),
    Erratum(
        "linf_formula",
        "The wrong x",
        "Algorithm 3, in the loop",
        r"$x = \mathrm{sgn}(a)\odot\min(|a|-y, 0)$",
        r"$x = \mathrm{sgn}(a)\odot\min(|a|, y)$",
        linf_formula,
        "cone_projections",
        _search("ℓ∞", "3, 1", 1.0),
    ),
    Erratum(
        "linf_negative",
        "A negative height",
        "Algorithm 3, at the end",
        r"$y$ keeps the last candidate",
        r"if $\zeta b + \lVert a\rVert_1 \le 0$, $(x,y)=(0,0)$",
        linf_negative,
        "cone_projections",
        _search("ℓ∞", "1, 0.5", -3.0),
    ),
    Erratum(
        "windows",
        "Windows that rounding misses",
        "Algorithms 2 and 3, the tests",
        r"$\delta \in [\,|a|^{(j+1)}, |a|^{(j)}]$, in floats",
        "no window: the largest candidate is the threshold",
        windows,
        "cone_projections",
        _search("ℓ∞", "0.4, 0.2", 0.0),
    ),
    Erratum(
        "zeta_sign",
        "ζ must be positive",
        "Algorithms 2 and 3, input",
        r"$\zeta \in \mathbb{R}$",
        r"$\zeta > 0$",
        zeta_sign,
        "cone_projections",
    ),
    Erratum(
        "factor_two",
        "A factor of two in λ",
        "Section 3.2 against Section 5.1",
        r"$\frac{\lambda}{2}\lVert w\rVert_e^2$ there, $\lambda\lVert w\rVert_e^2$ here",
        r"$\frac{\lambda}{2}\lVert w\rVert_e^2$ everywhere",
        factor_two,
    ),
    Erratum(
        "exponent",
        "The exponent is on the ℓ1 norm",
        "Section 3.2, last remark on PCP",
        r"$\sum_g \lVert w_g\rVert_q^q$",
        r"$\sum_g \lVert w_g\rVert_1^q,\ q\ge 1$",
        exponent,
        "norm_patterns",
    ),
    Erratum(
        "norm_prox",
        "The prox of the norm is not difficult",
        "Sections 3.1 and 3.2",
        r"with $\lVert\cdot\rVert_e$ the step is “difficult to solve efficiently”",
        r"the squared prox at the $\zeta$ with $\zeta\lVert w_\zeta\rVert_e=\varphi$",
        norm_prox,
    ),
    Erratum(
        "licp_rate",
        "LICP's rate is the dual's",
        "Abstract and Section 3.3",
        r"$O(1/k^2)$ for E-SVM",
        r"$O(1/k^2)$ for the dual and for the averaged $\bar w$; $O(1/k)$ for the last $w$",
        licp_rate,
        "solver_race",
    ),
    Erratum(
        "proof_probability",
        "A probability above one",
        "Proof of Theorem 3, lower tail",
        r"$p=\frac sm(1-\varepsilon)$",
        r"$p=\frac sn(1-\varepsilon)$",
        proof_probability,
        "random_grouping",
    ),
    Erratum(
        "proof_constants",
        "A constant of the proof",
        "Proof of Theorem 3, the total",
        r"$1+\frac34\varepsilon$",
        r"$1+\frac43\varepsilon$, and $s(1+\varepsilon)\le n$, $m\mid n$",
        proof_constants,
        "random_grouping",
    ),
    Erratum(
        "condition_constant",
        "O(·) hides 12.5",
        "Theorem 3",
        r"$s \ge O(t^{-2}m\log m)$",
        r"$s \ge C t^{-2} m\log m$, $C>12.5$ by its own constants",
        condition_constant,
        "random_grouping",
    ),
    Erratum(
        "rule_of_thumb",
        "m = s/log s is too many",
        "After Theorem 3, and Section 5.2",
        r"$m=\mathrm{constant}\times s/\log s$ satisfies the condition",
        "the largest m with P ≥ .9 from the exact law",
        rule_of_thumb,
        "random_grouping",
        MappingProxyType({"s": "504", "m": "81"}),
    ),
    Erratum(
        "shared_noise",
        "Both classes share their noise",
        "Section 5.2, synthetic data",
        r"$X_\pm = X_0 \pm d\,w^*$ with one $X_0$",
        "independent noise for every sample",
        shared_noise,
        "esvm_accuracy",
    ),
    Erratum(
        "tuned_distance",
        "Nothing to tune",
        "Section 5.2",
        "“We tune the value of d”",
        r"$d = \Phi^{-1}(0.9)/\lVert w^*\rVert$",
        tuned_distance,
        "esvm_accuracy",
    ),
    Erratum(
        "odd_m",
        "Half of 315",
        "Section 5.2",
        r"$m=315$ samples, $m/2$ of each class",
        "158 and 157",
        odd_m,
        "esvm_accuracy",
    ),
    Erratum(
        "inverted_folds",
        "Which cross-validation?",
        "Table 1, “#Folds”",
        "“using cross validation”",
        "the numbers fit *inverted* K-fold: train on one fold, test on the others",
        inverted_folds,
        "esvm_accuracy",
    ),
    Erratum(
        "uncovered",
        "Features in no group",
        "Section 5.1, overlapped",
        "100 random groups of 140 out of 4,000",
        "a partition of 40 plus 100 random others each (our reading)",
        uncovered,
        "solver_race",
    ),
    Erratum(
        "kong_limit",
        "Kong's limit is optimal",
        "Related work and Section 3.2",
        r"an $n\times n$ inverse, and a limit that “is not necessarily the optimal solution”",
        r"$N\times N$ suffices, and from a dense start the limit is the optimum",
        kong_limit,
        "solver_race",
    ),
)

BY_KEY: Mapping[str, Erratum] = MappingProxyType({erratum.key: erratum for erratum in ERRATA})
