"""What leaves the page: the analysis as a file, the report, the reader, plain pipelines."""

import html
import io
import json
import re
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from lab.own_table import analysis_file, card, model, pipeline, reader, report, winners
from lab.own_table.code import forest_snippet
from lab.own_table.contenders import LABELS
from lab.own_table.health import Finding
from lab.own_table.view import analysis
from lab.own_table.work import Ledger, chance_tasks, fit_tasks, stability_tasks
from lab.words import capitalised
from solvers import load_model
from tests.lab.code_runner import printed_by
from tests.lab.own_table.tables import fitted_case, mixed_table, number_table, run, table_of

CASE = fitted_case(mixed_table(), tuning="auto")
NUMBERS = fitted_case(number_table(), target="quantity", method="lasso")


def known(case):
    """The case's ledger, with made-up shuffled labels and half-samples."""
    ledger = Ledger()
    for outcome in case.outcomes:
        (task,) = fit_tasks(case.spec, [(outcome.key, outcome.fold)])
        ledger.put(case.table_key, task, outcome)
    for task in chance_tasks(case.spec):
        ledger.put(case.table_key, task, np.linspace(0.4, 0.6, 19))
    for task in stability_tasks(case.spec):
        ledger.put(case.table_key, task, np.ones((10, case.prepared.n_features), dtype=bool))
    return ledger


def saved(data=b"a,b\n1,2\n"):
    return analysis_file.Analysis(
        "table.csv",
        "0" * 64,
        CASE.table_key,
        {"beta": "10", "folds": 5, "standardise": True},
        {"csv_label": "class", "csv_left_out": ["x"]},
        known(CASE).of_table(CASE.table_key),
        "{}",
        data,
        {"csv_groups": ("g.csv", b"f,g\n")},
    )


@pytest.mark.parametrize("data", [b"a,b\n1,2\n" * 1000, None])
def test_an_analysis_comes_back_from_its_file_as_it_was(data):
    found = analysis_file.from_bytes(analysis_file.to_bytes(saved(data)))
    assert found.data == data and found.table_key == CASE.table_key
    assert found.files == {"csv_groups": ("g.csv", b"f,g\n")}
    assert dict(found.controls) == {"beta": "10", "folds": 5, "standardise": True}
    ledger = Ledger()
    for task, value in found.results:
        ledger.put(found.table_key, task, value)
    back, before = ledger.completed(CASE.knowing(outcomes=())), known(CASE).completed(CASE)
    assert back.fitted and back.verdict == before.verdict
    assert np.array_equal(back.found.coef, before.found.coef)
    assert np.array_equal(back.stability.draws, before.stability.draws)
    assert back.final.choice.scores == pytest.approx(before.final.choice.scores, nan_ok=True)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "no JSON"),
        (b"[]", "no analysis"),
        (b'{"format": "exclusive-sparsity analysis", "version": 9}', "version 9"),
        (b'{"format": "exclusive-sparsity analysis", "version": 1}', "damaged"),
        (
            analysis_file.to_bytes(saved()).replace(b'"array"', b'"pickle"'),
            "what this software does not write",
        ),
    ],
)
def test_a_file_that_is_no_analysis_says_why(data, sentence):
    with pytest.raises(analysis_file.AnalysisError, match=sentence):
        analysis_file.from_bytes(data)


def coded(n_classes: int):
    """Numbers that are categories (1.0, 3.0 and gaps), which decide among other columns."""
    frame = mixed_table().frame.drop(columns=["colour", "shape"])
    ward = np.resize([1.0, 3.0, np.nan, 3.0], len(frame))
    label = np.where(ward == 3.0, "a", np.where(ward == 1.0, "b", ["c", "a"][n_classes == 2]))
    table = table_of(frame.assign(ward=ward, **{"class": label}), "class")
    return fitted_case(table, categorical=("ward",), alpha=0.1, beta=1.0)


def visits():
    """Counts that follow the logarithm of a column."""
    frame = number_table().frame
    frame["a_one"] = np.exp(frame["a_one"])
    frame["y"] = np.round(frame["a_one"])
    options = dict(target="counts", method="poisson", logs=("a_one",), lam=1.0)
    return fitted_case(table_of(frame, "y"), **options)


READ_BACK = {
    "classes": CASE,
    "numbers": NUMBERS,
    "codes": coded(2),
    "three classes": coded(3),
    "counts and logarithms": visits(),
}


@pytest.mark.parametrize("name", list(READ_BACK))
def test_the_reader_that_ships_predicts_what_the_model_does_without_any_library(name, tmp_path):
    case = READ_BACK[name]
    fitted = model.to_model(case.prepared, case.final, card.about(case))
    with zipfile.ZipFile(io.BytesIO(analysis.model_with_reader(fitted.to_json()))) as archive:
        archive.extractall(tmp_path)
    rows = case.table.frame.to_dict("records")
    (tmp_path / "rows.json").write_text(json.dumps(rows, default=float))
    code = (
        f"import json, sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport model_reader\n"
        f"model = model_reader.load({str(tmp_path / 'model.json')!r})\n"
        f"rows = json.load(open({str(tmp_path / 'rows.json')!r}))\n"
        "print(json.dumps([model_reader.predict(model, row) for row in rows]))"
    )
    # Isolated and without site-packages: what is installed here is of no use to it.
    alone = [sys.executable, "-I", "-S", "-c", code]
    told = json.loads(subprocess.run(alone, capture_output=True, check=True).stdout)
    expected = fitted.predict(case.table.frame)
    assert len(np.unique(expected)) > 1
    if case.is_classes:
        assert told == expected.tolist()
        assert set(told) == set(case.prepared.classes), "or some category or class went untried"
    else:
        assert told == pytest.approx(expected, rel=1e-9)


def test_the_reader_is_short_and_needs_nothing():
    text = Path(reader.__file__).read_text(encoding="utf-8").splitlines()
    code = [line for line in text if line.strip() and not line.strip().startswith('"""')]
    assert len(code) <= 30
    assert {line for line in code if line.startswith(("import", "from"))} == {
        "import json",
        "import math",
    }


@pytest.mark.parametrize("method", ["esvm", "logistic"])
def test_the_plain_pipeline_predicts_what_the_model_does(method):
    case = fitted_case(mixed_table(), method=method)
    pipe = pipeline.plain_pipeline(case)
    assert pipe.decision_function(case.prepared.X) == pytest.approx(case.final.decision, abs=1e-12)
    names = {type(step).__module__.split(".")[0] for _, step in pipe.steps}
    assert names == {"sklearn"}
    counts = number_table().frame.assign(y=np.resize([0.0, 1.0, 4.0], 60))
    poisson = fitted_case(table_of(counts, "y"), target="counts", method="poisson")
    for case in (NUMBERS, poisson):
        predicted = pipeline.plain_pipeline(case).predict(case.prepared.X)
        assert predicted == pytest.approx(case.final.decision, rel=1e-12, abs=1e-12)


def test_the_order_of_a_plain_pipelines_columns_is_told():
    told = pipeline.takes(CASE).replace("\\", "")
    logs = pipeline.takes(READ_BACK["counts and logarithms"]).replace("\\", "")
    assert "4 numbers (a_one, a_two, b_one and b_two), NaN where missing; " in told
    assert "colour as 0 blue, 1 green and 2 red; shape as 0 long, 1 round and 2 (missing)." in told
    assert "as log(1 + x): a_one" in logs


HOSTILE = "<script>alert(1)</script>"


def test_the_report_is_one_page_with_everything_and_nothing_runs_from_the_table():
    frame = mixed_table().frame.rename(columns={"a_one": HOSTILE})
    case = fitted_case(table_of(frame, "class"))
    doubts = [Finding("leak", f"'{HOSTILE}' alone nearly separates the classes.")]
    text = report.html_report(case, doubts, [], date(2026, 1, 2))
    assert HOSTILE not in text and html.escape(HOSTILE) in text
    for part in ("E-SVM", "2026-01-02", case.table.digest, "SciPy", f"{case.final.gap:.1e}"):
        assert part in text
    assert "classifies" in text and "**" not in text


@pytest.mark.parametrize("case", [CASE, NUMBERS], ids=["classes", "numbers"])
def test_the_report_holds_the_figures_of_the_page_and_draws_them_by_itself(case):
    text = analysis.report_of(case, [])
    third = "held-out predictions" if case.is_classes else "Half of the held-out rows"
    assert text.count("Plotly.newPlot(") == 3 and text.count("<h3>") == 3
    for words in (f"{case.found.n_selected} features used", capitalised(case.label), third):
        assert any(words in each for each in re.findall(r"<h3>(.*?)</h3>", text))
    assert not re.search(r"<script[^>]*src=", text), "it is read without a network"


def compared(case, keys):
    """The case with all folds of some others, and their fits on all rows."""
    folds = [run(case, key, fold) for key in keys for fold in range(case.spec.n_folds)]
    return case.knowing(outcomes=(*case.outcomes, *folds)), [run(case, key, None) for key in keys]


@pytest.mark.parametrize(
    ("case", "keys"),
    [(CASE, ("svm", "sparse_svm", "logistic_l1", "kong")), (NUMBERS, ("ridge", "elastic_net"))],
    ids=["classes", "numbers"],
)
def test_any_linear_model_of_the_comparison_can_be_taken_home(case, keys, tmp_path):
    case, finals = compared(case, keys)
    assert {row.key for row in winners.others(case)} == set(keys)
    for outcome in finals:
        fitted = winners.model_of(case, outcome)
        fitted.save(tmp_path / "model.json")
        read = load_model(tmp_path / "model.json")
        frame = case.table.frame
        scores = read.decision_function(frame) if case.is_classes else read.predict(frame)
        assert scores == pytest.approx(outcome.decision, rel=1e-9, abs=1e-9)
        assert read.about["model"] == LABELS[outcome.key] and "verdict" not in read.about
        rows = case.table.frame.to_dict("records")[:5]
        theirs = reader.load(tmp_path / "model.json")
        got = [reader.predict(theirs, row) for row in rows]
        assert (
            got == pytest.approx(read.predict(frame).tolist()[:5])
            or got == (read.predict(frame).tolist()[:5])
        )


@pytest.mark.parametrize("case", [CASE, NUMBERS], ids=["classes", "numbers"])
def test_a_forest_comes_as_a_script_that_scores_the_same(case, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(case.table.frame.to_csv(index=False))
    printed = printed_by(forest_snippet(case, str(path)))
    scores = [run(case, "forest", fold).metrics[case.metric] for fold in range(3)]
    assert float(printed.split(": ")[1]) == pytest.approx(np.mean(scores), abs=1e-12)
