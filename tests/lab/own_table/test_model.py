"""The model to take home: same predictions as the fit, same digits elsewhere, an honest card."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lab import exports
from lab.own_table import card, model
from lab.own_table.decisions import Calibration
from solvers.model_file import LinearModel
from tests.lab.own_table.tables import fitted_case, mixed_table, number_table, table_of

ROOT = Path(__file__).resolve().parents[3]
TABLE = mixed_table()


def taken_home(table=TABLE, **changes):
    case = fitted_case(table, **changes)
    facts = card.about(case)
    return model.to_model(case.prepared, case.final, facts), case, facts


@pytest.mark.parametrize("method", ["esvm", "logistic"])
@pytest.mark.parametrize("standardise", [True, False])
def test_the_saved_model_scores_as_the_fitted_pipeline(method, standardise):
    fitted, case, _ = taken_home(method=method, standardise=standardise)
    assert fitted.decision_function(TABLE.frame) == pytest.approx(case.final.decision, abs=1e-12)
    assert fitted.kind == ("svm" if method == "esvm" else "logistic")


def test_a_fresh_process_reproduces_the_prediction_file_exactly(tmp_path):
    fitted, *_ = taken_home(method="logistic")
    fitted.save(tmp_path / "model.json")
    TABLE.frame.to_pickle(tmp_path / "frame.pkl")
    code = (
        "import sys, pandas as pd\nfrom lab import exports\nfrom lab.own_table.model import "
        "predictions\nfrom solvers import load_model\n"
        f"model = load_model({str(tmp_path / 'model.json')!r})\n"
        f"frame = pd.read_pickle({str(tmp_path / 'frame.pkl')!r})\n"
        "from lab.tables import ReadOptions, Table\n"
        "table = Table(frame, ReadOptions(), (), '')\n"
        "sys.stdout.buffer.write(exports.csv_bytes(predictions(model, table)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout == exports.csv_bytes(model.predictions(fitted, TABLE))


def test_predictions_have_scores_and_probabilities():
    fitted, *_ = taken_home(method="logistic")
    columns = model.predictions(fitted, TABLE)
    assert list(columns) == ["row", "predicted", "score", "probability of no", "probability of yes"]
    assert columns["row"].tolist() == list(range(1, 61))
    assert np.array_equal(columns["predicted"] == "yes", columns["score"] > 0.0)
    assert np.array_equal(columns["score"] > 0.0, columns["probability of yes"] > 0.5)


def test_columns_of_another_table_are_matched_by_name():
    fitted, *_ = taken_home(alpha=0.01, beta=0.1)
    frame = TABLE.frame.drop(columns="class").assign(more=1)
    frame = frame[frame.columns[::-1]]
    got = model.match(fitted, table_of(frame, "more"))
    assert got.fits and got.extra == ("more",) and got.missing == ()
    assert np.array_equal(fitted.predict(frame), fitted.predict(TABLE.frame))
    got = model.match(fitted, table_of(frame.drop(columns="a_one"), "more"))
    assert got.missing == ("a_one",) and not got.fits
    got = model.match(fitted, table_of(frame.assign(colour="violet"), "more"))
    assert got.unknown_categories == {"colour": ("violet",)}


def test_what_the_file_keeps_about_the_fit():
    fitted, case, facts = taken_home()
    about = json.loads(fitted.to_json())["about"]
    assert about == json.loads(json.dumps(facts))
    assert about["data"]["sha256"] == TABLE.digest
    assert about["data"]["rows per class"] == {
        name: int(count) for name, count in TABLE.frame["class"].value_counts().items()
    }
    assert about["strengths"] == {"beta": 10.0, "alpha": 1.0}
    assert about["certified relative gap"] == case.final.gap
    members = [name for group in about["groups"].values() for name in group]
    assert sorted(members) == sorted(case.prepared.feature_names)
    assert LinearModel.from_json(fitted.to_json()) == fitted


def test_the_card_states_data_settings_scores_and_certificate():
    _, case, facts = taken_home()
    text = card.model_card(case, facts)
    own = facts["held-out scores"]["E-SVM(R)"]["accuracy"]
    assert f"`{TABLE.digest}`" in text
    assert f"relative duality gap {case.final.gap:.1e}" in text
    low, high = own["interval"]
    assert f"| accuracy | E-SVM(R) | {own['mean']:.3f} | {low:.3f} to {high:.3f} |" in text
    assert "\nOrdinary K-fold, 3 folds" in text
    assert "β = 10, α = 1, set by hand" in text
    assert f"**Uses** {case.found.n_selected} of 10 features" in text


HOSTILE = "=cmd()|<script>alert(1)</script> $x$ [a](javascript:1) ![i](http://h/i.png)\nline"


def test_hostile_names_are_inert_on_the_card_and_in_files():
    frame = TABLE.frame.rename(columns={"a_one": HOSTILE})
    frame["class"] = frame["class"].map({"yes": "@SUM(1)", "no": "<img src=x onerror=alert(1)>"})
    table = table_of(frame, "class")
    fitted, case, facts = taken_home(table, method="logistic")
    text = card.model_card(case, facts)
    assert "<script>" not in text and "<img" not in text
    assert "](javascript" not in text and "http" not in text
    data = exports.csv_bytes(model.predictions(fitted, table)).decode()
    assert "\n1,@SUM" not in data and ",@SUM" not in data
    assert ",'@SUM(1)," in data
    assert pd.Series(fitted.predict(frame)).isin(["@SUM(1)", "<img src=x onerror=alert(1)>"]).all()


def test_a_calibrated_machine_gives_chances():
    _, case, facts = taken_home()
    fitted = model.to_model(case.prepared, case.final, facts, Calibration(2.0, -0.5))
    back = LinearModel.from_json(fitted.to_json())
    scores = fitted.decision_function(TABLE.frame)
    chances = back.predict_proba(TABLE.frame)
    assert chances[:, 1] == pytest.approx(1.0 / (1.0 + np.exp(-(2.0 * scores - 0.5))))
    assert "probability of yes" in model.predictions(back, TABLE)


def test_a_model_of_numbers_predicts_numbers_also_from_logarithms():
    table = number_table()
    table.frame["a_one"] = np.exp(table.frame["a_one"])
    case = fitted_case(table, target="quantity", method="lasso", lam=1.0, logs=("a_one",))
    fitted = LinearModel.from_json(
        model.to_model(case.prepared, case.final, card.about(case)).to_json()
    )
    assert fitted.kind == "number" and fitted.classes == ()
    assert fitted.predict(table.frame) == pytest.approx(case.final.decision, abs=1e-10)
    assert list(model.predictions(fitted, table)) == ["row", "predicted"]
    with pytest.raises(ValueError, match="negative in row 1"):
        fitted.predict(table.frame.assign(a_one=-1.0))
