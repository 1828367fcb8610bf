"""What the entries of a model file must be; a sentence where they are not."""

from __future__ import annotations

import math

_KINDS = ("svm", "logistic", "number", "count")


def damaged(what, should) -> ValueError:
    return ValueError(f"the model file is damaged: {what} must be {should}; save it again.")


def as_kind(value) -> str:
    if value not in _KINDS:
        raise damaged("kind", " or ".join(repr(kind) for kind in _KINDS))
    return value


def as_classes(value, kind) -> tuple:
    if kind in ("number", "count"):
        if value != []:
            raise damaged("classes", "empty where a number is predicted")
        return ()
    kinds = {type(item) for item in value} if isinstance(value, list) else set()
    one_plain_kind = len(kinds) == 1 and kinds <= {str, int, float, bool}
    if not one_plain_kind or len(value) < 2 or len(set(value)) < len(value):
        raise damaged("classes", "a list of at least two different names or numbers, of one type")
    return tuple(value)


def as_floats(value, length, what) -> tuple[float, ...]:
    good = isinstance(value, list) and len(value) == length and all(map(is_finite, value))
    if not good:
        raise damaged(what, f"a list of {length} finite number{'s' if length > 1 else ''}")
    return tuple(float(item) for item in value)


def is_finite(value) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the largest float
        return False


def as_mapping(value, what) -> dict:
    if not isinstance(value, dict):
        raise damaged(what, "a mapping")
    return value


def n_scores(classes) -> int:
    return 1 if len(classes) in (0, 2) else len(classes)
