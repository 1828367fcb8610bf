"""What can be taken along: a report in one file, and a citation of each result."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lab import revision
from lab.accuracy import mixture_results, natural
from lab.paper import cite, claims, measured, picture, report, sentences
from lab.paper.errata import ERRATA
from lab.paper.evidence import Bar, Evidence
from lab.results import SHIPPED_FOLDER_VARIABLE, shipped

RESULTS = measured.read()
ROWS = claims.judged(RESULTS)


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> str:
    target = tmp_path_factory.mktemp("report") / "paper.html"
    assert report.main([str(target)]) == target
    return target.read_text(encoding="utf-8")


def test_the_report_holds_everything_in_one_file(page):
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r"<script|<link|src=|url\(|https?://", page)
    for row in ROWS:
        assert f'<article id="{row.claim.key}">' in page
    assert claims.answer(ROWS) in page
    assert page.count("<article") == len(ROWS) + len(ERRATA)
    beyond = [natural.results(shipped()), mixture_results.results(shipped())]
    tables = [sentences.units(), *(rows for rows in beyond if rows)]
    assert page.count("<tr>") == sum(1 + len(rows) for rows in tables)
    assert page.count("<table>") == len(tables)
    charts = sum(bool(r.judgement.evidence and r.judgement.evidence.bars) for r in ROWS)
    assert page.count("<svg") == charts > 60


def test_the_report_says_what_is_not_measured_yet(tmp_path, monkeypatch):
    monkeypatch.setenv(SHIPPED_FOLDER_VARIABLE, str(tmp_path))
    assert report.page(ROWS, RESULTS).count("<p>Not yet measured.</p>") == 2


def test_pictures_are_well_formed_and_inside():
    for row in ROWS:
        if row.judgement.evidence is None or not row.judgement.evidence.bars:
            continue
        root = ET.fromstring(picture.svg(row.judgement.evidence))
        width = float(root.get("viewBox").split()[2])
        for circle in root.iter("circle"):
            assert 0.0 <= float(circle.get("cx")) <= width
        assert len(list(root.iter("circle"))) == sum(
            bar.value == bar.value for bar in row.judgement.evidence.bars
        )


def test_markup_in_labels_is_inert():
    drawn = picture.svg(Evidence("a < b", (Bar("<script>", 1.0),), 1.0, "x & y"))
    assert "<script>" not in drawn
    ET.fromstring(drawn)


def test_an_entry_names_version_commit_and_address():
    row = next(row for row in ROWS if row.claim.key == "fig_2a")
    entry = cite.of_claim(row, RESULTS, "http://localhost/Paper_vs_measured?paper_claim=fig_2a")
    assert entry.startswith("@misc{exclusive-sparsity-fig-2a,") and entry.endswith("}")
    assert revision.in_words() in entry
    assert "http://localhost/Paper_vs_measured?paper_claim=fig_2a" in entry
    assert RESULTS.figure2["environment"]["date"] in entry
    assert entry.count("{") == entry.count("}")
    summary = next(row for row in ROWS if row.claim.rests_on)
    assert "year" not in cite.of_claim(summary, RESULTS, "")


def test_an_entry_has_the_day_of_its_own_check():
    """Parts of a file may have been measured again, each by a maker of its own."""
    parts = {k: part for k, part in RESULTS.statements.items() if isinstance(part, dict)}
    again = {name for name, part in parts.items() if "made" in part}
    by_check = {row.claim.check: row for row in ROWS if row.claim.check}
    assert again <= set(by_check)
    for check, row in by_check.items():
        made = RESULTS.statements[check]["made"]
        assert f"measured {made['date']} at commit {made['commit']}" in (
            cite.of_claim(row, RESULTS, "")
        )


def test_signs_of_bibtex_are_escaped():
    row = next(row for row in ROWS if row.claim.key == "ten_percent")
    assert r"10 \%" in cite.of_claim(row, RESULTS, "")


def test_the_commit_is_read_from_a_checkout(tmp_path):
    assert revision.commit(tmp_path) is None
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text("# pack\n" + "a" * 40 + " refs/heads/main\n")
    revision.commit.cache_clear()
    assert revision.commit(tmp_path) == "a" * 12
    (git / "refs" / "heads" / "main").write_text("b" * 40 + "\n")
    revision.commit.cache_clear()
    assert revision.commit(tmp_path) == "b" * 12
    tree = tmp_path / "tree"
    tree.mkdir()
    own = git / "worktrees" / "tree"
    own.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {own}\n")
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (own / "commondir").write_text("../..\n")
    assert revision.commit(tree) == "b" * 12
    (own / "HEAD").write_text("c" * 40 + "\n")
    revision.commit.cache_clear()
    assert revision.commit(Path(tree)) == "c" * 12


def test_the_commit_can_be_told(monkeypatch):
    revision.commit.cache_clear()
    monkeypatch.setenv(revision.COMMIT_VARIABLE, "0123456789abcdef")
    assert revision.commit() == "0123456789ab"
    revision.commit.cache_clear()
