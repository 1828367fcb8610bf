"""What is read off the result files, against plain computations and SciPy."""

import json
import math

import pytest
from scipy import stats

from benchmarks.figure2 import KONG_FULL
from lab.data.paper_numbers import TABLE_1
from lab.paper import measured
from lab.races.panels import BENCHMARK_ONLY
from lab.results import SHIPPED_FOLDER_VARIABLE, shipped_folder
from solvers import LASSO_METHODS
from tests.lab.paper import paper_results


def test_missing_and_quick_files_are_none(tmp_path):
    assert set(vars(measured.read(tmp_path)).values()) == {None}
    (tmp_path / "theory.json").write_text(json.dumps({"quick": True}))
    (tmp_path / "prox.json").write_text(json.dumps({"against_sort": []}))
    found = measured.read(tmp_path)
    assert found.theory is None and found.prox == {"against_sort": []}


def test_folder_follows_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv(SHIPPED_FOLDER_VARIABLE, str(tmp_path))
    assert shipped_folder() == tmp_path
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
    assert way.highest_by_all() == "esvm_r"
    # The corrected resampled t test, written out.
    values = way.accuracy["weakest"]["esvm_r"] - way.accuracy["weakest"]["svm"]
    error = values.std(ddof=1) * math.sqrt(1 / 4 + 1 / 4)
    test = way.difference("weakest", "esvm_r", "svm")
    assert test.p == pytest.approx(2 * stats.t.sf(values.mean() / error, 3))
    assert test.high - test.mean == pytest.approx(stats.t.ppf(0.975, 3) * error)
    assert measured.ways(content, next(row for row in TABLE_1 if row.data is None)) == []


def test_the_papers_table_says_who_is_in_bold():
    bold = {row.title: measured.in_bold(row) for row in TABLE_1}
    assert {title for title, best in bold.items() if best != "esvm_r"} == {
        "Colorectal",
        "ProstateCancer",
    }
    assert sum(row.data is not None for row in TABLE_1) == 7


def test_kongs_forms_have_one_name_each_on_all_pages():
    """“Kong” alone, or as published, must not mean one thing here and another in the race."""
    labels = measured.lane_labels(measured.panels(measured.read().figure2)["2a"])
    forms = {key: label for key, label in labels.items() if key.startswith("kong")}
    assert len(set(forms.values())) == len(forms) == 3
    in_races = {key: method.label for key, method in LASSO_METHODS.items() if "kong" in key}
    assert in_races == {"kong": "Kong", "kong_smoothed": "Kong, smoothed"}
    assert set(in_races) | set(BENCHMARK_ONLY) == set(forms)
    for key, label in in_races.items():
        # The page adds what it is solved in, and says the rest in the same words.
        assert [w.strip(",()") for w in label.split()] == [
            w.strip(",()") for w in forms[key].split() if w.strip(",()") not in ("N", "×")
        ]
        assert "published" not in forms[key]
    assert KONG_FULL.label.replace(",", "") == "Kong n × n as published"
    assert forms["kong_full"] == "Kong (n × n, as published)"
