"""The README keeps its word: its example runs, its picture is computed, its commands exist."""

import re
from pathlib import Path

import pytest

import solvers
from benchmarks import common
from docs import claims, make_benchmark_chart, make_picture
from lab.home import shrinkage
from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS
from solvers.registry import AUTOMATIC

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_there_is_an_example():
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example):
    exec(compile(example, "README.md", "exec"), {"__name__": "readme"})


def test_picture_is_what_the_home_page_computes():
    assert "docs/shrinkage.svg" in README
    assert make_picture.PATH.read_text(encoding="utf-8") == make_picture.picture()


def test_the_sentence_below_the_picture_is_computed():
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, float(shrinkage.DEFAULT_ZETA))
    lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
    assert shrinkage.answer(exclusive, lasso) in " ".join(README.split())


@pytest.mark.parametrize("name", [n for n in solvers.__all__ if n[0].islower() or "xclusive" in n])
def test_every_function_and_estimator_is_named(name):
    assert f"`{name}`" in README or f"`{name}." in README


def test_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake (?:[A-Z]+=\S+ )*([a-z]+)\b", README))
    assert {"run", "test"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


def test_measured_numbers_are_those_of_the_committed_results():
    for sentence in claims.sentences():
        assert sentence in README, sentence


def test_benchmark_chart_is_drawn_from_the_committed_results():
    assert "docs/benchmark.svg" in README
    fresh = make_benchmark_chart.picture(common.read("compare"))
    assert make_benchmark_chart.PATH.read_text(encoding="utf-8") == fresh


def test_committed_results_are_of_full_runs_that_met_their_targets():
    compared, scaled = common.read("compare"), common.read("scaling")
    assert not compared["quick"] and not scaled["quick"]
    for name, least in (
        ("lasso_disjoint", 40),
        ("lasso_overlapped", 40),
        ("svm_1_10", 50),
        ("svm_100_100", 50),
    ):
        outcome = compared["experiments"][name]
        assert outcome["rows"]["ours to 1e-06"]["gap"] <= 1e-6
        assert outcome["rows"]["ours to 1e-08"]["gap"] <= 1e-8
        outside = claims.outside_ratios(outcome)
        assert outside[claims.CLARABEL] >= least and min(outside.values()) >= 20
        # LOCP and PCP to 1e-2, LICP with one step length to 1e-3.
        ratios = claims.paper_ratios(outcome)
        assert ratios and min(ratios.values()) >= (10 if "lasso" in name else 20)
    for row in compared["experiments"]["path"]["paths"].values():
        assert row["worst_gap"] <= 1e-6
        assert row["pairs_of_products"] <= 220  # "about 200"
    assert scaled["rows"][-1]["n_features"] == 1_000_000
    assert scaled["rows"][-1]["largest_memory_gb"] < 4.0
    prox = common.read("prox")
    assert all(row["met"] for row in prox["against_sort"])
    # The paper's own groups are contiguous; the target is met on one BLAS thread and on all.
    paper_groups = [row for row in prox["locp_iteration"] if row["groups"] == "contiguous"]
    assert len(paper_groups) >= 2 and all(row["met"] for row in paper_groups)
    assert all(row[key]["gap"] <= 1e-3 for row in scaled["rows"] for key in ("lasso", "svm"))


def test_every_method_is_in_the_table():
    for methods in (LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS):
        for key in methods:
            assert f"`{key}`" in README, key


def test_the_automatic_choice_is_the_one_described():
    told = " ".join(README.split())
    for chain in ("`active_set`, then `newton`, then `locp` or `pcp`", "`quasi_newton`, `newton`"):
        assert chain in told
    in_memory = [method.key for method in AUTOMATIC if not method.in_passes]
    assert in_memory == ["auto", "auto", "locp", "pcp"]
    assert [method.key for method in AUTOMATIC if method.in_passes] == ["auto", "auto"]


def test_readme_lists_every_page_with_its_question():
    from lab.ui import frame

    for page in frame.PAGES:
        assert f"| {page.label} | {page.question} |" in README


def test_readme_names_only_files_there_are():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_wide_paths_met_their_targets():
    rows = common.read("peers")["rows"]
    for name in ("B4", "B5", "B4 wide"):
        assert rows[name]["points"] == 20 and rows[name]["products"] <= 100
        assert rows[name]["worst_gap"] <= 1e-6 and rows[name]["worst_eta"] <= 1e-6
    assert rows["B4"]["times_faster_than_former"] >= 8
    for name in ("B4", "B5"):
        assert rows[name]["before"]["times_longer"] >= 5, name
    assert rows["B4 wide"]["peak_memory_gb"] < 4.0


def test_whole_selections_are_not_slower_than_scikit_learns():
    results = common.read("cross_validation")
    assert set(results["sets"]) == set(claims.SETS)
    for name, found in results["sets"].items():
        times = {key: row["cpu_seconds"] for key, row in found["rows"].items()}
        ours = {key: times.pop(key) for key in ("ExclusiveSVCCV", "ExclusiveLassoCV")}
        assert max(ours.values()) <= max(times.values()), name
    for name in ("allaml", "prostate_ge", "pcmac"):
        rows = results["sets"][name]["rows"]
        hinge = rows["LinearSVC, hinge"]["cpu_seconds"]
        assert rows["ExclusiveSVCCV"]["cpu_seconds"] < hinge
