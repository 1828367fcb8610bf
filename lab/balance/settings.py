"""What can be asked of random groups: the controls' steps, the defaults, the presets."""

from __future__ import annotations

import math
from fractions import Fraction

from lab.data.paper_numbers import FIG2D_MS, N_FEATURES

FEWEST_FEATURES, MOST_FEATURES = 5, 1_000_000
MOST_SEED = 2**31 - 1
DRAWS = 1000

_ROUND_TRUE = (5, 10, 20, 30, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1500)
TRUE_STEPS = tuple(
    str(s) for s in sorted({*FIG2D_MS, *_ROUND_TRUE, 2000, 2500, 3000, 3500, 4000, 4500, 5000})
)
T_STEPS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9")
C_STEPS = ("0.1", "0.2", "0.25", "0.3", "0.4", "0.5", "0.75", "1", "1.5", "2")
TARGET_STEPS = ("50%", "80%", "90%", "95%", "99%")
# One by one while each can be looked at, then faster, so that a thousand take a few seconds.
DRAW_STEPS = tuple(
    str(k) for k in sorted({*range(1, 41), *(round(40 * 25 ** (i / 60)) for i in range(61))})
)


def paper_groups(n_true: int, c: float = 1.0) -> int:
    """c · s / log s rounded, the paper's number of groups, kept within 1 … s."""
    return min(max(round(c * n_true / math.log(n_true)), 1), n_true)


# Even steps in proportion, as on the charts' axes, with the paper's own m and every s among them.
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
            *(paper_groups(s) for s in FIG2D_MS),
            *map(int, TRUE_STEPS),
            138,
        }
    )
)


# Ten even steps in proportion from one power of ten to the next.
_ROUND_SIZES = sorted(
    {
        round(lead * 10**power)
        for power in range(6)
        for lead in (1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.4, 8, 10)
    }
)


def sizes_from(n_true: int) -> tuple[str, ...]:
    """The numbers of features to look at instead of n: from all of them true to a million."""
    return tuple(str(size) for size in (n_true, *(k for k in _ROUND_SIZES if k > n_true)))


# Whatever s may be.
SIZE_STEPS = tuple(map(str, sorted({*map(int, TRUE_STEPS), *_ROUND_SIZES})))


def nearest_size(text: str, n_true: int) -> str:
    """The number of features on offer that is nearest in proportion."""
    return min(sizes_from(n_true), key=lambda size: abs(math.log(int(size) / int(text))))


def groups_up_to(n_true: int) -> tuple[str, ...]:
    """The numbers of groups on offer: no more than there are true features."""
    return tuple(text for text in GROUP_STEPS if int(text) <= n_true)


# The tabs, in the order of the story.
DRAW = "1 · Draw"
GROUPS = "2 · How many groups"
BOUNDS = "3 · What can be proven"
PHASES = "4 · Phase diagram"
OVER_N = "5 · Does n matter?"
TABS = (DRAW, GROUPS, BOUNDS, PHASES, OVER_N)

DEFAULTS = {
    "n": N_FEATURES,
    "s": "500",
    "m": "20",
    "t": "0.5",
    "seed": 0,
    "c": "1",
    "target": "95%",
    "draws": "1",
    "instead": str(MOST_FEATURES),
    "tab": DRAW,
}

PRESETS = {
    "Paper 5.2, s = 112": {"s": "112", "m": "24"},
    "s/log s fails, s = 504": {"s": "504", "m": "81", "tab": GROUPS},
    "The same, t = 0.8": {"s": "504", "m": "81", "t": "0.8", "tab": GROUPS},
    "s = 1,008 at 90 %": {"s": "1008", "m": "47", "target": "90%", "tab": GROUPS},
    "Theorem 5 regime": {"s": "5000", "m": "20", "n": 100_000, "tab": BOUNDS},
    "n = 1,000,000": {"s": "5000", "m": "138", "n": 1_000_000, "tab": GROUPS},
}


def impossible(n_features: int, n_true: int) -> str | None:
    """What contradicts itself in these settings and how to mend it; None if nothing does."""
    if n_true <= n_features:
        return None
    return (
        f"There cannot be s = {n_true:,} true features among n = {n_features:,}: "
        f"raise n to at least {n_true:,} or lower s."
    )


def most_true(n_features: int) -> str:
    """The largest s on offer that n features can hold."""
    return [text for text in TRUE_STEPS if int(text) <= n_features][-1]


def target_of(text: str) -> float:
    """The probability a text such as "95%" means."""
    return int(text.removesuffix("%")) / 100


def target_text(text: str) -> str:
    """The same as it is read: the address has no room for a space."""
    return f"{text.rstrip(' %')} %"


def largest_ratio(t: float) -> Fraction:
    """R = (1+t)/(1−t), the largest max/min that counts as balanced, for t as it is written."""
    exact = Fraction(str(t))
    return (1 + exact) / (1 - exact)
