"""The code that the page of the paper against the measurements offers prints what it shows."""

import shlex

import pytest

from lab.paper import claims, errata, figures, measured, race_figures, tiles
from lab.paper import code as snippets
from lab.paper.bounds import bound_view
from tests.lab.code_runner import printed_by


def test_claims_are_judged_alike():
    rows = claims.judged(measured.read())
    lines = printed_by(snippets.claims(tiles.EVERY, claims.FAILS)).splitlines()
    assert lines[0] == claims.answer(rows)
    failing = [row for row in rows if row.verdict == claims.FAILS]
    assert lines[1:] == [f"{claims.FAILS}: {row.claim.title}" for row in failing]


def test_a_claim_is_judged_alike():
    row = next(r for r in claims.judged(measured.read()) if r.claim.key == "fig1_le")
    lines = printed_by(snippets.claim("fig1_le")).splitlines()
    assert lines[0] == f"{row.claim.title}: {row.verdict}" and lines[1] == row.measured
    assert len(lines) == 2 + len(row.judgement.evidence.bars)


def test_theorem_prints_the_committed_grid():
    view = bound_view(measured.read().theorem5, 5040, 8, 0.5)
    code = snippets.theorem(5040, 8, 0.5, [int(s) for s in view.s])
    rows = [list(map(float, line.split())) for line in printed_by(code).splitlines()]
    for row, s, exact, *bounds in zip(
        rows,
        view.s,
        view.exact,
        view.bounds["Theorem 5"],
        view.bounds["Chernoff bound"],
        view.bounds["union bound"],
        strict=True,
    ):
        assert row == pytest.approx([s, exact, *bounds], abs=1e-6)


def test_erratum_prints_its_finding():
    shown = errata.BY_KEY["rule_of_thumb"].demonstrate()
    assert printed_by(snippets.erratum("rule_of_thumb")).startswith(shown.finding)


def as_printed(title: str, table: dict) -> list[str]:
    return [title, *(f"{name}: | {' | '.join(column)}" for name, column in table.items())]


@pytest.mark.parametrize("panel", race_figures.PANELS.values())
def test_a_race_prints_the_pages_own_title_and_table(panel):
    found = measured.panels(measured.read().figure2)[panel]
    code = snippets.race(panel, "gap", "iterations")
    said = as_printed(race_figures.title(found, "gap", "iterations"), race_figures.table(found))
    assert printed_by(code).splitlines() == said
    assert code.startswith("# To race again: python -m benchmarks.figure2\n")


@pytest.mark.parametrize("noise", ["independent", "shared"])
def test_accuracy_prints_the_pages_own_title_and_table(noise):
    found = measured.read().figure2d
    said = as_printed(figures.accuracy_title(found, noise), figures.accuracy_table(found, noise))
    assert printed_by(snippets.accuracy(noise)).splitlines() == said


@pytest.mark.parametrize(
    "look", [("inverted", "standardise", "strongest"), ("ordinary", "none", "weakest")]
)
def test_table_1_prints_the_pages_own_title_and_table(look):
    shown = figures.table_view(measured.read().table1, *look)
    code = snippets.table(*look)
    assert printed_by(code).splitlines() == as_printed(shown.title, shown.table)
    # The command named is one that the benchmark understands.
    command = code.splitlines()[0].removeprefix("# To train again: ")
    words = shlex.split(command)
    assert words[:3] == ["python", "-m", "benchmarks.table1"]
    assert set(words[4::2]) == set(look)
