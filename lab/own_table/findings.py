"""What the numbers of an analysis say, in sentences of Markdown with names made harmless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lab.estimates import Estimate
from lab.own_table.case import Case
from lab.own_table.contenders import LABELS, selected_features
from lab.own_table.decisions import AtThreshold, Contributions
from lab.own_table.fits import Outcome
from lab.own_table.headline import class_called, how_many, number
from lab.own_table.results import ClassCurve, Features, HeldOut, StrengthPath
from lab.own_table.scores import ERRORS, METRICS, Score, metrics_of
from lab.own_table.standings import Decision, Tally
from lab.words import (
    capitalised,
    counted,
    in_figure,
    in_markdown,
    percent,
    plain_number,
    short,
    signed,
)

SYMBOLS = {"alpha": "α", "beta": "β", "lam": "λ"}


# -- figures ---------------------------------------------------------------------------------


def bars_title(features: Features, shown: int) -> str:
    held = int(np.count_nonzero(features.covariates))
    beside = f", beside {counted(held, 'covariate')}" if held else ""
    if features.n_selected == 0:
        return f"No feature has a weight{beside}"
    always = features.every_fold
    steady = "no fold is done yet"
    if always:
        steady = how_many(features.n_always, features.n_selected, always)
    title = f"{counted(features.n_selected, 'feature')} used, {steady}{beside}"
    every = int(np.count_nonzero(features.selected))
    return title if shown == every else f"{title}; the {shown} largest weights"


def stability_title(features: Features) -> str:
    ever = int(np.count_nonzero(features.frequency > 0.0))
    always = int(np.count_nonzero(features.frequency == 1.0))
    steady = how_many(always, ever, f"in all {features.n_folds}")
    return f"{counted(ever, 'feature')} selected in some fold" + (f", {steady}" if ever else "")


def confusion_title(held: HeldOut) -> str:
    wrong = held.n_wrong
    verb = "is" if wrong == 1 else "are"
    return f"{wrong:,} of {counted(held.row.size, 'held-out prediction')} {verb} wrong"


def decision_title(here: AtThreshold, positive: str) -> str:
    """What is right and wrong at the line, computed from the matrix on show."""
    wrong = here.false_positive + here.false_negative
    total = int(here.counts.sum())
    verb = "is" if wrong == 1 else "are"
    return (
        f"{wrong:,} of {counted(total, 'held-out prediction')} {verb} wrong: "
        f"{in_figure(positive, 16)} {_missed(here.false_negative)}, "
        f"{counted(here.false_positive, 'false alarm')}"
    )


def _missed(count: int) -> str:
    return {0: "never missed", 1: "missed once"}.get(count, f"missed {count:,} times")


def cost_sentence(here: AtThreshold, best: AtThreshold | None, positive: str) -> str:
    """What the line finds and costs beside the cheapest; None where all rows have one chance."""
    line = f"a chance of {percent(here.threshold, 0)}"
    if here.own:
        line = "its own line" if best is None else f"its own line, {line}"
    name = in_markdown(positive)
    right = "; it calls none so"
    if here.true_positive + here.false_positive:
        right = f", and {percent(here.precision)} of those it calls so are"
    said = (
        f"At {line}, it finds {percent(here.recall)} of the rows of {name}{right}. Its errors cost "
        f"as much as {_alarms(here.cost)}"
    )
    if best is None:
        return (
            f"{said}. Held-out scores do not tell the classes apart, so all rows have the same "
            "chance, and a line on it calls all of them so or none."
        )
    return (
        f"{said}; at a chance of {percent(best.threshold, 0)}, the cheapest line if the chances "
        f"hold, as much as {_alarms(best.cost)}."
    )


def _alarms(cost: float) -> str:
    text = f"{cost:,.1f}".removesuffix(".0")  # prices are tenths or whole
    return f"{text} false alarm{'' if text == '1' else 's'}"


def calibration_title(said: np.ndarray, came: np.ndarray, counts: np.ndarray) -> str:
    off = float(np.average(np.abs(said - came), weights=counts))
    return f"Chances are off by {percent(off)} on average over {counted(len(said), 'bin')}"


def spread_title(held: HeldOut) -> str:
    """Whether residuals lean or widen with the prediction."""
    residual = held.true - held.predicted
    lean = float(np.mean(residual))
    return (
        f"Residuals are {plain_number(lean, 2)} on average, with a deviation of "
        f"{plain_number(float(np.std(residual)))}"
    )


def problem_of(case: Case, at: int) -> int:
    """The one-vs-rest problem to explain a row by: that of the class it is called."""
    if len(case.prepared.classes) <= 2:
        return 0
    return int(np.argmax(case.final.decision[at]))


def reasons_sentence(case: Case, at: int, problem: int, reasons: Contributions) -> str:
    row = int(case.prepared.rows[at]) + 1
    first, last = plain_number(reasons.intercept), plain_number(reasons.score)
    start = f"Row {row:,}: {first} to begin with, {last} with all that"
    if not case.is_classes:
        said = "which is what the model on all rows predicts"
        if case.spec.method == "poisson":
            mean = float(np.exp(reasons.score))
            said = f"the logarithm of the {plain_number(mean)} that the model on all rows predicts"
        return f"{start} adds up, {said}; true is {plain_number(float(case.prepared.y[at]), 4)}."
    classes = case.prepared.classes
    toward = classes[1] if len(classes) == 2 else classes[problem]
    true = in_markdown(class_called(classes[int(case.prepared.y[at])]))
    return (
        f"{start} adds up; above 0 it speaks for {in_markdown(class_called(toward))}. True is "
        f"{true}. The model is that of all rows, so this row helped to make it."
    )


def curve_title(curves: Sequence[ClassCurve], what: str, area: str) -> str:
    """One class: its area. More: the mean, and the worst by name."""
    low = curves[worst(curves)]
    name = in_figure(class_called(low.class_name))
    if len(curves) == 1:
        return f"{what} of {name}: {area} {low.area:.3f}"
    mean = float(np.mean([curve.area for curve in curves]))
    return f"{what}: {area} {mean:.3f} on average, {low.area:.3f} for {name}, the worst"


def worst(curves: Sequence[ClassCurve]) -> int:
    return int(np.argmin([curve.area for curve in curves]))


def residuals_title(held: HeldOut) -> str:
    residual = held.true - held.predicted
    middle = float(np.median(np.abs(residual)))
    return f"Half of the held-out rows are predicted within {plain_number(middle)}"


def path_titles(path: StrengthPath, n_classes: int) -> list[str]:
    """How many features are used at each strength of a path; not escaped."""
    against = f" for {short(path.class_name, 16)}" if n_classes > 2 else ""
    titles = []
    for strength, weights in zip(path.strengths, path.coefs, strict=True):
        used = np.count_nonzero(selected_features(weights[None, :]))
        verb = "is" if used == 1 else "are"
        titles.append(
            f"At {path.symbol} = {strength:g}, {used:,} of {counted(weights.size, 'feature')} "
            f"{verb} used{against}"
        )
    return titles


def path_alts(path: StrengthPath, n_classes: int) -> list[str]:
    """The same with where the path goes, for who cannot see it."""
    titles = path_titles(path, n_classes)
    weak, strong = np.argmin(path.strengths), np.argmax(path.strengths)
    return [
        f"Weights over the strength. {title}. {titles[weak]}, and {titles[strong][0].lower()}"
        f"{titles[strong][1:]}."
        for title in titles
    ]


def external_sentence(case: Case, scored) -> str:
    """How the model does on rows of another table, beside what it did on held-out rows."""
    metric = case.metric
    strange = (
        f" {counted(scored.n_strange, 'row')} of other classes left out."
        if scored.n_strange
        else ""
    )
    known = ""
    if scored.n_known:
        of, are = ("It", "is") if scored.n_known == scored.n_rows == 1 else ("They", "are")
        if scored.n_known < scored.n_rows:
            of, are = f"{scored.n_known:,} of them", "is" if scored.n_known == 1 else "are"
        known = f" {of} {are} in the first table too, and the model was fitted to that."
    guess = "guessing" if case.is_classes else "the mean of the first table"
    what = "External validation"
    if scored.n_known:
        what = "No external validation" if scored.n_known == scored.n_rows else "In part external"
    return (
        f"**{what}**: {METRICS[metric]} {number(scored.metrics[metric], metric)} "
        f"(95 % interval {number(scored.low, metric)} to {number(scored.high, metric)}) on "
        f"{counted(scored.n_rows, 'labelled row')} of this table, where {guess} gets "
        f"{number(scored.guess, metric)} and held-out rows of the first had "
        f"{number(case.verdict.score.mean, metric)}.{known}{strange}"
    )


# -- the comparison --------------------------------------------------------------------------


def standings_title(case: Case, metric: str) -> str:
    """Who leads, whom the folds cannot tell apart, and who needs the fewest features for it."""
    rows, name = case.standings, METRICS[metric]
    own = rows[0].scores[metric]
    decision = case.decision(metric)
    if decision is None:
        so_far = "" if rows[0].complete else " so far"
        return f"{capitalised(rows[0].label)}: {name} {number(own.mean, metric)}{so_far}"
    best = decision.winner
    so_far = "so far " if decision.undecided else ""
    score, folds = best.scores[metric], counted(best.n_folds, "fold")
    lead = capitalised(f"{so_far}{best.label}")
    lead += f" leads in {name} with {number(score.mean, metric)} ("
    if score.known:
        ends = (number(score.low, metric), number(score.high, metric))
        lead += f"95 % interval {ends[0]} to {ends[1]}, "
    lead += f"{folds})"
    if len(decision.equal) == 1:
        return f"{lead}, ahead of all others: {_margin(*decision.closest, metric)}"
    if decision.sparsest is best:
        others = counted(len(decision.equal) - 1, "other")
        return f"{lead}; equally good: {others}, none with fewer features"
    return f"{lead}; equally good and sparser: {sparser(decision)}"


def _margin(other: Tally, behind: Estimate, metric: str) -> str:
    """By how much the winner is better than the one that comes closest, on the same folds."""
    if metric in ERRORS:
        size = plain_number(behind.mean)
        ends = f"{plain_number(behind.low)} to {plain_number(behind.high)}"
    else:
        size = f"{100 * behind.mean:.1f} points"
        ends = f"{100 * behind.low:.1f} to {100 * behind.high:.1f}"
    return f"the closest, {other.label}, by {size} (95 % interval {signed(ends)})"


def sparser(decision: Decision) -> str:
    few = decision.sparsest
    many = counted(round(few.n_selected), "feature")
    return f"{few.label}, {many} instead of {decision.winner.n_selected:,.0f}"


def strengths_in_words(strengths: Mapping[str, float]) -> str:
    return ", ".join(f"{SYMBOLS[name]} = {value:.4g}" for name, value in strengths.items())


def strength_note(outcome: Outcome) -> str:
    """Which strengths, who chose them, and whether the grid had to go on."""
    text = strengths_in_words(outcome.strengths)
    if outcome.choice is None or len(outcome.choice.points) < 2:
        return f"{text} on all rows, set by hand."
    wider = ", beyond the first grid" if outcome.choice.widened else ""
    return (
        f"{text} on all rows: the strongest of {len(outcome.choice.points)} within one standard "
        f"error of the best{wider}."
    )


def standings_table(rows: Sequence[Tally], target: str) -> dict[str, list]:
    """The comparison as columns: scores, paired differences, features used, strengths, time."""
    table: dict[str, list] = {"model": [row.label for row in rows]}
    for metric, name in metrics_of(target).items():
        table[name] = [row.scores[metric].mean for row in rows]
        table[f"{name}, low"] = [row.scores[metric].low for row in rows]
        table[f"{name}, high"] = [row.scores[metric].high for row in rows]
        for end, pick in (("", "mean"), (", low", "low"), (", high", "high")):
            table[f"ours better in {name} by{end}"] = [
                getattr(row.behind[metric], pick) if row.behind else None for row in rows
            ]
    table["features used"] = [row.n_selected for row in rows]
    table["strengths, fold by fold"] = [
        "; ".join(
            f"{SYMBOLS[name]} {' '.join(f'{value:.3g}' for value in values)}"
            for name, values in row.strengths.items()
        )
        for row in rows
    ]
    table["folds"] = [row.n_folds for row in rows]
    table["processor seconds"] = [row.seconds for row in rows]
    return table


def shown_standings(rows: Sequence[Tally], metric: str) -> dict[str, list]:
    """The same for the eye: one score with its interval and the paired difference beside it."""

    def said(score: Score | None) -> str:
        if score is None or np.isnan(score.mean):
            return "–"
        # Errors have the unit of the target; all other scores are shares, three digits for each.
        form = ".4g" if metric in ERRORS else ".3f"
        mean, low, high = (
            signed(f"{value:z{form}}") for value in (score.mean, score.low, score.high)
        )
        return f"{mean} [{low}, {high}]" if score.known else mean

    return {
        "model": [row.label for row in rows],
        METRICS[metric]: [said(row.scores[metric]) for row in rows],
        "ours better by": [said(row.behind[metric]) if row.behind else "" for row in rows],
        "features used": [f"{row.n_selected:.0f}" for row in rows],
        "folds": [
            f"{row.n_folds} of {row.wanted}" if not row.complete else f"{row.n_folds}"
            for row in rows
        ],
        "seconds": [f"{row.seconds:.1f}" for row in rows],
    }


def missed_sentence(outcomes: Sequence[Outcome]) -> str:
    """Which contenders did not converge in some fold; empty if all did."""
    missed: dict[str, int] = {}
    for outcome in outcomes:
        if not outcome.converged:
            missed[outcome.key] = missed.get(outcome.key, 0) + 1
    if not missed:
        return ""
    parts = ", ".join(f"{LABELS[key]} in {counted(n, 'fit')}" for key, n in missed.items())
    return f"Stopped before its tolerance: {parts}."
