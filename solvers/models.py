"""Linear classifiers as files: preprocessing, weights and what they came from, in plain JSON.

    score_k(x) = b_k + Σ_j w_kj · (x_j − centre_j)/scale_j + Σ_c w_kc · [x is category c]

A file holds numbers and text only, so that reading one never runs code, and it says by itself what
the model does, whatever version of whatever library wrote it. Numbers are written so that they
read back exactly, and scores are summed in the order of the file, one column at a time, in plain
IEEE arithmetic: they come out the same to the last bit in every process, for one row or many.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

__all__ = ["CategoryInput", "LinearModel", "NumberInput", "category_text", "load_model"]

FORMAT = "exclusive-sparsity model"
VERSION = 1
MISSING = "(missing)"
_KINDS = ("svm", "logistic")


def load_model(path) -> LinearModel:
    """A model saved by the app: `predict`, `decision_function` and, if logistic, `predict_proba`

    The file is JSON and is checked entry by entry; nothing in it is ever run.
    """
    return LinearModel.from_json(Path(path).read_bytes())


@dataclass(frozen=True)
class NumberInput:
    """A column of numbers: a missing one becomes `fill`, then x ↦ (x − centre)/scale

    `weights` holds one weight per score: one for two classes, else one per class.
    """

    name: str
    weights: tuple[float, ...]
    fill: float = 0.0
    centre: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True)
class CategoryInput:
    """A column of categories, an indicator each; a category not in the list adds nothing.

    `weights` holds a tuple per category. A missing value is the category "(missing)".
    """

    name: str
    categories: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class LinearModel:
    """A linear classifier with its preprocessing.

    Two classes have one score, positive for the second; more have one each, and the largest wins.
    `about` is whatever the writer wants to keep (settings, data digest, scores, certificate).
    """

    kind: str
    classes: tuple
    inputs: tuple[NumberInput | CategoryInput, ...]
    intercepts: tuple[float, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    # -- what it does ------------------------------------------------------------------------

    @property
    def classes_(self) -> np.ndarray:
        return np.array(self.classes)

    @property
    def needed(self) -> tuple[str, ...]:
        """Names of the columns that have a weight; a table may lack the others."""
        return tuple(each.name for each in self.inputs if _has_weight(each))

    def decision_function(self, X) -> np.ndarray:
        """One score per row for two classes, else one per row and class

        X is a frame or a mapping from names to columns, matched by name, or an array whose columns
        are the inputs in their order.
        """
        columns, n_rows = _columns(X, self)
        scores = np.tile(np.array(self.intercepts), (n_rows, 1))
        for each in self.inputs:
            if not _has_weight(each):
                continue
            if isinstance(each, NumberInput):
                values = _numbers(columns(each.name), each.name)
                values = (np.where(np.isnan(values), each.fill, values) - each.centre) / each.scale
                scores += values[:, None] * np.array(each.weights)
            else:
                # As objects: a fixed width would give every row the room of the longest text.
                texts = np.array(
                    [category_text(value) for value in _items(columns(each.name))], dtype=object
                )
                for category, weights in zip(each.categories, each.weights, strict=True):
                    scores[texts == category] += np.array(weights)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X) -> np.ndarray:
        """The class of the largest score."""
        return self.classes_[self._winners(self.decision_function(X))]

    def predict_proba(self, X) -> np.ndarray:
        """P(class | x): logistic for two classes, normalised one-vs-rest for more."""
        if self.kind != "logistic":
            raise ValueError(
                "this model is a support vector machine, which gives no probabilities; use "
                "decision_function, or fit an exclusive logistic regression."
            )
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([special.expit(-scores), special.expit(scores)])
        return special.softmax(special.log_expit(scores), axis=1)

    @staticmethod
    def _winners(scores) -> np.ndarray:
        return (scores > 0.0).astype(int) if scores.ndim == 1 else np.argmax(scores, axis=1)

    def unknown_categories(self, X) -> dict[str, tuple[str, ...]]:
        """Per column, the categories of a table that the model has never seen."""
        columns, _ = _columns(X, self)
        found = {}
        for each in self.inputs:
            if isinstance(each, CategoryInput) and _has_weight(each):
                texts = {category_text(value) for value in _items(columns(each.name))}
                strangers = sorted(texts - set(each.categories))
                if strangers:
                    found[each.name] = tuple(strangers)
        return found

    # -- as a file ---------------------------------------------------------------------------

    def to_json(self) -> str:
        """The whole model as text; every number reads back exactly."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "classes": [_plain(value) for value in self.classes],
            "intercepts": [float(value) for value in self.intercepts],
            "inputs": [_as_entry(each) for each in self.inputs],
            "about": dict(self.about),
        }
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def save(self, path) -> None:
        Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def from_json(cls, text: str | bytes) -> LinearModel:
        try:
            content = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise ValueError(
                "this file is not a model: it is no JSON text; use the file that the app saved."
            ) from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(
                f"this JSON file is not a model of this software: its format is not {FORMAT!r}."
            )
        if content.get("version") != VERSION:
            raise ValueError(
                f"the model is of version {content.get('version')!r}, and this software reads "
                f"version {VERSION}; update the software or save the model again."
            )
        return cls(
            kind=_kind(content.get("kind")),
            classes=(classes := _classes(content.get("classes"))),
            intercepts=(
                intercepts := _floats(content.get("intercepts"), _n_scores(classes), "intercepts")
            ),
            inputs=_inputs(content.get("inputs"), len(intercepts)),
            about=_mapping(content.get("about", {}), "about"),
        )


def category_text(value) -> str:
    """The category that a cell stands for: 3 and 3.0 are one, and so are all missing values."""
    if _is_missing(value):
        return MISSING
    if isinstance(value, (bool, np.bool_)):
        return "True" if value else "False"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


# -- reading a table -------------------------------------------------------------------------


def _columns(X, model: LinearModel):
    """A function from name to column, and the number of rows."""
    if hasattr(X, "columns") or isinstance(X, Mapping):
        names = list(getattr(X, "columns", X))
        held = set(names)
        missing = [name for name in model.needed if name not in held]
        if missing:
            more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
            raise ValueError(
                f"the table lacks {_listed(missing[:3])}{more}, which the model needs; rename its "
                "columns to the names the model was fitted with."
            )
        if len(held) < len(names):
            repeated = next((name for name in model.needed if names.count(name) > 1), None)
            if repeated is not None:
                raise ValueError(f"the table has the column {repeated!r} twice; keep one of them.")
        if hasattr(X, "columns"):
            return (lambda name: X[name]), len(X)
        columns = {name: _items(X[name]) for name in model.needed}
        lengths = {len(values) for values in columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns must have one length, got {sorted(lengths)}.")
        return columns.__getitem__, lengths.pop() if lengths else 0
    table = np.asarray(X)
    if table.ndim != 2 or table.shape[1] != len(model.inputs):
        raise ValueError(
            f"an array must have the model's {len(model.inputs)} columns in their order, got shape "
            f"{table.shape}; pass a frame to match columns by name."
        )
    positions = {each.name: j for j, each in enumerate(model.inputs)}
    return (lambda name: table[:, positions[name]]), table.shape[0]


def _items(column) -> Sequence:
    """The cells of a column, whatever holds it."""
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _numbers(column, name) -> np.ndarray:
    kind = getattr(column, "dtype", None)
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        values = np.asarray(column, dtype=float)
    else:
        values = np.array([_number(value, row, name) for row, value in enumerate(_items(column))])
        values = values.reshape(-1).astype(float)
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise ValueError(
            f"column {name!r} is infinite in row {infinite[0] + 1}; replace it by a number, or "
            "leave it empty."
        )
    return values


def _number(value, row, name) -> float:
    if _is_missing(value) or (isinstance(value, str) and not value.strip()):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"column {name!r} should hold numbers, but row {row + 1} holds {value!r}; correct it, "
            "or leave it empty."
        ) from None


def _is_missing(value) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def _has_weight(each) -> bool:
    if isinstance(each, NumberInput):
        return any(each.weights)
    return any(weight for weights in each.weights for weight in weights)


def _listed(names) -> str:
    return ", ".join(repr(name) for name in names)


# -- checking a file -------------------------------------------------------------------------


def _as_entry(each) -> dict:
    if isinstance(each, NumberInput):
        return {
            "name": each.name,
            "fill": float(each.fill),
            "centre": float(each.centre),
            "scale": float(each.scale),
            "weights": [float(weight) for weight in each.weights],
        }
    return {
        "name": each.name,
        "categories": list(each.categories),
        "weights": [[float(weight) for weight in weights] for weights in each.weights],
    }


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _refuse_constant(text):
    raise ValueError(f"{text} is not a number")


def _wrong(what, should) -> ValueError:
    return ValueError(f"the model file is damaged: {what} must be {should}; save it again.")


def _kind(value) -> str:
    if value not in _KINDS:
        raise _wrong("kind", " or ".join(repr(kind) for kind in _KINDS))
    return value


def _classes(value) -> tuple:
    kinds = {type(item) for item in value} if isinstance(value, list) else set()
    one_plain_kind = len(kinds) == 1 and kinds <= {str, int, float, bool}
    if not one_plain_kind or len(value) < 2 or len(set(value)) < len(value):
        raise _wrong("classes", "a list of at least two different names or numbers, of one type")
    return tuple(value)


def _n_scores(classes) -> int:
    return 1 if len(classes) == 2 else len(classes)


def _floats(value, length, what) -> tuple[float, ...]:
    good = isinstance(value, list) and len(value) == length and all(map(_is_finite, value))
    if not good:
        raise _wrong(what, f"a list of {length} finite number{'s' if length > 1 else ''}")
    return tuple(float(item) for item in value)


def _is_finite(value) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the largest float
        return False


def _mapping(value, what) -> dict:
    if not isinstance(value, dict):
        raise _wrong(what, "a mapping")
    return value


def _inputs(value, n_scores) -> tuple:
    if not isinstance(value, list) or not value:
        raise _wrong("inputs", "a list of at least one column")
    inputs = tuple(_input(entry, n_scores, f"input {j + 1}") for j, entry in enumerate(value))
    if len({each.name for each in inputs}) < len(inputs):
        raise _wrong("inputs", "columns of different names")
    return inputs


def _input(entry, n_scores, what) -> NumberInput | CategoryInput:
    entry = _mapping(entry, what)
    name = entry.get("name")
    if not isinstance(name, str):
        raise _wrong(f"the name of {what}", "text")
    if "categories" not in entry:
        numbers = {part: entry.get(part) for part in ("fill", "centre", "scale")}
        for part, number in numbers.items():
            if not _is_finite(number) or (part == "scale" and number <= 0.0):
                raise _wrong(f"{part} of {what}", "a finite number, positive for a scale")
        weights = _floats(entry.get("weights"), n_scores, f"weights of {what}")
        return NumberInput(name, weights, **{part: float(x) for part, x in numbers.items()})
    categories, weights = entry["categories"], entry.get("weights")
    texts = isinstance(categories, list) and all(isinstance(text, str) for text in categories)
    if not texts or len(set(categories)) < len(categories):
        raise _wrong(f"categories of {what}", "a list of different texts")
    if not isinstance(weights, list) or len(weights) != len(categories):
        raise _wrong(f"weights of {what}", "one list per category")
    return CategoryInput(
        name,
        tuple(categories),
        tuple(_floats(each, n_scores, f"weights of {what}") for each in weights),
    )
