"""What charts with a named row below the other share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

PHONE_TITLE = 42  # characters of a title that a phone shows in a line


def rows_axis(names: Sequence[str]) -> dict[str, Any]:
    """One named row below the other, the first at the top."""
    return dict(
        tickvals=np.arange(len(names)),
        ticktext=list(names),
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )


def line_down(x: float, line: dict[str, Any]) -> dict[str, Any]:
    return dict(type="line", x0=x, x1=x, y0=0, y1=1, yref="y domain", line=line)


def line_across(y: float, line: dict[str, Any]) -> dict[str, Any]:
    return dict(type="line", x0=0, x1=1, xref="x domain", y0=y, y1=y, line=line)


def note(row: float, text: str, color: str, *, side: str) -> dict[str, Any]:
    """Words at the left or right end of a row."""
    return dict(
        x={"left": 0.0, "right": 1.0}[side],
        xref="paper",
        xanchor=side,
        y=row,
        text=text,
        showarrow=False,
        font=dict(color=color, size=12),
    )


def runs(groups: Sequence[str]):
    """First and last place of each run of one group."""
    start = 0
    for i in range(1, len(groups) + 1):
        if i == len(groups) or groups[i] != groups[start]:
            yield start, i - 1
            start = i
