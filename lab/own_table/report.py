"""The report of an analysis as one HTML file: verdict, health, settings, figures, scores, versions.

Whatever comes from the table is escaped; figures are plotly's own, with its script inside, so that
the file can be read without a network.
"""

from __future__ import annotations

import html
import platform
from collections.abc import Sequence
from dataclasses import fields
from datetime import date

import numpy as np
import scipy
import sklearn

from lab.own_table import findings, headline
from lab.own_table.case import Case
from lab.own_table.health import Finding
from lab.words import signed
from solvers import __version__

_STYLE = (
    "body{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#10161D}"
    "h1,h2{font-family:serif}table{border-collapse:collapse;margin:1rem 0}"
    "td,th{border:1px solid #D5DBE1;padding:.3rem .6rem;text-align:left}"
)


def html_report(
    case: Case, doubts: Sequence[Finding], figures: Sequence[tuple[str, object]], day: date
) -> str:
    """`figures` are titles with plotly figures, drawn by whoever may draw."""
    parts = [
        f"<h1>{_text(case.name)}</h1>",
        f"<p>{_text(plain(headline.answer(case)))}</p>",
        "<h2>Health of the table</h2>",
        _list([finding.sentence for finding in doubts]) or "<p>Nothing doubtful was found.</p>",
        "<h2>Settings</h2>",
        _table(["setting", "value"], _settings(case)),
        "<h2>Figures</h2>",
    ]
    script = True
    for title, figure in figures:
        parts.append(f"<h3>{_text(title)}</h3>")
        parts.append(figure.to_html(full_html=False, include_plotlyjs=script))
        script = False
    columns = findings.shown_standings(case.standings, case.metric)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    parts += ["<h2>Scores on held-out rows</h2>", _table(list(columns), rows)]
    used = case.found.table()
    shown = list(zip(*(list(column)[:100] for column in used.values()), strict=True))
    parts += ["<h2>Features</h2>", _table(list(used), shown)]
    parts += ["<h2>Certificate and versions</h2>", _table(["what", "which"], _versions(case, day))]
    body = "\n".join(parts)
    title = _text(f"Report: {case.name}")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>"
    )


def plain(markdown: str) -> str:
    """A sentence of ours without its Markdown: bold marks and escapes."""
    text = html.unescape(markdown.replace("**", "").replace("\u2060", ""))
    return "".join(
        letter for k, letter in enumerate(text) if letter != "\\" or text[k - 1 : k] == "\\"
    )


def _settings(case: Case) -> list[list[str]]:
    rows = []
    for each in fields(case.spec):
        value = getattr(case.spec, each.name)
        if isinstance(value, tuple):
            value = f"{len(value)} of them" if len(value) > 20 else ", ".join(map(str, value))
        rows.append([each.name, str(value)])
    return rows


def _versions(case: Case, day: date) -> list[list[str]]:
    gap = case.final.gap
    return [
        [
            "certified relative gap",
            "none" if gap is None else f"{gap:.1e} (0 is the exact optimum)",
        ],
        ["SHA-256 of the table", case.table.digest],
        ["day", day.isoformat()],
        ["exclusive sparsity", __version__],
        ["Python", platform.python_version()],
        ["NumPy", np.__version__],
        ["SciPy", scipy.__version__],
        ["scikit-learn", sklearn.__version__],
    ]


def _text(value: object) -> str:
    return html.escape(" ".join(str(value).split()), quote=True)


def _list(sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    return "<ul>" + "".join(f"<li>{_text(each)}</li>" for each in sentences) + "</ul>"


def _table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{_text(_cell(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _cell(cell: object) -> object:
    return signed(f"{cell:.4g}") if isinstance(cell, (float, np.floating)) else cell
