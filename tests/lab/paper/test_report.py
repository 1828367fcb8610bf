"""What can be taken along: a report in one file, and a citation of each result."""

import html
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lab import revision, ui
from lab.accuracy import mixture_results, natural
from lab.paper import (
    bounds,
    cite,
    claims,
    figures,
    measured,
    picture,
    race_figures,
    report,
    sentences,
)
from lab.paper.errata import ERRATA
from lab.paper.evidence import Bar, Evidence
from lab.paper.tex import plain
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
    assert claims.answer(ROWS) in page
    assert page.count("<article") == len(ROWS) + len(ERRATA)
    beyond = [natural.results(shipped()), mixture_results.results(shipped())]
    lists = [sentences.units(), *(rows for rows in beyond if rows)]
    for rows in lists:
        assert page.count("<tr>") > len(rows)
    assert "<p>- " not in page and not re.search(r"<td>\d+\.0</td>", page)
    evidence = [row.judgement.evidence for row in ROWS if row.judgement.evidence]
    assert sum(bool(each.bars) for each in evidence) > 60
    assert all(each.in_words.split(":")[0] in html.unescape(page) for each in evidence)


def test_a_claim_in_the_report_has_context_address_and_entry(page):
    """A reader of the file alone can see where it stands, open it and cite it."""
    for row in ROWS:
        start = page.index(f'<article id="{row.claim.key}">')
        article = html.unescape(page[start : page.index("</article>", start)])
        assert f"“{row.claim.quote}”" in article
        unit = sentences.where_quoted(row.claim.key, row.claim.quote)
        assert f"<strong>{unit.shown}</strong>" in article
        assert f"Address: <code>{report.PATH}?paper_claim={row.claim.key}</code>" in article
        assert f"@misc{{exclusive-sparsity-{row.claim.key.replace('_', '-')}," in article


def test_the_address_of_the_report_opens_the_page():
    page = next(page for page in ui.PAGES if page.key == "paper_vs_measured")
    assert f"{page.prefix}claim" == "paper_claim"
    assert f"/{Path(page.file).stem.split('_', 1)[1]}" == report.PATH
    said = report.page(ROWS[:1], measured.Results(), "https://lab.example/sparse/Paper_vs_measured")
    assert "https://lab.example/sparse/Paper_vs_measured?paper_claim=" in said


def test_errata_in_the_report_have_both_sides(page):
    for erratum in ERRATA:
        for side in (erratum.printed, erratum.right):
            said = plain(side)
            assert said and not re.search(r"[$\\{}]", said), erratum.key
            assert f"<td>{html.escape(said)}</td>" in page, erratum.key


def test_figures_and_table_of_the_paper_are_in_the_report(page):
    """Each with its finding, its picture and the numbers that the page shows."""
    shown = html.unescape(page)
    for panel in measured.panels(RESULTS.figure2).values():
        assert race_figures.title(panel, "suboptimality", "seconds") in shown
        for label in measured.lane_labels(panel).values():
            assert f"<td>{label}</td>" in shown
    for noise in ("independent", "shared"):
        assert figures.accuracy_title(RESULTS.figure2d, noise) in shown
        for cell in figures.accuracy_table(RESULTS.figure2d, noise)["E-SVM"]:
            assert f"<td>{cell}</td>" in shown
    assert bounds.bound_view(RESULTS.theorem5, 5040, 8, 0.5).title in shown
    for protocol in measured.PROTOCOLS:
        view = figures.table_view(RESULTS.table1, protocol, "standardise", "weakest")
        assert view.title in shown
        for cell in view.table["E-SVM(R)"]:
            assert f"<td>{cell}</td>" in shown
    drawn = re.findall(r"<svg.*?</svg>", page)
    lines = [each for each in drawn if "<polyline" in each]
    assert len(lines) == len(measured.panels(RESULTS.figure2)) + 2 + 1
    for each in lines:
        root = ET.fromstring(each)
        _, _, width, height = map(float, root.get("viewBox").split())
        for line in root.iter("polyline"):
            for point in line.get("points").split():
                x, y = map(float, point.split(","))
                assert 0.0 <= x <= width and 0.0 <= y <= height


def test_what_is_made_on_demand_is_not_committed():
    """One command makes it; a copy in the source would grow stale."""
    root = Path(__file__).resolve().parents[3]
    ignored = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert report.TARGET in ignored
    assert not (root / "docs" / report.TARGET).exists()


def test_the_report_says_what_is_not_measured_yet(tmp_path, monkeypatch):
    monkeypatch.setenv(SHIPPED_FOLDER_VARIABLE, str(tmp_path))
    assert report.page(ROWS, RESULTS).count("<p>Not yet measured.</p>") == 2
    assert report.page(ROWS[:1], measured.Results()).count("<p>Not yet measured.</p>") == 2 + 4


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


# Addresses and entries that readers may hold name these keys; one that goes breaks theirs.
CITED = """
fig1_l2 fig1_l1 fig1_l21 fig1_le evenly pair_l2 pair_l1 pair_l21 pair_le pcp_rate locp_rate
licp_rate step_length first subgradient_rate lelr_rate kong_limit licp_admm_rate svm_subgradient
split q_matrix pcp_prox simple_prox nonsmooth overlapped_prox prox_by_cone lam_and_phi exponent
theorem_4 separable lemma_1 lemma_2 lemma_3 monotone sort_cost closed_form shrinkage norm_prox
lemma_1_steps lemma_2_steps lemma_3_steps strong_duality theorem_5 independent_of_n
only_requirement one_group as_large rule_of_thumb group_sizes constants conditioning monotone_in_s
bernstein half weaker_constant final_union fig_2a locp_pcp fig_2b fig_2c kong_cost gradient_cost
pcp_cost quadratic_cost locp_unavailable best_tuned no_specific esvm_first random_groups
slightly_worse comparable kong_announced few_features ten_percent as_printed table_overall hedge
table_protocol table_isolet table_mnist_138 table_pcmac table_tdt2 table_leu table_allaml
table_colorectal table_prostatecancer table_prostate_ge table_twitterhealthdata all_rates
fista_rate not_surprising efficiency effectiveness
"""


def test_keys_of_addresses_and_entries_stay():
    assert set(CITED.split()) <= set(claims.BY_KEY)
    row = next(row for row in ROWS if row.claim.key == "theorem_5")
    first = cite.of_claim(row, RESULTS, "").splitlines()[0]
    assert first == "@misc{exclusive-sparsity-theorem-5,"
    entry = cite.entry("table 1 ordinary none weakest", "", "", None, "").splitlines()[0]
    assert entry == "@misc{exclusive-sparsity-table-1-ordinary-none-weakest,"


def test_an_entry_has_the_day_of_its_own_check():
    """Parts of a file may have been measured again, each by a maker of its own."""
    parts = {k: part for k, part in RESULTS.statements.items() if isinstance(part, dict)}
    again = {name for name, part in parts.items() if "made" in part}
    by_check = {row.claim.check: row for row in ROWS if row.claim.check}
    assert again <= set(by_check)
    for check in again:
        made, row = RESULTS.statements[check]["made"], by_check[check]
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
