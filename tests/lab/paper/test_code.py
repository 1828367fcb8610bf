"""The code that the page of the paper against the measurements offers prints what it shows."""

import pytest

from lab.accuracy import Fig2dSpec, run_trial
from lab.paper import claims, errata, measured, tiles
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


def test_race_prints_every_method_of_its_panel():
    # The paper's size, with next to no time: only ours gets anywhere.
    for panel, count in (("2a", 8), ("2b", 7), ("2c_overlapped_100_100", 4)):
        compile(snippets.race(panel, 1, 15.0), panel, "exec")
        assert snippets.race(panel, 1, 15.0).count("'") // 2 == count
    lines = printed_by(snippets.race("2c_disjoint_100_100", 0, 0.01)).splitlines()
    assert lines[0].startswith("E-SVM, 720 × 5040, 720 groups of 7")
    assert [line.split(":")[0] for line in lines[1:]] == ["newton", "licp", "licp_block", "admm"]


def test_accuracy_and_table_run_the_trials_that_the_benchmarks_run():
    code = snippets.accuracy("independent", 112)
    assert "ms=(112,), repeats=1" in code
    small = code.replace("ms=(112,)", "n_features=56, methods=('svm', 'oracle'), ms=(8,)")
    spec = Fig2dSpec(n_features=56, ms=(8,), repeats=1)
    wanted = [run_trial(spec, (8, 0, method)) for method in ("svm", "oracle")]
    assert printed_by(small).splitlines() == [
        f"{each['trial'][2]}: accuracy {each['accuracy']:.4f}, gap None" for each in wanted
    ]
    compile(snippets.table("inverted", "standardise", "strongest", "leu", 5), "table", "exec")
