"""What the numbers of a classified table say, in sentences of Markdown with names made harmless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lab.classify.compare import (
    LABELS,
    METRICS,
    Outcome,
    Standing,
    own_key,
    selected_features,
)
from lab.classify.results import Curve, Features, HeldOut, StrengthPath
from lab.classify.setup import ClassifySpec, Prepared
from lab.classify.words import counted, in_figure, in_markdown

SYMBOLS = {"alpha": "α", "beta": "β", "lam": "λ"}


def answer(
    name: str, prepared: Prepared, spec: ClassifySpec, features: Features, own: Standing
) -> str:
    """The sentence that opens the page."""
    accuracy = own.scores["accuracy"]
    most = prepared.class_counts.max() / prepared.n_samples
    return (
        f"**{in_markdown(name)}**: {features.n_selected:,} of {len(features.names):,} features "
        f"decide, in {_groups_used(features)}; with them {LABELS[own_key(spec)]} classifies "
        f"{accuracy.mean:.1%} of held-out rows correctly, where always guessing the largest class "
        f"gets {most:.1%}."
    )


def _groups_used(features: Features) -> str:
    total = len(features.group_names)
    if total == 1:
        return "one group"
    if features.groups_used == total:
        return "both groups" if total == 2 else f"all {total} groups"
    return f"{features.groups_used} of {total} groups"


def bars_title(features: Features, shown: int) -> str:
    steady = (
        f"{features.n_always} of them in every fold"
        if features.n_always < features.n_selected
        else "each of them in every fold"
    )
    title = f"{counted(features.n_selected, 'feature')} used, {steady}"
    return title if shown == features.n_selected else f"{title}; the {shown} largest weights"


def stability_title(features: Features) -> str:
    ever = int(np.count_nonzero(features.frequency > 0.0))
    always = int(np.count_nonzero(features.frequency == 1.0))
    return (
        f"{counted(ever, 'feature')} selected in some fold, {always} of them in all "
        f"{features.n_folds}"
    )


def confusion_title(held: HeldOut) -> str:
    return f"{held.n_wrong:,} of {counted(held.row.size, 'held-out prediction')} are wrong"


def curve_title(curves: Sequence[Curve], what: str, area: str) -> str:
    """One class: its area. More: the mean, and the worst by name."""
    if len(curves) == 1:
        return f"{what} of {in_figure(curves[0].class_name)}: {area} {curves[0].area:.3f}"
    mean = float(np.mean([curve.area for curve in curves]))
    low = worst(curves)
    return (
        f"{what}: {area} {mean:.3f} on average, {curves[low].area:.3f} for "
        f"{in_figure(curves[low].class_name)}, the worst"
    )


def worst(curves: Sequence[Curve]) -> int:
    return int(np.argmin([curve.area for curve in curves]))


def path_title(path: StrengthPath, n_classes: int) -> str:
    """How many features the weakest and the strongest of a path use."""
    few, many = (np.count_nonzero(selected_features(path.coefs[[end]])) for end in (0, -1))
    against = f" for {in_figure(path.class_name, 16)}" if n_classes > 2 else ""
    return (
        f"From {path.symbol} = {path.strengths[-1]:g} to {path.strengths[0]:g} the features used"
        f"{against} go from {many} to {few}"
    )


def standings_title(rows: Sequence[Standing], metric: str) -> str:
    """Who is ahead, and whether the interval of ours allows to say so."""
    ours, others = rows[0], [row for row in rows[1:] if not np.isnan(row.scores[metric].mean)]
    name, own = METRICS[metric], ours.scores[metric]
    if not others:
        return f"{ours.label}: {name} {own.mean:.3f}"
    best = max(others, key=lambda row: row.scores[metric].mean)
    lead = own.mean - best.scores[metric].mean
    size = f"{abs(lead):.3f}"
    if lead == 0.0:
        return f"{ours.label} and {best.label} are level in {name}, at {own.mean:.3f}"
    word = "ahead of" if lead > 0.0 else "behind"
    inside = not np.isnan(own.low) and own.low <= best.scores[metric].mean <= own.high
    doubt = ", within its interval" if inside else ""
    return f"{ours.label} is {size} {word} {best.label} in {name}{doubt}"


def strengths_in_words(strengths: Mapping[str, float]) -> str:
    return ", ".join(f"{SYMBOLS[name]} = {value:g}" for name, value in strengths.items())


def standings_table(rows: Sequence[Standing]) -> dict[str, list]:
    """The comparison as columns: scores with their intervals, features used, strengths, time."""
    table: dict[str, list] = {"classifier": [row.label for row in rows]}
    for metric, name in METRICS.items():
        table[name] = [row.scores[metric].mean for row in rows]
        table[f"{name}, low"] = [row.scores[metric].low for row in rows]
        table[f"{name}, high"] = [row.scores[metric].high for row in rows]
    table["features used"] = [row.n_selected for row in rows]
    table["strengths, fold by fold"] = [
        "; ".join(
            f"{SYMBOLS[name]} {' '.join(f'{value:g}' for value in values)}"
            for name, values in row.strengths.items()
        )
        for row in rows
    ]
    table["folds"] = [row.n_folds for row in rows]
    table["seconds"] = [row.seconds for row in rows]
    return table


def missed_sentence(outcomes: Sequence[Outcome]) -> str:
    """Which classifiers did not converge in some fold; empty if all did."""
    missed: dict[str, int] = {}
    for outcome in outcomes:
        if not outcome.converged:
            missed[outcome.key] = missed.get(outcome.key, 0) + 1
    if not missed:
        return ""
    parts = ", ".join(f"{LABELS[key]} in {counted(n, 'fit')}" for key, n in missed.items())
    return f"Stopped before its tolerance: {parts}."
