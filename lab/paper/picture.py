"""Evidence as a small SVG, for a file that has no scripts."""

from __future__ import annotations

import html
import math

from lab.paper.evidence import Bar, Evidence

_WIDTH, _LEFT, _ROW, _TOP, _BOTTOM = 640, 230, 20, 22, 34
_OWN, _OTHER, _LINE = "#0B5CAD", "#5F6B76", "#8A949E"


def svg(evidence: Evidence) -> str:
    """Marks with intervals, one row each, and the line that decides."""
    place = _Scale(evidence)
    height = _TOP + _ROW * len(evidence.bars) + _BOTTOM
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" role="img" '
        f'aria-label="{html.escape(evidence.in_words, quote=True)}" '
        'font-family="sans-serif" font-size="12">'
    ]
    bottom = height - _BOTTOM
    if evidence.line is not None:
        x = place(evidence.line)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 4}" y2="{bottom}" stroke="{_LINE}" '
            'stroke-dasharray="2 3"/>'
            f'<text x="{x:.1f}" y="{_TOP - 8}" text-anchor="middle" fill="{_OTHER}">'
            f"{html.escape(evidence.line_label)}</text>"
        )
    for number, bar in enumerate(evidence.bars):
        parts.append(_mark(bar, place, _TOP + _ROW * (number + 0.5)))
    for value in place.ticks:
        parts.append(
            f'<text x="{place(value):.1f}" y="{bottom + 14}" text-anchor="middle" '
            f'fill="{_OTHER}">{value:.3g}</text>'
        )
    parts.append(
        f'<text x="{(_LEFT + _WIDTH) / 2:.0f}" y="{height - 4}" text-anchor="middle">'
        f"{html.escape(evidence.axis)}</text></svg>"
    )
    return "".join(parts)


def _mark(bar: Bar, place: _Scale, y: float) -> str:
    fill = _OWN if bar.own else _OTHER
    label = bar.label if len(bar.label) <= 36 else f"{bar.label[:35]}…"
    text = f'<text x="{_LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{html.escape(label)}</text>'
    if not math.isfinite(bar.value):
        return text
    whisker = ""
    if math.isfinite(bar.low) and math.isfinite(bar.high):
        whisker = (
            f'<line x1="{place(bar.low):.1f}" x2="{place(bar.high):.1f}" y1="{y:.1f}" '
            f'y2="{y:.1f}" stroke="{fill}"/>'
        )
    return f'{text}{whisker}<circle cx="{place(bar.value):.1f}" cy="{y:.1f}" r="4" fill="{fill}"/>'


class _Scale:
    """From a number to its place on the axis, linear or logarithmic."""

    def __init__(self, evidence: Evidence):
        self.log = evidence.log
        numbers = [n for bar in evidence.bars for n in (bar.value, bar.low, bar.high)]
        if evidence.line is not None:
            numbers.append(evidence.line)
        kept = [n for n in numbers if math.isfinite(n) and (n > 0.0 or not self.log)] or [1.0]
        low, high = min(map(self._at, kept)), max(map(self._at, kept))
        pad = 0.06 * (high - low) or 0.5
        self.low, self.high = low - pad, high + pad
        self.ticks = sorted({min(kept), max(kept)})

    def _at(self, value: float) -> float:
        return math.log10(max(value, 1e-300)) if self.log else value

    def __call__(self, value: float) -> float:
        share = (self._at(value) - self.low) / (self.high - self.low)
        return _LEFT + min(max(share, 0.0), 1.0) * (_WIDTH - _LEFT - 12)
