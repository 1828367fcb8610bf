"""What the same argument means everywhere, said once: `documented` puts it into docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

_Documented = TypeVar("_Documented")

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)

COMMON = {
    "X": """array, data frame, scipy sparse matrix or Dask array, n_samples × n_features
    The data. Sparse data stay sparse; a Dask array stays where it is, and is gone through in
    passes.""",
    "sample_weight": """array of n_samples numbers, optional
    How much each sample counts, at least 0; 1 unless given.""",
    "positive": """bool or array of n_features bools
    True asks for w ≥ 0; one flag a feature asks for it where the flag is True.""",
    "feature_weight": """array of n_features numbers, optional
    f ≥ 0, for the norm √(Σ_g (Σ_{i∈g} fᵢ|wᵢ|)²); 1 unless given. The norm leaves a feature of
    weight 0 alone.""",
    "group_weight": """array of n_groups numbers, optional
    k > 0, for the norm √(Σ_g k_g ‖w_g‖₁²); 1 unless given.""",
}

SOLVER = COMMON | {
    "y": """array of n_samples numbers
    What is predicted.""",
    "groups": """Groups, labels or lists
    Which features compete: a `Groups`, one label a feature, or lists of features, which may
    overlap.""",
    "lam": """float
    λ > 0, the strength of the penalty. There is no largest useful one: the squared norm is flat
    at 0.""",
    "method": """str
    A key of the problem's table of methods, or "auto" for the first good one that accepts the
    problem.""",
    "tol": """float
    The certified relative duality gap to stop at.""",
    "max_iter": """int, optional
    Stop after that many iterations; by default the method's own limit.""",
    "max_seconds": """float, optional
    Stop after that many seconds of the method's own time, for a Dask array before the next pass
    over it; no limit by default.""",
    "w0": """array of n_features numbers, optional
    Where to start; at 0 unless given.""",
    "fit_intercept": """bool
    Whether b is fitted too, without a penalty, or stays 0.""",
    "callback": """callable, optional
    Called as `callback(record, w)` at every measurement; cancels by returning True.""",
    "exponent": """float
    q in Σ_g ‖w_g‖₁^q, in place of the squared norm's 2; others are solved by "pcp" only.""",
    "options": """
    Further options of the method, such as `restart=True` of the first-order ones.""",
}

ESTIMATOR = COMMON | {
    "y": """array of n_samples numbers
    The targets.""",
    "lam": """float
    λ > 0, the strength of the penalty. The loss is a sum over samples.""",
    "alpha": """float
    α > 0, the strength of ‖w‖²; the standard SVM's C is 1/α.""",
    "beta": """float
    β > 0, the strength of ‖w‖_e².""",
    "groups": """None, int, labels, lists, mapping, callable or Groups
    Which features compete. A number draws that many random groups, and None as many as
    `default_n_groups` recommends. What follows the columns, inside RFE or a pipeline that selects,
    is a mapping from column name to label, which may name more columns than X has, or a function
    of X that returns any of these.""",
    "fit_intercept": """bool
    Whether b is fitted too, without a penalty, or stays 0.""",
    "class_weight": """None, "balanced" or mapping from class to weight
    How much the samples of each class count.""",
    "method": """str
    A key of the problem's table of methods, or "auto".""",
    "tol": """float
    The certified relative duality gap to stop at.""",
    "max_iter": """int, optional
    Stop after that many iterations; by default the method's own limit.""",
    "random_state": """int, RandomState or None
    Draws the random groups; None follows numpy's global seed.""",
    "warm_start": """bool
    Whether a fit starts from the weights of the last one.""",
    "cv": """int, splitter, iterable or None
    Folds as in scikit-learn, None for five; stratified for classes.""",
    "rule": """str
    "min" chooses the best mean score, "1se" the strongest penalty within one standard error of
    it.""",
    "relaxed": """bool
    Whether the weights are fitted once more on the features that were chosen, at a millionth of
    the strength: without shrinkage in effect, and certified like any other fit.""",
    "n_jobs": """int, optional
    How many folds are worked on at a time, in processes of their own; -1 for one a processor.""",
    "eps": """float
    Smallest over largest value of an automatic grid.""",
    "coef_": """array of n_features numbers
    The weights.""",
    "intercept_": """float
    b, 0 where none was asked for.""",
    "groups_": """Groups
    The groups that were used.""",
    "n_iter_": """int
    Iterations of the final fit; of several classes, the most that one took.""",
    "dual_gap_": """float
    The certified relative gap of the final fit; of several classes, the largest.""",
    "n_features_in_": """int
    How many features were seen.""",
    "feature_names_in_": """array of str
    Their names, where X was a frame with names.""",
}

CLASSIFIER = ESTIMATOR | {
    "y": """array of n_samples numbers or texts
    The classes.""",
    "classes_": """array
    The classes, sorted.""",
    "coef_": """array, 1 × n_features for two classes, else n_classes × n_features
    The weights; of more than two classes, each against the rest.""",
    "intercept_": """array of as many numbers
    b of each row of `coef_`.""",
}

LAW = {
    "n_features": """int
    n, how many features there are.""",
    "n_true": """int
    s, how many of them are true.""",
    "n_groups": """int
    m, how many random groups they are split into.""",
    "t": """float or Fraction
    0 < t < 1: balanced means max/min ≤ (1+t)/(1−t). A float means the simplest fraction that
    rounds to it, so 0.2 is 1/5.""",
    "random_state": """int, numpy Generator or None
    Where the draws come from; None for others every time.""",
}


def documented(shared: Mapping[str, str]) -> Callable[[_Documented], _Documented]:
    """Completes a docstring from `shared`, because a dozen copies would drift apart.

    Parameters that it does not describe are added, and attributes that it only names are described.
    """

    def complete(target: _Documented) -> _Documented:
        if target.__doc__:  # python -OO has none
            target.__doc__ = _completed(target, inspect.cleandoc(target.__doc__), shared)
        return target

    return complete


def _completed(target, text: str, shared: Mapping[str, str]) -> str:
    opening, *rest = _SECTION.split(text)
    sections = {name: body.strip("\n") for name, body in zip(rest[::2], rest[1::2], strict=True)}
    own = _entries(sections.pop("Parameters", ""))
    entries = []
    for parameter in inspect.signature(target).parameters.values():
        known = own.get(parameter.name) or shared.get(parameter.name)
        if known:
            stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
            entries.append(_entry(stars + parameter.name, known))
    sections = {"Parameters": "\n".join(entries)} | sections
    if "Attributes" in sections:
        attributes = _entries(sections["Attributes"]).items()
        entries = [_entry(name, known or shared[name]) for name, known in attributes]
        sections["Attributes"] = "\n".join(entries)
    parts = [f"{name}\n{'-' * len(name)}\n{body}" for name, body in sections.items()]
    return "\n\n".join([opening.strip("\n"), *parts]) + "\n"


def _entry(name: str, known: str) -> str:
    return name + known if known.startswith("\n") else f"{name} : {known}"


def _entries(body: str) -> dict[str, str]:
    """Descriptions by name, of a section whose entries begin at the margin."""
    pieces = re.split(r"^\**(\w+)(?: : |$)", body, flags=re.MULTILINE)[1:]
    return {name: text.rstrip("\n") for name, text in zip(pieces[::2], pieces[1::2], strict=True)}
