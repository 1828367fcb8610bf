"""What is read off the result files, against plain computations and SciPy."""

import json
import math

import numpy as np
import pytest
from scipy import stats

from lab import measured
from lab.paper_numbers import TABLE_1
from tests.lab import paper_results


def test_missing_and_quick_files_are_none(tmp_path):
    assert set(vars(measured.read(tmp_path)).values()) == {None}
    (tmp_path / "theory.json").write_text(json.dumps({"quick": True}))
    (tmp_path / "prox.json").write_text(json.dumps({"against_sort": []}))
    found = measured.read(tmp_path)
    assert found.theory is None and found.prox == {"against_sort": []}


def test_folder_follows_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv(measured.RESULTS_FOLDER_VARIABLE, str(tmp_path))
    assert measured.results_folder() == tmp_path
    assert measured.signature() == ()
    (tmp_path / "prox.json").write_text("{}")
    assert [name for name, _ in measured.signature()] == ["prox"]


def test_seconds_are_medians_over_seeds_and_never_is_infinite():
    lanes = [paper_results.lasso_lanes(locp=(x, None, None)) for x in (3.0, 1.0, 2.0)]
    panel = {"title": "", "runs": [paper_results.run(each, k) for k, each in enumerate(lanes)]}
    assert measured.seconds_to(panel, "locp", 1e-2) == 2.0
    assert measured.seconds_to(panel, "locp", 1e-4) == math.inf
    order = measured.ranking(panel, ("locp", "pcp", "kong"), 1e-2)
    assert [lane for lane, _ in order] == ["pcp", "locp", "kong"]


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_order_of_fall_finds_the_power(power):
    lanes = {"licp": paper_results.lane((None,) * 3, label="x", power=power)}
    panel = {"title": "", "runs": [paper_results.run(lanes)]}
    assert measured.order_of_fall(panel, "licp", "gap") == pytest.approx(power, abs=1e-6)
    assert measured.order_of_fall(panel, "licp", "suboptimality") == pytest.approx(power, abs=1e-6)


def test_difference_is_the_paired_t_test():
    rng = np.random.default_rng(0)
    ones, others = rng.normal(0.1, 1.0, (2, 12))
    found = measured.Difference.of(ones, others)
    oracle = stats.ttest_rel(ones, others)
    low, high = oracle.confidence_interval(0.95)
    assert found.p == pytest.approx(oracle.pvalue)
    assert (found.low, found.high) == pytest.approx((low, high))
    # Folds that share data: the variance of the mean is (1/k + overlap) s² in place of s²/k.
    wider = measured.Difference.of(ones, others, overlap=0.25)
    assert (wider.high - wider.low) / (high - low) == pytest.approx(math.sqrt(1 + 12 * 0.25))
    assert wider.p > found.p


def test_equal_pairs_are_no_difference_and_one_pair_says_nothing():
    same = measured.Difference.of([0.5, 0.6], [0.5, 0.6])
    assert (same.value, same.p, same.significant) == (0.0, 1.0, False)
    single = measured.Difference.of([0.9], [0.1])
    assert not single.significant and single.low == -math.inf


def test_mean_has_its_standard_error():
    values = [0.1, 0.4, 0.7]
    found = measured.Mean.of(values)
    assert (found.value, found.count) == (pytest.approx(0.4), 3)
    assert found.error == pytest.approx(stats.sem(values))


def test_trials_are_those_that_all_methods_have():
    results = paper_results.figure2d(ms=(112, 315), repeats=3, noises=("independent",))
    cells = results["cells"]
    svm = next(cell for cell in cells if cell["m"] == 112 and cell["method"] == "svm")
    for name in ("number", "accuracy"):
        svm[name] = [svm[name][i] for i in (2, 0)]  # one repeat missing, and out of order
    cells[:] = [c for c in cells if not (c["m"] == 315 and c["method"] == "kong")]
    found = measured.trials(results, "independent")
    assert list(found) == [112]
    assert found[112]["svm"] == pytest.approx([0.700, 0.702])
    assert found[112]["esvm"].size == 2
    assert measured.trials(results, "shared") == {} == measured.trials(None, "shared")


def test_ways_are_of_the_folds_that_all_methods_have_by_both_rules():
    content = paper_results.table1(protocols=("ordinary",))
    leu = next(row for row in TABLE_1 if row.data == "leu")
    short = next(c for c in content["cells"] if (c["data"], c["ties"]) == ("leu", "strongest"))
    for name in ("number", "accuracy"):
        short[name] = short[name][1:]
    (way,) = measured.ways(content, leu)
    assert (way.done, way.folds, way.by_both_rules) == (4, 5, True)
    assert way.winner() == "esvm_r" and way.order("esvm_r", "svm") == 1
    # The corrected resampled t test, written out.
    values = way.accuracy["weakest"]["esvm_r"] - way.accuracy["weakest"]["svm"]
    error = values.std(ddof=1) * math.sqrt(1 / 4 + 1 / 4)
    test = way.difference("weakest", "esvm_r", "svm")
    assert test.p == pytest.approx(2 * stats.t.sf(values.mean() / error, 3))
    assert test.high - test.value == pytest.approx(stats.t.ppf(0.975, 3) * error)
    assert measured.ways(content, next(row for row in TABLE_1 if row.data is None)) == []


def test_differences_in_words():
    assert measured.Difference.of([0.5, 0.7], [0.4, 0.4]).in_points() == "+20.0 ± 127.1"
    assert measured.Difference.of([0.5], [0.6]).in_points() == "-10.0"


def test_the_papers_table_says_who_is_in_bold():
    bold = {row.title: measured.in_bold(row) for row in TABLE_1}
    assert {title for title, best in bold.items() if best != "esvm_r"} == {
        "Colorectal",
        "ProstateCancer",
    }
    assert sum(row.data is not None for row in TABLE_1) == 7
