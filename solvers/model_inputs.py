"""The columns of a model: numbers with their preprocessing, categories, and their file entries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .model_checks import as_floats, as_mapping, damaged, is_finite


@dataclass(frozen=True)
class NumberInput:
    """A column of numbers: a missing one becomes `fill`, then x ↦ (x − centre)/scale

    Where `log` is true, log(1 + x) takes the place of x. `weights` holds one weight per score: one
    for two classes or a number, else one per class.
    """

    name: str
    weights: tuple[float, ...]
    fill: float = 0.0
    centre: float = 0.0
    scale: float = 1.0
    log: bool = False


@dataclass(frozen=True)
class CategoryInput:
    """A column of categories, an indicator each; a category not in the list adds nothing.

    `weights` holds a tuple per category. A missing value is the category "(missing)".
    """

    name: str
    categories: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]


def logs(values: np.ndarray, name) -> np.ndarray:
    negative = np.flatnonzero(values < 0.0)
    if negative.size:
        raise ValueError(
            f"column {name!r} is negative in row {negative[0] + 1}, and the model takes its "
            "logarithm; correct it, or leave it empty."
        )
    return np.log1p(values)


def has_weight(each) -> bool:
    if isinstance(each, NumberInput):
        return any(each.weights)
    return any(weight for weights in each.weights for weight in weights)


def as_entry(each) -> dict:
    if isinstance(each, NumberInput):
        return {
            "name": each.name,
            "fill": float(each.fill),
            "centre": float(each.centre),
            "scale": float(each.scale),
            **({"log": True} if each.log else {}),
            "weights": [float(weight) for weight in each.weights],
        }
    return {
        "name": each.name,
        "categories": list(each.categories),
        "weights": [[float(weight) for weight in weights] for weights in each.weights],
    }


def as_inputs(value, n_scores) -> tuple:
    if not isinstance(value, list) or not value:
        raise damaged("inputs", "a list of at least one column")
    inputs = tuple(_input(entry, n_scores, f"input {j + 1}") for j, entry in enumerate(value))
    if len({each.name for each in inputs}) < len(inputs):
        raise damaged("inputs", "columns of different names")
    return inputs


def _input(entry, n_scores, what) -> NumberInput | CategoryInput:
    entry = as_mapping(entry, what)
    name = entry.get("name")
    if not isinstance(name, str):
        raise damaged(f"the name of {what}", "text")
    if "categories" not in entry:
        numbers = {part: entry.get(part) for part in ("fill", "centre", "scale")}
        for part, number in numbers.items():
            if not is_finite(number) or (part == "scale" and number <= 0.0):
                raise damaged(f"{part} of {what}", "a finite number, positive for a scale")
        weights = as_floats(entry.get("weights"), n_scores, f"weights of {what}")
        log = entry.get("log", False)
        if not isinstance(log, bool):
            raise damaged(f"log of {what}", "true or false")
        return NumberInput(name, weights, **{k: float(x) for k, x in numbers.items()}, log=log)
    categories, weights = entry["categories"], entry.get("weights")
    texts = isinstance(categories, list) and all(isinstance(text, str) for text in categories)
    if not texts or len(set(categories)) < len(categories):
        raise damaged(f"categories of {what}", "a list of different texts")
    if not isinstance(weights, list) or len(weights) != len(categories):
        raise damaged(f"weights of {what}", "one list per category")
    return CategoryInput(
        name,
        tuple(categories),
        tuple(as_floats(each, n_scores, f"weights of {what}") for each in weights),
    )
