"""Saved models: exact digits, plain JSON, one sentence for whatever is wrong with a file."""

import json
import math
import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import load_model
from solvers.model_file import CategoryInput, LinearModel, NumberInput, category_text

ROOT = Path(__file__).resolve().parents[2]

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)
NAMES = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


@st.composite
def models(draw):
    n_classes = draw(st.integers(2, 4))
    n_scores = 1 if n_classes == 2 else n_classes
    weights = st.tuples(*[NUMBERS | st.just(0.0)] * n_scores)
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    inputs = []
    for name in names:
        if draw(st.booleans()):
            scale = draw(st.floats(1e-3, 1e3))
            inputs.append(NumberInput(name, draw(weights), draw(NUMBERS), draw(NUMBERS), scale))
        else:
            categories = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
            inputs.append(
                CategoryInput(name, tuple(categories), tuple(draw(weights) for _ in categories))
            )
    return LinearModel(
        draw(st.sampled_from(["svm", "logistic"])),
        tuple(draw(st.lists(NAMES, min_size=n_classes, max_size=n_classes, unique=True))),
        tuple(inputs),
        draw(st.tuples(*[NUMBERS] * n_scores)),
        {"note": draw(NAMES)},
    )


def table_for(model, data) -> pd.DataFrame:
    n_rows = data.draw(st.integers(1, 4))
    columns = {}
    for each in model.inputs:
        if isinstance(each, NumberInput):
            cells = NUMBERS | st.just(math.nan)
        else:
            cells = st.sampled_from([*each.categories, "a stranger", None])
        columns[each.name] = data.draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
    return pd.DataFrame(columns)


def score_by_hand(model, row, k) -> float:
    """Python's own floats, term by term in the order of the file."""
    total = model.intercepts[k]
    for each in model.inputs:
        value = row[each.name]
        if isinstance(each, NumberInput):
            if any(each.weights):
                value = each.fill if value != value else value
                total += (value - each.centre) / each.scale * each.weights[k]
        else:
            text = "(missing)" if value is None or value != value else value
            for category, weights in zip(each.categories, each.weights, strict=True):
                if text == category:
                    total += weights[k]
    return total


@given(models(), st.data())
@settings(max_examples=60)
def test_reading_back_gives_the_same_model_and_the_same_digits(model, data):
    read = LinearModel.from_json(model.to_json())
    assert read == model
    table = table_for(model, data)
    scores = model.decision_function(table)
    assert np.array_equal(read.decision_function(table), scores)
    for i, (_, row) in enumerate(table.iterrows()):
        by_hand = [score_by_hand(model, row, k) for k in range(len(model.intercepts))]
        assert np.atleast_1d(scores[i]).tolist() == by_hand
        assert np.array_equal(model.decision_function(table.iloc[[i]])[0], scores[i])


def two_columns(**changes) -> LinearModel:
    parts = {
        "kind": "logistic",
        "classes": ("no", "yes"),
        "inputs": (
            NumberInput("size", (2.0,), fill=1.0, centre=1.0, scale=0.5),
            CategoryInput(
                "colour", ("blue", "red", "3", "(missing)"), ((1.0,), (-1.0,), (4.0,), (8.0,))
            ),
            NumberInput("idle", (0.0,)),
        ),
        "intercepts": (0.5,),
    }
    return LinearModel(**{**parts, **changes})


def test_what_the_model_computes():
    model = two_columns()
    table = pd.DataFrame(
        {"colour": ["red", "blue", "green", None], "size": [2.0, math.nan, 1.5, 0.0], "more": 1}
    )
    assert model.decision_function(table).tolist() == [3.5, 1.5, 2.5, 4.5]
    assert model.predict(table).tolist() == ["yes"] * 4
    chances = model.predict_proba(table)
    assert chances[:, 1] == pytest.approx([1 / (1 + math.exp(-s)) for s in (3.5, 1.5, 2.5, 4.5)])
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert model.unknown_categories(table) == {"colour": ("green",)}
    assert model.needed == ("size", "colour")


def test_columns_may_come_as_a_mapping_or_an_array_of_numbers():
    model = two_columns()
    assert model.decision_function({"size": [2.0], "colour": [3.0]}).tolist() == [8.5]
    numbers = LinearModel(
        "svm", (0, 1), (NumberInput("a", (1.0,)), NumberInput("b", (2.0,))), (0.0,)
    )
    assert numbers.decision_function(np.array([[1.0, 2.0], [0.0, -1.0]])).tolist() == [5.0, -2.0]
    assert numbers.predict(np.array([[1.0, 2.0], [0.0, -1.0]])).tolist() == [1, 0]


def test_nullable_and_text_columns_are_read_as_numbers():
    table = pd.DataFrame({"size": pd.array([2, None], dtype="Int64"), "colour": ["red", "red"]})
    assert two_columns().decision_function(table).tolist() == [3.5, -0.5]
    table = pd.DataFrame({"size": ["2.0", " "], "colour": ["red", "red"]})
    assert two_columns().decision_function(table).tolist() == [3.5, -0.5]


def test_the_largest_of_several_scores_wins():
    model = LinearModel(
        "logistic", ("a", "b", "c"), (NumberInput("x", (1.0, 0.0, -1.0)),), (0.0, 0.5, 0.0)
    )
    table = {"x": [2.0, 0.0, -2.0]}
    assert model.predict(table).tolist() == ["a", "b", "c"]
    assert model.predict_proba(table).sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"colour": ["red"]}, r"the table lacks 'size', which the model needs; rename"),
        ({"size": ["wide"], "colour": ["red"]}, r"'size' should hold numbers, but row 1 holds 'wi"),
        ({"size": [np.inf], "colour": ["red"]}, r"'size' is infinite in row 1; replace it"),
        ({"size": [1.0], "colour": ["red", "red"]}, r"columns must have one length"),
        (np.zeros((2, 2)), r"an array must have the model's 3 columns in their order"),
    ],
)
def test_tables_that_do_not_fit(table, sentence):
    with pytest.raises(ValueError, match=sentence):
        two_columns().predict(table)


def test_a_support_vector_machine_has_no_probabilities():
    with pytest.raises(ValueError, match="gives no probabilities; use decision_function"):
        two_columns(kind="svm").predict_proba({"size": [1.0], "colour": ["red"]})


def test_a_table_with_a_column_twice_is_refused():
    table = pd.DataFrame([[1.0, 2.0, "red"]], columns=["size", "size", "colour"])
    with pytest.raises(ValueError, match="has the column 'size' twice"):
        two_columns().predict(table)


def test_a_column_twice_that_the_model_does_not_need_is_ignored():
    once = pd.DataFrame([[1.0, "red"]], columns=["size", "colour"])
    more = pd.DataFrame([[1.0, "red", 5, 6]], columns=["size", "colour", "note", "note"])
    assert two_columns().predict(more) == two_columns().predict(once)


def test_one_long_text_does_not_cost_its_room_in_every_row():
    table = {"size": [1.0] * 1_000, "colour": ["red"] * 999 + ["x" * 200_000]}
    tracemalloc.start()
    scores = two_columns().decision_function(table)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert scores[0] != scores[-1]
    assert most < 10e6  # 800 MB at a fixed width


def damaged(**changes) -> str:
    content = json.loads(two_columns().to_json())
    content.update(changes)
    return json.dumps(content)


NUMBER = {"name": "x", "fill": 0, "centre": 0, "scale": 1, "weights": [1]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it is no JSON text"),
        ("{", "it is no JSON text"),
        ("[" * 100_000, "it is no JSON text"),
        (b"\xff\xfe\x00", "it is no JSON text"),
        (pickle.dumps({"format": "x"}), "it is no JSON text"),
        ("[]", "not a model of this software"),
        ('{"format": "other"}', "not a model of this software"),
        (damaged(version=3), "is of version 3, and this software reads version 2"),
        (damaged(kind="forest"), "kind must be 'svm' or 'logistic'"),
        (damaged(classes=["one"]), "classes must be a list of at least two"),
        (damaged(classes=["a", "a"]), "classes must be a list of at least two"),
        (damaged(classes=[["a"], ["b"]]), "classes must be a list of at least two"),
        (damaged(intercepts=[1, 2]), "intercepts must be a list of 1 finite number"),
        (damaged(intercepts=[True]), "intercepts must be a list of 1 finite number"),
        (damaged(intercepts=[10**400]), "intercepts must be a list of 1 finite number"),
        (damaged(intercepts=[1]).replace("[1]", "[NaN]"), "it is no JSON text"),
        (damaged(inputs=[]), "inputs must be a list of at least one column"),
        (damaged(inputs=[1]), "input 1 must be a mapping"),
        (damaged(inputs=[{**NUMBER, "name": 3}]), "the name of input 1 must be text"),
        (damaged(inputs=[NUMBER, NUMBER]), "inputs must be columns of different names"),
        (damaged(inputs=[{**NUMBER, "scale": 0}]), "scale of input 1 must be a finite number, p"),
        (damaged(inputs=[{**NUMBER, "weights": ["1"]}]), "weights of input 1 must be a list of 1"),
        (
            damaged(inputs=[{"name": "x", "categories": ["a", "a"], "weights": [[1], [1]]}]),
            "categories of input 1 must be a list of different texts",
        ),
        (
            damaged(inputs=[{"name": "x", "categories": ["a"], "weights": []}]),
            "weights of input 1 must be one list per category",
        ),
        (damaged(about=[]), "about must be a mapping"),
    ],
)
def test_a_file_that_is_no_model_says_why(tmp_path, text, sentence):
    path = tmp_path / "model.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=sentence):
        load_model(path)


def test_a_fresh_process_gives_the_same_digits_without_loading_scikit_learn(tmp_path):
    rng = np.random.default_rng(0)
    model = LinearModel(
        "logistic",
        ("a", "b", "c"),
        tuple(
            NumberInput(f"x{j}", tuple(rng.standard_normal(3)), *rng.standard_normal(2), 0.3)
            for j in range(7)
        ),
        tuple(rng.standard_normal(3)),
    )
    X = rng.standard_normal((5, 7))
    model.save(tmp_path / "model.json")
    np.save(tmp_path / "X.npy", X)
    code = (
        "import sys, json, numpy as np\nfrom solvers import load_model\n"
        f"model = load_model({str(tmp_path / 'model.json')!r})\n"
        f"X = np.load({str(tmp_path / 'X.npy')!r})\n"
        "loaded = [name for name in ('sklearn', 'pandas') if name in sys.modules]\n"
        "print(json.dumps([model.decision_function(X).tolist(), model.predict(X).tolist(), "
        "model.predict_proba(X).tolist(), loaded]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    scores, predicted, chances, loaded = json.loads(done.stdout)
    assert scores == model.decision_function(X).tolist()
    assert predicted == model.predict(X).tolist()
    assert chances == model.predict_proba(X).tolist()
    assert loaded == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (3.0, "3"),
        (3.5, "3.5"),
        (True, "True"),
        (np.float64(2.0), "2"),
        (None, "(missing)"),
        (math.nan, "(missing)"),
        (pd.NA, "(missing)"),
        (pd.NaT, "(missing)"),
        ("", ""),
    ],
)
def test_cells_as_categories(value, text):
    assert category_text(value) == text
