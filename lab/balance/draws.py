"""A thousand random splits, and the exact law of the ratio of the fullest to the emptiest group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lab.balance import settings
from lab.estimates import share_interval
from solvers import grouping

# More buckets than this cannot be told apart, and a few stand for all.
MOST_BUCKETS = 100
BINS = 22


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
        return share_interval(self.hits, self.trials)


@dataclass(frozen=True)
class Draws:
    """Independent random splits of n features, s of them true, into m groups.

    `smallest` and `largest` are the counts of true features in the emptiest and the fullest group
    of each. `shown` are the counts of every group in the draws of `settings.DRAW_STEPS`; of more
    than `MOST_BUCKETS` groups, that many evenly spread from the emptiest to the fullest.
    """

    n: int
    s: int
    m: int
    smallest: np.ndarray
    largest: np.ndarray
    shown: np.ndarray

    @property
    def thinned(self) -> bool:
        return self.m > self.shown.shape[1]

    def balanced(self, t: float) -> np.ndarray:
        """Which draws are balanced, decided in integers."""
        return self.at_most(settings.largest_ratio(t))

    def at_most(self, ratio: Fraction) -> np.ndarray:
        """In which draws the fullest group holds at most `ratio` times the emptiest one's."""
        fits = self.largest * ratio.denominator <= self.smallest * ratio.numerator
        return (self.smallest > 0) & fits

    def so_far(self, draws: int, t: float) -> Share:
        return Share(int(self.balanced(t)[:draws].sum()), draws)


def draw(n_features: int, n_true: int, n_groups: int, seed: int) -> Draws:
    """The draws of one seed; each m has its own stream."""
    rng = np.random.default_rng([seed, n_groups])
    counts = grouping.simulate_balance(n_features, n_true, n_groups, settings.DRAWS, rng)
    shown = counts[[int(text) - 1 for text in settings.DRAW_STEPS]]
    if n_groups > MOST_BUCKETS:
        kept = np.linspace(0, n_groups - 1, MOST_BUCKETS).round().astype(int)
        shown = np.sort(shown, axis=1)[:, kept]
    return Draws(n_features, n_true, n_groups, counts.min(axis=1), counts.max(axis=1), shown)


@dataclass(frozen=True)
class RatioLaw:
    """The ratio max/min in bins (edge, next edge], the last bin being a group without any.

    The first bin also holds all below, the one before the last all above. `falls` is the bin of
    each draw, `law` the exact probability of each bin, and `bad_from` the first bin beyond R; where
    R lies far from all draws, on one side (`limit_shown` is false), it is no edge.
    """

    edges: tuple[Fraction, ...]
    law: np.ndarray
    falls: np.ndarray
    bad_from: int
    limit_shown: bool


def ratio_law(found: Draws, t: float) -> RatioLaw:
    limit = settings.largest_ratio(t)
    edges, shown = _edges(found, limit)
    cdf = grouping.ratio_cdf(found.n, found.s, found.m, [*edges[1:-1], math.inf])
    law = np.diff(np.concatenate([[0.0], cdf, [1.0]]))
    falls = np.full(len(found.smallest), len(edges) - 2)
    for place in range(len(edges) - 2, 0, -1):
        falls[found.at_most(edges[place])] = place - 1
    falls[found.smallest == 0] = len(edges) - 1
    nowhere = 0 if limit < edges[0] else len(edges) - 1
    bad_from = edges.index(limit) if shown else nowhere
    return RatioLaw(edges, np.maximum(law, 0.0), falls, bad_from, shown)


def _edges(found: Draws, limit: Fraction) -> tuple[tuple[Fraction, ...], bool]:
    """Edges of equal bins where the draws lie, the limit among them unless it is far away."""
    some = found.smallest > 0
    if not some.any():
        low, high = 1.0, float(limit) * 1.2
    else:
        ratios = found.largest[some] / found.smallest[some]
        low, high = float(ratios.min()), float(np.quantile(ratios, 0.99))
        high = max(high, low + 0.05)
    within = found.at_most(limit)[some]
    near = high - 3 * (high - low) <= float(limit) <= low + 3 * (high - low)
    shown = near or (within.any() and not within.all())
    if shown:
        low, high = min(low, float(limit)), max(high, float(limit))
    width = _round_width((high - low) / (BINS - 1))
    anchor = limit if shown else math.floor(Fraction(str(round(low, 6))) / width) * width
    before = max(math.ceil((anchor - Fraction(str(round(low, 6)))) / width), 0)
    start = anchor - before * width
    number = max(math.ceil((Fraction(str(round(high, 6))) - start) / width), 1)
    if shown and before + 1 > number:
        number = before + 1  # room beyond the limit, though no draw fell there
    return tuple(start + k * width for k in range(number + 1)), shown


def _round_width(least: float) -> Fraction:
    """The least of 1, 2, 5, 10, … times a power of ten that is not below."""
    power = Fraction(10) ** math.floor(math.log10(least))
    return next(lead * power for lead in (1, 2, 5, 10) if lead * power >= Fraction(str(least)))


def table(found: Draws, t: float, draws: int) -> dict[str, np.ndarray]:
    """The draws so far as columns."""
    columns = {
        "draw": np.arange(1, len(found.smallest) + 1),
        "fullest": found.largest,
        "emptiest": found.smallest,
        "balanced": found.balanced(t).astype(int),
    }
    return {name: column[:draws] for name, column in columns.items()}
