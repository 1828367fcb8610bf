"""Curves as an SVG, for a file that has no scripts; each is named at its end."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 190, 10, 40
_INK, _GRID = "#5F6B76", "#D5DBE1"
_DASHES = {"solid": "", "dash": "6 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "10 4"}
_ROW = 13  # between the names at the ends


@dataclass(frozen=True, eq=False)
class Curve:
    """One line: its name, points, colour and dash; `half` is half an interval at each point."""

    label: str
    x: np.ndarray
    y: np.ndarray
    color: str
    dash: str = "solid"
    half: np.ndarray | None = None


def svg(
    curves: Sequence[Curve], *, alt: str, x_title: str, y_title: str, log_x=True, log_y=False
) -> str:
    """The curves on one pair of axes; points that a logarithm cannot show are left out."""
    kept = [_kept(curve, log_x, log_y) for curve in curves]
    every_x = np.concatenate([x for x, _ in kept])
    every_y = np.concatenate([y for _, y in kept])
    across = _Axis(every_x, log_x, _LEFT, _WIDTH - _RIGHT)
    upward = _Axis(every_y, log_y, _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" '
        f'aria-label="{html.escape(alt, quote=True)}" font-family="sans-serif" font-size="12">'
    ]
    for value in upward.ticks:
        y = upward(value)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{_GRID}"/>'
        )
        parts.append(_words(_LEFT - 6, y + 4, f"{value:,g}", "end"))
    for value in across.ticks:
        parts.append(_words(across(value), _HEIGHT - _BOTTOM + 16, f"{value:,g}", "middle"))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(_words(middle, _HEIGHT - 6, f"{y_title} against {x_title}", "middle"))
    ends = []
    for curve, (x, y) in zip(curves, kept, strict=True):
        if x.size:
            parts.append(_drawn(curve, across(x), upward(y), upward))
            ends.append((float(upward(y[-1:])[0]), curve))
    return "".join([*parts, *_names(ends), "</svg>"])


def _kept(curve: Curve, log_x: bool, log_y: bool) -> tuple[np.ndarray, np.ndarray]:
    shown = np.isfinite(curve.x) & np.isfinite(curve.y)
    shown &= ((curve.x > 0.0) | (not log_x)) & ((curve.y > 0.0) | (not log_y))
    return curve.x[shown], curve.y[shown]


def _drawn(curve: Curve, x, y, upward: _Axis) -> str:
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    dash = f' stroke-dasharray="{_DASHES[curve.dash]}"' if _DASHES.get(curve.dash) else ""
    drawn = (
        f'<polyline points="{points}" fill="none" stroke="{curve.color}" stroke-width="2"{dash}/>'
    )
    if curve.half is None:
        return drawn
    low, high = upward(curve.y - curve.half), upward(curve.y + curve.half)
    return drawn + "".join(
        f'<line x1="{a:.1f}" x2="{a:.1f}" y1="{b:.1f}" y2="{c:.1f}" stroke="{curve.color}"/>'
        for a, b, c in zip(x, low, high, strict=True)
    )


def _names(ends: list[tuple[float, Curve]]) -> list[str]:
    """The curves' names beside their ends, moved apart where they would meet."""
    at, parts = -math.inf, []
    for y, curve in sorted(ends, key=lambda end: end[0]):
        at = max(y, at + _ROW)
        label = html.escape(curve.label)
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 6}" y="{at + 4:.1f}" fill="{curve.color}">{label}</text>'
        )
    return parts


def _words(x: float, y: float, words: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{_INK}">'
        f"{html.escape(words)}</text>"
    )


class _Axis:
    """From numbers to places, linear or logarithmic, with a few ticks."""

    def __init__(self, values: np.ndarray, log: bool, start: float, end: float):
        self.log, self._start, self._end = log, start, end
        at = self._at(values) if values.size else np.zeros(1)
        self._low, self._high = float(at.min()), float(at.max())
        self._high += 1e-9 + 0.04 * (self._high - self._low)
        self.ticks = self._ticks()

    def _at(self, values):
        return np.log10(values) if self.log else np.asarray(values, dtype=float)

    def _ticks(self) -> list[float]:
        if not self.log:
            return _round_numbers(self._low, self._high)
        decades = range(math.floor(self._low), math.floor(self._high) + 1)
        leads = (1.0, 2.0, 5.0) if len(decades) <= 3 else (1.0,)
        every = max(1, math.ceil(len(decades) / 6))
        marks = [lead * 10.0**k for k in decades if k % every == 0 for lead in leads]
        return [mark for mark in marks if self._low <= math.log10(mark) <= self._high]

    def __call__(self, values):
        share = (self._at(values) - self._low) / (self._high - self._low)
        return self._start + np.clip(share, -0.05, 1.05) * (self._end - self._start)


def _round_numbers(low: float, high: float) -> list[float]:
    """About five multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / 5.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(lead * power for lead in (1.0, 2.0, 5.0, 10.0) if lead * power >= rough)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
