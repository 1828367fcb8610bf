"""Draw docs/benchmark.svg from benchmarks/results/compare.json: seconds for the paper's problems.

    python -m docs.make_benchmark_chart

A test compares the committed file with a fresh one, so the picture cannot outlive its numbers.
"""

from __future__ import annotations

import math
from pathlib import Path

from benchmarks import common
from lab.drawing import theme

PATH = Path(__file__).with_name("benchmark.svg")
TITLES = {
    "lasso_disjoint": "E-LASSO, 400 × 4000, 100 disjoint groups",
    "lasso_overlapped": "E-LASSO, 400 × 4000, 100 overlapping groups",
    "svm_1_10": "E-SVM, 720 × 5040, α = 1, β = 10",
    "svm_100_100": "E-SVM, 720 × 5040, α = β = 100",
}
LEFT, WIDTH, ROW, BAR, TOP = 250, 470, 22, 14, 52
SHORTEST, LONGEST = 1e-2, 1e3


def bars(outcome: dict) -> list[tuple[str, float, float, str]]:
    """(label, seconds, gap reached, kind) of one experiment, as the chart shows them."""
    shown = []
    for name, row in outcome["rows"].items():
        if name == "ours to 1e-08":
            continue
        kind = "ours" if "method" in row else "field"
        if row.get("method") in theme.PAPER_METHODS:
            kind = "paper"
        clock = {"ours": "wall_seconds", "paper": "seconds", "field": "own_seconds"}[kind]
        seconds = row[clock]
        if seconds is None:
            continue
        label = f"{row['label']} (ours)" if kind == "ours" else row.get("label", name)
        shown.append((label.replace("CLARABEL", "Clarabel"), seconds, row["gap"], kind))
    return shown


def picture(results: dict) -> str:
    parts, y = [], TOP
    for key, title in TITLES.items():
        outcome = results["experiments"][key]
        parts.append(_text(0, y, title, size=15))
        y += 10
        for label, seconds, gap, kind in bars(outcome):
            parts.append(_bar(y, label, seconds, gap, kind))
            y += ROW
        y += 28
    what = "Seconds (logarithmic; ours with certificates, others without), and the gap reached"
    head = _text(0, 20, what, 14)
    alt = "Bar chart of solver times on the paper's four problems; the README's table says the same"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 190}" height="{y}" '
        f'viewBox="-16 0 {LEFT + WIDTH + 206} {y}" font-family="Georgia, serif" role="img" '
        f'aria-label="{alt}">\n'
        f'<rect x="-16" width="100%" height="100%" fill="{theme.LIGHT.background}"/>\n'
        + head
        + "".join(parts)
        + "</svg>\n"
    )


def _bar(y, label, seconds, gap, kind) -> str:
    fill = {
        "ours": theme.LIGHT.accent,
        "paper": theme.LIGHT.methods["locp"],
        "field": theme.LIGHT.theory,
    }[kind]
    share = math.log(seconds / SHORTEST) / math.log(LONGEST / SHORTEST)
    width = WIDTH * min(max(share, 0.005), 1.0)
    number = f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    reached = "no answer" if gap is None else f"gap {gap:.0e}"
    return (
        _text(LEFT - 10, y + BAR, label, size=13, anchor="end")
        + f'<rect x="{LEFT}" y="{y + 2}" width="{width:.1f}" height="{BAR}" fill="{fill}"/>\n'
        + _text(LEFT + width + 8, y + BAR, f"{number}, {reached}", size=12, muted=True)
    )


def _text(x, y, content, size=13, anchor="start", muted=False) -> str:
    fill = theme.LIGHT.muted if muted else theme.LIGHT.text
    return (
        f'<text x="{x:.1f}" y="{y}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{fill}">{content}</text>\n'
    )


if __name__ == "__main__":
    PATH.write_text(picture(common.read("compare")), encoding="utf-8")
    print(f"wrote {PATH.name}")
