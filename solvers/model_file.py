"""Linear classifiers as files: preprocessing, weights and what they came from, in plain JSON.

    score_k(x) = b_k + Σ_j w_kj · (x_j − centre_j)/scale_j + Σ_c w_kc · [x is category c]

A file holds numbers and text only, so that reading one never runs code, and it says by itself what
the model does, whatever version of whatever library wrote it. Numbers are written so that they
read back exactly, and scores are summed in the order of the file, one column at a time, in plain
IEEE arithmetic: they come out the same to the last bit in every process, for one row or many.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from .model_checks import (
    as_classes,
    as_floats,
    as_kind,
    as_mapping,
    n_scores,
)
from .model_inputs import CategoryInput, NumberInput, as_entry, as_inputs, has_weight, logs
from .model_table import MISSING, category_text, cells, columns_of, numbers

__all__ = [
    "MISSING",
    "CategoryInput",
    "LinearModel",
    "NumberInput",
    "category_text",
    "load_model",
]

FORMAT = "exclusive-sparsity model"
VERSION = 2
_READ = (1, 2)
Table = Mapping[str, ArrayLike] | ArrayLike


def load_model(path: str | PathLike[str]) -> LinearModel:
    """A model saved by the app: `predict`, `decision_function` and, if logistic, `predict_proba`

    The file is JSON and is checked entry by entry; nothing in it is ever run.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    LinearModel
        The model, which predicts what it predicted in the app, to the last bit.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from solvers import load_model
    >>> from solvers.model_file import LinearModel, NumberInput
    >>> height = NumberInput("height", weights=(2.0,), centre=170.0, scale=10.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     LinearModel("svm", ("short", "tall"), (height,), (0.0,)).save(Path(folder) / "m.json")
    ...     model = load_model(Path(folder) / "m.json")
    >>> model.predict({"height": [150, 190]}).tolist()
    ['short', 'tall']
    """
    return LinearModel.from_json(Path(path).read_bytes())


@dataclass(frozen=True)
class LinearModel:
    """score_k(x) = b_k + Σ_j w_kj·xⱼ, a linear model with its preprocessing

    Two classes have one score, positive for the second; more have one each, and the largest wins.

    Parameters
    ----------
    kind : str
        "svm" or "logistic"; "number", whose score is the prediction, or "count", of which it is
        the logarithm.
    classes : tuple
        The classes, in the order of the scores; empty where a number is predicted.
    inputs : tuple of NumberInput and CategoryInput
        The columns, each with its preprocessing and weights.
    intercepts : tuple of float
        b of each score.
    about : mapping
        Whatever the writer wants to keep (settings, data digest, scores, certificate).
    calibration : pair of float, or None
        P(second of two classes) = 1/(1 + exp(−(slope·score + offset))).

    Examples
    --------
    >>> from solvers.model_file import CategoryInput, LinearModel, NumberInput
    >>> height = NumberInput("height", weights=(2.0,), centre=170.0, scale=10.0)
    >>> shoes = CategoryInput("shoes", ("flat", "high"), weights=((0.0,), (-1.0,)))
    >>> model = LinearModel("logistic", ("short", "tall"), (height, shoes), (0.0,))
    >>> model.decision_function({"height": [180, 180], "shoes": ["flat", "high"]}).tolist()
    [2.0, 1.0]
    """

    kind: str
    classes: tuple
    inputs: tuple[NumberInput | CategoryInput, ...]
    intercepts: tuple[float, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    calibration: tuple[float, ...] | None = None

    # -- what it does ------------------------------------------------------------------------

    @property
    def classes_(self) -> np.ndarray:
        """The classes, as scikit-learn's classifiers have them."""
        return np.array(self.classes)

    @property
    def needed(self) -> tuple[str, ...]:
        """Names of the columns that have a weight; a table may lack the others."""
        return tuple(each.name for each in self.inputs if has_weight(each))

    def decision_function(self, X: Table) -> np.ndarray:
        """One score per row for two classes, else one per row and class

        Parameters
        ----------
        X : data frame, mapping from names to columns, or array
            The table. An array has the inputs as its columns, in their order.

        Returns
        -------
        array of n_rows numbers, or n_rows × n_classes
            The scores.
        """
        columns, n_rows = self._columns(X)
        scores = np.tile(np.array(self.intercepts), (n_rows, 1))
        for each in self.inputs:
            if not has_weight(each):
                continue
            if isinstance(each, NumberInput):
                values = numbers(columns(each.name), each.name)
                if each.log:
                    values = logs(values, each.name)
                values = (np.where(np.isnan(values), each.fill, values) - each.centre) / each.scale
                scores += values[:, None] * np.array(each.weights)
            else:
                # As objects: a fixed width would give every row the room of the longest text.
                texts = np.array(
                    [category_text(value) for value in cells(columns(each.name))], dtype=object
                )
                for category, weights in zip(each.categories, each.weights, strict=True):
                    scores[texts == category] += np.array(weights)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Table) -> np.ndarray:
        """The class of the largest score, or the number predicted

        Parameters
        ----------
        X : data frame, mapping from names to columns, or array
            The table. An array has the inputs as its columns, in their order.

        Returns
        -------
        array of n_rows classes
            One a row.
        """
        if self.kind == "number":
            return self.decision_function(X)
        if self.kind == "count":
            return np.exp(self.decision_function(X))
        return self.classes_[self._winners(self.decision_function(X))]

    def predict_proba(self, X: Table) -> np.ndarray:
        """P(class | x): logistic for two classes, normalised one-vs-rest for more

        Parameters
        ----------
        X : data frame, mapping from names to columns, or array
            The table. An array has the inputs as its columns, in their order.

        Returns
        -------
        array, n_rows × n_classes
            Probabilities, in the order of `classes`.
        """
        if self.calibration is not None:
            slope, offset = self.calibration
            z = slope * self.decision_function(X) + offset
            return np.column_stack([special.expit(-z), special.expit(z)])
        if self.kind != "logistic":
            raise ValueError(
                "this model, a number's or an uncalibrated support vector machine's, gives no "
                "probabilities; use decision_function."
            )
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([special.expit(-scores), special.expit(scores)])
        return special.softmax(special.log_expit(scores), axis=1)

    def _columns(self, X):
        return columns_of(X, [each.name for each in self.inputs], self.needed)

    @staticmethod
    def _winners(scores) -> np.ndarray:
        return (scores > 0.0).astype(int) if scores.ndim == 1 else np.argmax(scores, axis=1)

    def unknown_categories(self, X: Table) -> dict[str, tuple[str, ...]]:
        """The categories of a table that the model has never seen

        Parameters
        ----------
        X : data frame, mapping from names to columns, or array
            The table. An array has the inputs as its columns, in their order.

        Returns
        -------
        dict of str to tuple of str
            By column; empty where the model knows them all.
        """
        columns, _ = self._columns(X)
        found = {}
        for each in self.inputs:
            if isinstance(each, CategoryInput) and has_weight(each):
                texts = {category_text(value) for value in cells(columns(each.name))}
                strangers = sorted(texts - set(each.categories))
                if strangers:
                    found[each.name] = tuple(strangers)
        return found

    # -- as a file ---------------------------------------------------------------------------

    def to_json(self) -> str:
        """The whole model as text; every number reads back exactly

        Returns
        -------
        str
            JSON.
        """
        content = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "classes": [_plain(value) for value in self.classes],
            "intercepts": [float(value) for value in self.intercepts],
            "inputs": [as_entry(each) for each in self.inputs],
            "about": dict(self.about),
        }
        if self.calibration is not None:
            content["calibration"] = [float(value) for value in self.calibration]
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file that `load_model` reads

        Parameters
        ----------
        path : str or path
            The file.
        """
        Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def from_json(cls, text: str | bytes) -> LinearModel:
        """The model that `to_json` wrote, checked entry by entry

        Parameters
        ----------
        text : str or bytes
            JSON.

        Returns
        -------
        LinearModel
            The model.
        """
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
        if content.get("version") not in _READ:
            raise ValueError(
                f"the model is of version {content.get('version')!r}, and this software reads "
                f"version {VERSION}; update the software or save the model again."
            )
        return cls(
            kind=(kind := as_kind(content.get("kind"))),
            classes=(classes := as_classes(content.get("classes"), kind)),
            intercepts=(
                intercepts := as_floats(content.get("intercepts"), n_scores(classes), "intercepts")
            ),
            inputs=as_inputs(content.get("inputs"), len(intercepts)),
            about=as_mapping(content.get("about", {}), "about"),
            calibration=None
            if content.get("calibration") is None
            else as_floats(content["calibration"], 2, "calibration"),
        )


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _refuse_constant(text):
    raise ValueError(f"{text} is not a number")
