"""Random grouping, the page's findings: how many random groups share s true features evenly?

A split of n features into m random groups is balanced when max_j |Ω_j| / min_j |Ω_j| ≤ (1+t)/(1−t)
(Theorem 3), Ω_j being the true features of group j. Everything here is one call of
`solvers.grouping` or an exact statement about its simulation; the sentences state what came out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.special import betaincinv

from solvers import grouping

# The synthetic experiment of Section 5.2: n = 5040 and these numbers of true features.
PAPER_FEATURES = 5040
PAPER_TRUE = (112, 315, 504, 720, 1008, 1260, 1680, 2520)

MOST_FEATURES = 1_000_000
CONFIDENCE = 0.95
# Counts drawn for one m, so that no simulation keeps the reader waiting.
MOST_COUNTS = 250_000

_ROUND_TRUE = (5, 10, 20, 30, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1500)
TRUE_STEPS = tuple(
    str(s) for s in sorted({*PAPER_TRUE, *_ROUND_TRUE, 2000, 2500, 3000, 3500, 4000, 4500, 5000})
)
T_STEPS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9")
TRIAL_STEPS = ("100", "200", "500", "1000", "2000", "5000", "10000")
C_STEPS = ("0.1", "0.2", "0.25", "0.3", "0.4", "0.5", "0.75", "1", "1.5", "2")
TARGET_STEPS = ("50%", "80%", "90%", "95%", "99%")


def paper_groups(n_true: int, c: float = 1.0) -> int:
    """c · s / log s rounded, the paper's number of groups, kept within 1 … s."""
    return min(max(round(c * n_true / math.log(n_true)), 1), n_true)


# Even steps in proportion, as on the charts' axes, with the paper's own m among them.
GROUP_STEPS = tuple(
    str(m)
    for m in sorted(
        {
            *range(1, 60),
            *range(60, 120, 2),
            *range(120, 250, 5),
            *range(250, 500, 10),
            *range(500, 1000, 50),
            *range(1000, 5001, 250),
            *(paper_groups(s) for s in PAPER_TRUE),
            138,
        }
    )
)

DEFAULTS = {
    "n": PAPER_FEATURES,
    "s": "500",
    "m": "20",
    "t": "0.5",
    "trials": "1000",
    "seed": 0,
    "c": "1",
    "target": "95%",
}

PRESETS = {
    "Paper 5.2, s = 112": {"s": "112", "m": "24"},
    "s/log s fails, s = 504": {"s": "504", "m": "81"},
    "The same, t = 0.8": {"s": "504", "m": "81", "t": "0.8"},
    "s = 1008 at 90%": {"s": "1008", "m": "47", "target": "90%"},
    "Theorem 3 regime": {"s": "5000", "m": "20", "n": 100_000},
    "n = 1,000,000": {"s": "5000", "m": "138", "n": 1_000_000},
}


def impossible(n_features: int, n_true: int, n_groups: int) -> str | None:
    """What contradicts itself in these settings and how to mend it; None if nothing does."""
    if n_true > n_features:
        return (
            f"There cannot be s = {n_true:,} true features among n = {n_features:,}: "
            f"raise n to at least {n_true:,} or lower s."
        )
    if n_groups > n_true:
        return (
            f"m = {n_groups:,} groups cannot all hold one of s = {n_true:,} true features: "
            f"choose at most {n_true:,} groups, or more true features."
        )
    return None


def target_of(text: str) -> float:
    """The probability a text such as "95%" means."""
    return int(text.removesuffix("%")) / 100


def largest_ratio(t: float) -> Fraction:
    """R = (1+t)/(1−t), the largest max/min that counts as balanced, for t as it is written."""
    exact = Fraction(str(t))
    return (1 + exact) / (1 - exact)


# ---------------------------------------------------------------- P(balanced) against m


@dataclass(frozen=True)
class BoundCurve:
    """A lower bound over m while it says something; it ends with a zero where it turns vacuous.

    `vacuous_from` is the first m at which it does, None if it never does.
    """

    m: np.ndarray
    values: np.ndarray
    vacuous_from: int | None


@dataclass(frozen=True)
class Curve:
    """P(balanced) at numbers of groups m: exact, and three lower bounds on it."""

    m: np.ndarray
    exact: np.ndarray
    union: BoundCurve
    closed: BoundCurve
    theorem: BoundCurve
    largest: int
    paper: int
    at_paper: float
    to_simulate: np.ndarray


@dataclass(frozen=True)
class Bounds:
    """The lower bounds at one m."""

    union: float
    closed: float
    theorem: float


def bounds(n_features: int, n_true: int, n_groups: int, t: float) -> Bounds:
    return Bounds(
        union=grouping.union_bound(n_features, n_true, n_groups, t),
        closed=grouping.chernoff_bound(n_true, n_groups, t),
        theorem=grouping.theorem_bound(n_true, n_groups, t),
    )


def curve(n_features: int, n_true: int, t: float, target: float, c: float) -> Curve:
    """P(balanced) over m, finest where it falls from one to zero."""
    largest = grouping.recommend_n_groups(n_features, n_true, t, target)
    paper = paper_groups(n_true, c)
    m = _groups_to_show(n_true, largest, paper)
    exact = grouping.balance_curve(n_features, n_true, m.tolist(), t)
    # The closed bounds cost next to nothing, so their lines can be smooth.
    fine = np.union1d(m, np.geomspace(1, m[-1], 80).round().astype(int))
    falling = np.flatnonzero((3 * m >= largest) & (m > 1) & (exact > 1e-3))
    spread = falling[np.linspace(0, len(falling) - 1, min(len(falling), 8)).astype(int)]
    return Curve(
        m=m,
        exact=exact,
        union=_bound_curve(m, lambda k: grouping.union_bound(n_features, n_true, k, t)),
        closed=_bound_curve(fine, lambda k: grouping.chernoff_bound(n_true, k, t)),
        theorem=_bound_curve(fine, lambda k: grouping.theorem_bound(n_true, k, t)),
        largest=largest,
        paper=paper,
        at_paper=float(exact[np.searchsorted(m, paper)]),
        to_simulate=m[spread],
    )


def _groups_to_show(n_true: int, largest: int, paper: int) -> np.ndarray:
    end = min(n_true, max(4 * largest + 4, 2 * paper))
    if end <= 40:
        return np.arange(1, end + 1)
    fall = min(4 * largest, end)
    points = [
        np.geomspace(1, largest, 6),
        np.geomspace(max(largest / 3, 1), largest, 5),
        np.geomspace(largest, fall, 12),
        np.geomspace(fall, end, 5),
        [min(largest + 1, end), paper],
    ]
    return np.unique(np.concatenate(points).round().astype(int))


def _bound_curve(m: np.ndarray, bound: Callable[[int], float]) -> BoundCurve:
    """A bound on the way down, point by point until it is vacuous; then back to where it began.

    The closed bounds fall in m, so bisection finds the first vacuous m; the union bound wavers
    with divisibility, and bisection finds one of its changes of sign.
    """
    kept, values = [], []
    for k in m.tolist():
        value = bound(k)
        if value <= 0:
            positive, vacuous = (kept[-1] if kept else 0), k
            while vacuous - positive > 1:
                middle = (positive + vacuous) // 2
                value = bound(middle)
                if value > 0:
                    positive = middle
                    kept.append(middle)
                    values.append(value)
                else:
                    vacuous = middle
            return BoundCurve(np.array([*kept, vacuous]), np.array([*values, 0.0]), vacuous)
        kept.append(k)
        values.append(value)
    return BoundCurve(np.array(kept), np.array(values), None)


# ---------------------------------------------------------------- simulation


@dataclass(frozen=True)
class Share:
    """A simulated probability and its exact (Clopper–Pearson) confidence interval."""

    hits: int
    trials: int

    @property
    def value(self) -> float:
        return self.hits / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """Covers the true probability with at least 95 %, whatever it is."""
        tail = (1 - CONFIDENCE) / 2
        k, n = self.hits, self.trials
        low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, tail))
        high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - tail))
        return low, high


def affordable_trials(trials: int, n_groups: int) -> int:
    return min(trials, max(MOST_COUNTS // n_groups, 1))


def extremes(
    n_features: int, n_true: int, n_groups: int, trials: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest count of each simulated split; m has its own stream.

    Fewer splits than asked for where they would take more than `MOST_COUNTS` counts.
    """
    rng = np.random.default_rng([seed, n_groups])
    splits = affordable_trials(trials, n_groups)
    counts = grouping.simulate_balance(n_features, n_true, n_groups, splits, rng)
    return counts.min(axis=1), counts.max(axis=1)


def balanced_share(smallest: np.ndarray, largest: np.ndarray, t: float) -> Share:
    """How many splits were balanced, decided in integers."""
    ratio = largest_ratio(t)
    balanced = (smallest > 0) & (largest * ratio.denominator <= smallest * ratio.numerator)
    return Share(int(balanced.sum()), len(balanced))


# ---------------------------------------------------------------- the law of max/min


@dataclass(frozen=True)
class RatioLaw:
    """P(max/min ≤ r) over r: exactly, and the share of simulated splits with its interval."""

    r: np.ndarray
    exact: np.ndarray
    simulated: np.ndarray
    low: np.ndarray
    high: np.ndarray
    never_empty: float
    median: float


def ratio_law(
    n_features: int,
    n_true: int,
    n_groups: int,
    t: float,
    smallest: np.ndarray,
    largest: np.ndarray,
    points: int = 32,
) -> RatioLaw:
    """The law of max/min where the simulated splits lie, the limit R among the ratios."""
    limit = float(largest_ratio(t))
    with np.errstate(divide="ignore"):
        simulated = np.sort(largest / smallest)
    finite = simulated[np.isfinite(simulated)]
    end = max(1.15 * limit, 1.05 * float(np.quantile(finite, 0.995)) if finite.size else 0)
    start = 1.0 if not finite.size else 1 + 0.7 * (min(float(finite[0]), limit) - 1)
    r = np.unique(np.append(np.linspace(start, end, points).round(3), limit))
    exact = grouping.ratio_cdf(n_features, n_true, n_groups, [*r, math.inf])
    hits = np.searchsorted(simulated, r, side="right")
    shares = [Share(int(k), len(simulated)) for k in hits]
    intervals = np.array([share.interval for share in shares])
    return RatioLaw(
        r=r,
        exact=exact[:-1],
        simulated=hits / len(simulated),
        low=intervals[:, 0],
        high=intervals[:, 1],
        never_empty=float(exact[-1]),
        median=float(simulated[(len(simulated) - 1) // 2]),
    )


# ---------------------------------------------------------------- over n


@dataclass(frozen=True)
class NamedBound:
    """A lower bound over n, nan where it is vacuous."""

    name: str
    values: np.ndarray
    of_paper: bool = False


@dataclass(frozen=True)
class OverN:
    """P(balanced) of the same s, m, t in ever larger feature sets, sizes divisible by m."""

    n: np.ndarray
    exact: np.ndarray
    bounds: tuple[NamedBound, ...]


def over_n(n_true: int, n_groups: int, t: float) -> OverN:
    """From as few features as there are true ones to a million."""
    first = -(-n_true // n_groups)
    sizes = np.geomspace(first, MOST_FEATURES // n_groups, 11).round().astype(int)
    n = np.unique(np.maximum(sizes, first)) * n_groups

    def named(name: str, values: np.ndarray, of_paper: bool = False) -> NamedBound:
        says = values > 0
        note = "" if says.any() else " (vacuous)"
        return NamedBound(name + note, np.where(says, values, np.nan), of_paper)

    at_each = [bounds(k, n_true, n_groups, t) for k in n.tolist()]
    return OverN(
        n=n,
        exact=np.array([grouping.balance_probability(k, n_true, n_groups, t) for k in n.tolist()]),
        bounds=(
            named("union bound", np.array([b.union for b in at_each])),
            named("closed bound", np.array([b.closed for b in at_each])),
            named("Theorem 3's bound", np.array([b.theorem for b in at_each]), of_paper=True),
        ),
    )


def largest_over_n(n_true: int, t: float, target: float) -> dict[int, int]:
    """The largest m with P ≥ target where half, a tenth or next to none of n features are true."""
    return {
        n: grouping.recommend_n_groups(n, n_true, t, target)
        for n in (2 * n_true, 10 * n_true, MOST_FEATURES)
    }


# ---------------------------------------------------------------- sentences


def probability_text(p: float) -> str:
    """A probability in words; a plain 1 is one to twelve digits."""
    if p <= 0:
        return "1e-300 or less"
    if p < 1e-3:
        mantissa, exponent = f"{p:.1e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    if 1 - p < 1e-12:
        return "1"
    if p > 0.9995:
        return "above 0.9995"
    return f"{p:.3f}"


def bound_text(bound: float) -> str:
    """A lower bound on a probability; one at or below zero says nothing."""
    return "vacuous" if bound <= 0 else f"≥ {bound:.3f}"


def rule_text(c: float) -> str:
    """The paper's rule as it is written."""
    return "s/log s" if c == 1 else f"{c:g}·s/log s"


def ratio_text(t: float) -> str:
    """R in words: 3, or 1.22 where it is no short number."""
    ratio = largest_ratio(t)
    return f"{float(ratio):.3g}"


def answer(n_features: int, n_true: int, t: float, target: float, c: float, found: Curve) -> str:
    """One sentence that answers the page's question."""
    groups = "is the largest number of random groups that stays"
    return (
        f"With s = {n_true:,} true features among n = {n_features:,}, **m = {found.largest:,}** "
        f"{groups} balanced with probability ≥ {target:.0%} (t = {t:g}: no group holds more than "
        f"{ratio_text(t)} times the true features of another); the paper's m = {rule_text(c)} = "
        f"{found.paper:,} does so with probability {probability_text(found.at_paper)}."
    )


def curve_title(c: float, target: float, found: Curve) -> str:
    return (
        f"{found.largest:,} groups at most reach P ≥ {target:.0%}; the paper's {rule_text(c)} = "
        f"{found.paper:,} has P = {probability_text(found.at_paper)}"
    )


def vacuous_note(found: BoundCurve, *, about: bool = False) -> str:
    """Where a bound stops saying anything, for its name in a legend."""
    if found.vacuous_from is None:
        return ""
    if found.vacuous_from == 1:
        return " (vacuous)"
    return f" (vacuous from m {'≈' if about else '='} {found.vacuous_from:,})"


def ratio_title(t: float, exact: float, share: Share) -> str:
    return (
        f"max/min ≤ {ratio_text(t)} has probability {probability_text(exact)}; "
        f"{share.hits:,} of {share.trials:,} simulated splits"
    )


def over_n_title(n_true: int, found: OverN) -> str:
    many = found.n >= 10 * n_true
    if many.sum() < 2:
        return "P(balanced) over the number of features"
    spread = float(np.ptp(found.exact[many]))
    verdict = f"by {spread:.3f}" if spread >= 5e-4 else "by less than 0.0005"
    return (
        f"P(balanced) moves {verdict} from n = {found.n[many][0]:,} to {found.n[-1]:,}; "
        f"at n = {found.n[0]:,} it is {probability_text(float(found.exact[0]))}"
    )


def over_n_prose(n_true: int, t: float, target: float, largest: dict[int, int]) -> str:
    cases = ", ".join(f"{m:,} at n = {n:,}" for n, m in largest.items())
    return (
        "Theorem 3 does not contain n, and neither does its bound. The exact law does: the counts "
        "are drawn without replacement, so they vary less where most features are true, and not at "
        "all where all are. As n grows the law settles, so the claim holds for every n much larger "
        f"than s. The largest m with P ≥ {target:.0%} (s = {n_true:,}, t = {t:g}) is {cases}. The "
        "sizes shown are multiples of m, as the theorem's proof needs."
    )


def ratio_prose(n_groups: int, t: float, exact: float, law: RatioLaw) -> str:
    """The law of max/min in numbers."""
    half = (
        f"in half of the simulated splits max/min is at most {law.median:.3g}"
        if math.isfinite(law.median)
        else "most simulated splits leave a group empty"
    )
    return (
        f"With m = {n_groups:,} groups {half}. The exact law passes R = (1+t)/(1−t) = "
        f"{ratio_text(t)} at {probability_text(exact)}, which is P(balanced), and levels off at "
        f"{probability_text(law.never_empty)}, the probability that no group is empty. The "
        "diamonds are shares of simulated splits, the band their 95% intervals."
    )


def prose(n_true: int, n_groups: int, target: float, exact: float, found: Curve) -> str:
    """The chosen m against the target, the ideal and the bounds."""
    relation = "reaches" if exact >= target else "misses"
    best = {
        name: int(bound.m[bound.values >= target][-1])
        for name, bound in (
            ("the union bound", found.union),
            ("the closed bound", found.closed),
            ("Theorem 3", found.theorem),
        )
        if (bound.values >= target).any()
    }
    proven = (
        "; ".join(f"{name} reaches it up to m = {m:,}" for name, m in best.items())
        if best
        else "no bound reaches it for any m"
    )
    return (
        f"At **m = {n_groups:,}** the ideal is s/m = {n_true / n_groups:.4g} true features a "
        f"group, and P(balanced) = {probability_text(exact)} {relation} the wanted {target:.0%}. "
        f"Among the m shown, {proven}. A group more or less can matter beyond the trend, because "
        "s and n divide evenly by some m only."
    )


def markdown_table(n_groups: int, rows: list[tuple[str, str]]) -> str:
    head = f"| P(balanced) at m = {n_groups:,} | |\n| :-- | :-- |\n"
    return head + "\n".join(f"| {name} | {value} |" for name, value in rows)


def numbers(exact: float, share: Share, at_m: Bounds) -> list[tuple[str, str]]:
    """What is known of P(balanced) at the chosen m, row by row."""
    low, high = share.interval
    return [
        ("exact law", probability_text(exact)),
        (
            f"simulated, {share.trials:,} splits",
            f"{share.value:.3f} ({low:.3f} to {high:.3f})",
        ),
        ("union bound on exact tails", bound_text(at_m.union)),
        ("closed bound (Chernoff)", bound_text(at_m.closed)),
        ("Theorem 3's bound", bound_text(at_m.theorem)),
    ]


def band(shares: dict[int, Share]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Simulated shares as columns: m, share, lower and upper end of the interval."""
    ends = np.array([share.interval for share in shares.values()]).reshape(-1, 2)
    values = np.array([share.value for share in shares.values()])
    return np.array(list(shares)), values, ends[:, 0], ends[:, 1]


def table(found: Curve, shares: dict[int, Share]) -> dict[str, np.ndarray]:
    """The curve as columns; nan where a bound is vacuous or nothing was simulated."""

    def column(values: dict[int, float]) -> np.ndarray:
        return np.array([values.get(m, math.nan) for m in found.m.tolist()])

    def of_bound(bound: BoundCurve) -> np.ndarray:
        says = bound.values > 0
        return column(dict(zip(bound.m[says].tolist(), bound.values[says].tolist(), strict=True)))

    return {
        "m": found.m,
        "P exact": found.exact,
        "union bound": of_bound(found.union),
        "closed bound": of_bound(found.closed),
        "theorem bound": of_bound(found.theorem),
        "P simulated": column({m: share.value for m, share in shares.items()}),
        "simulated low": column({m: share.interval[0] for m, share in shares.items()}),
        "simulated high": column({m: share.interval[1] for m, share in shares.items()}),
    }
