"""What an erratum is, and what its demonstration shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from lab.paper.links import Link


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
    """One place of the paper: what stands there, what should, and the proof by example.

    `link` opens the page that shows the very example, where there is one.
    """

    key: str
    title: str
    where: str
    printed: str
    right: str
    demonstrate: Callable[[], Demonstration] = field(repr=False)
    link: Link | None = None


def yes(truth) -> str:
    return "yes" if truth else "no"
