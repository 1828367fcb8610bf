"""A model as a plain scikit-learn pipeline: nothing of this software is needed to load it."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from lab.own_table.case import Case
from lab.own_table.encoding import preprocessor
from lab.words import counted, in_markdown, listed_in_markdown

_MOST_TOLD = 4  # columns of categories whose codes are spelled out


def plain_pipeline(case: Case) -> Pipeline:
    """The preprocessing, fitted to all rows, and scikit-learn's own linear model with our weights.

    Its rows are those of `Prepared.X`: numbers first (with their logarithms taken), then the place
    of each category in its list.
    """
    transform = preprocessor(case.prepared).fit(case.prepared.X)
    final = case.final
    n_features = case.prepared.n_features
    if not case.is_classes:
        # Fitted to nothing, so that all is there that scikit-learn looks for; then our weights.
        counts = case.spec.method == "poisson"
        model = PoissonRegressor() if counts else LinearRegression()
        model.fit(np.zeros((2, n_features)), np.ones(2))
        model.coef_, model.intercept_ = final.coef[0], np.float64(final.intercept[0])
    else:
        logistic = case.spec.method == "logistic"
        model = LogisticRegression() if logistic else LinearSVC()
        model.coef_, model.intercept_ = final.coef, final.intercept
        model.classes_ = np.array(case.prepared.classes)
        model.n_features_in_ = n_features
    return Pipeline([("preprocess", transform), ("model", model)])


def takes(case: Case) -> str:
    """What an array for the pipeline holds, column by column, in Markdown: it knows no names."""
    columns = case.prepared.columns
    numbers = [each for each in columns if each.categories is None]
    parts = []
    if numbers:
        names = listed_in_markdown([each.name for each in numbers])
        parts.append(f"{counted(len(numbers), 'number')} ({names}), NaN where missing")
    logs = [each.name for each in numbers if each.log]
    if logs:
        parts.append(f"as log(1 + x): {listed_in_markdown(logs)}")
    for each in columns[len(numbers) :][:_MOST_TOLD]:
        places = [f"{place} {category}" for place, category in enumerate(each.categories)]
        parts.append(f"{in_markdown(each.name)} as {listed_in_markdown(places, 8)}")
    more = len(columns) - len(numbers) - _MOST_TOLD
    if more > 0:
        parts.append(f"{counted(more, 'more column')} of categories, by place in the model's lists")
    return f"The plain pipelines take an array, its columns in this order: {'; '.join(parts)}."


def available(ending: str) -> bool:
    return find_spec({"skops": "skops", "onnx": "skl2onnx"}[ending]) is not None


def as_skops(case: Case) -> bytes | None:
    """The pipeline in skops' format; None where that library is not installed."""
    try:
        from skops.io import dumps
    except ImportError:
        return None
    return dumps(plain_pipeline(case))


def as_onnx(case: Case) -> bytes | None:
    """The pipeline as ONNX, in single precision; None where skl2onnx is not installed."""
    try:
        from skl2onnx import to_onnx
    except ImportError:
        return None
    pipe = plain_pipeline(case)
    # Scores and chances as plain arrays. Single precision, for which alone ONNX fills gaps.
    plain = {LogisticRegression: {"zipmap": False}, LinearSVC: {"raw_scores": True}}
    told = {id(pipe[-1]): plain[type(pipe[-1])]} if type(pipe[-1]) in plain else None
    return to_onnx(pipe, case.prepared.X[:1].astype(np.float32), options=told).SerializeToString()
