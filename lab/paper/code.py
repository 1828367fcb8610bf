"""The code of the page that puts the paper beside the measurements."""

from __future__ import annotations

from lab.paper import measured


def claims(topic: str, verdict: str) -> str:
    """A script that judges the committed results and prints the chosen claims."""
    return f"""\
from lab.paper import claims, measured, tiles

rows = claims.judged(measured.read())
print(claims.answer(rows))
for row in tiles.chosen(rows, {topic!r}, {verdict!r}):
    print(f"{{row.verdict}}: {{row.claim.title}}")
"""


def claim(key: str) -> str:
    """A script that judges one claim by the committed results."""
    return f"""\
from lab.paper import claims, measured

row = next(row for row in claims.judged(measured.read()) if row.claim.key == {key!r})
print(f"{{row.claim.title}}: {{row.verdict}}")
print(row.measured)
for bar in row.judgement.evidence.bars if row.judgement.evidence else ():
    print(f"{{bar.label}}: {{bar.value:.6g}}")
"""


def race(panel: str, measure: str, against: str) -> str:
    """A script that prints the title and the table of a race, as they were measured."""
    return f"""\
# To race again: {measured.COMMANDS["figure2"]}
from lab.paper import measured, race_figures

panel = measured.panels(measured.read().figure2)[{panel!r}]
print(race_figures.title(panel, {measure!r}, {against!r}))
{_COLUMNS.format(table="race_figures.table(panel)")}"""


def accuracy(noise: str) -> str:
    """A script that prints the title and the table of Fig. 2(d), as they were measured."""
    return f"""\
# To train again: {measured.COMMANDS["figure2d"]}
from lab.paper import figures, measured

found = measured.read().figure2d
print(figures.accuracy_title(found, {noise!r}))
{_COLUMNS.format(table=f"figures.accuracy_table(found, {noise!r})")}"""


_COLUMNS = """\
for name, column in {table}.items():
    print(f"{{name}}:", *column, sep=" | ")
"""


def theorem(n: int, m: int, t: float, s: list[int]) -> str:
    """A script that prints the exact probability and the three bounds for each s."""
    return f"""\
from solvers import grouping

n, m, t = {n}, {m}, {t!r}
for s in {s!r}:
    exact = grouping.balance_probability(n, s, m, t)
    theorem = grouping.theorem_bound(s, m, t)
    chernoff = grouping.chernoff_bound(s, m, t)
    union = grouping.union_bound(n, s, m, t)
    print(f"{{s}} {{exact:.6f}} {{theorem:.6f}} {{chernoff:.6f}} {{union:.6f}}")
"""


def table(protocol: str, preprocessing: str, ties: str) -> str:
    """A script that prints the title and the table of Table 1 in one way, as they were measured."""
    settings = f"--protocols {protocol} --scalings {preprocessing!r} --ties {ties}"
    return f"""\
# To train again: {measured.COMMANDS["table1"]} {settings}
from lab.paper import figures, measured

shown = figures.table_view(measured.read().table1, {protocol!r}, {preprocessing!r}, {ties!r})
print(shown.title)
{_COLUMNS.format(table="shown.table")}"""


def erratum(key: str) -> str:
    """A script that prints what an erratum's demonstration finds."""
    return f"""\
from lab.paper import errata

shown = errata.BY_KEY[{key!r}].demonstrate()
print(shown.finding)
for name, values in shown.table.items():
    print(name, values)
"""
