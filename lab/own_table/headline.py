"""The verdict that opens the page, in words, with all the numbers it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from lab.own_table.case import Case
from lab.own_table.health import Finding
from lab.own_table.results import Features
from lab.own_table.scores import ERRORS, METRICS, Score
from lab.own_table.verdict import Verdict
from lab.tables import is_number
from lab.words import (
    capitalised,
    counted,
    in_markdown,
    listed_in_markdown,
    percent,
    plain_number,
    short,
    signed,
)

MOST_SHARE = 2 / 3  # of the features; of a model that uses more, none are said to decide


def number(value: float, metric: str) -> str:
    if metric in ("accuracy", "balanced_accuracy", "r2", "d2"):
        return signed(percent(value))
    return plain_number(value) if metric in ERRORS else signed(f"{value:.3f}")


def subject(case: Case) -> str:
    """What is spoken of: which column of which table, where that does not go without saying.

    The label of a file of one's own is first a guess.
    """
    name, label = in_markdown(case.name), case.spec.label
    usual = case.sample is not None and label == case.sample.label
    return f"**{name}**" if usual else f"**{in_markdown(label)} in {name}**"


def answer(case: Case) -> str:
    """The verdict that opens the page, with all it rests on."""
    verdict = case.verdict
    name = subject(case)
    scored = _scored(case)
    numbers = f"{capitalised(scored)}, where {_guessed(case)}{_shuffled(verdict)}"
    if verdict.level == "nothing":
        never = _never(verdict)
        return f"{name}: no evidence that any feature decides{_beside(case)}. {numbers}.{never}"
    if verdict.level == "hint":
        return (
            f"{name}: a hint, not more. {numbers}; the interval still holds what guessing gets. "
            f"{_used(case.found)}."
        )
    if verdict.level in ("unknown", "open"):
        first = _decide(case) if verdict.level == "unknown" else "no verdict yet"
        return f"{name}: {first}. {numbers}; shuffled labels are still to be tried."
    return f"{name}: {_decide(case)}. {numbers}.{_never(verdict)}"


def so_far(case: Case) -> str:
    """What a large table's analysis has found before all folds are done: no verdict yet."""
    found, done, wanted = case.found, len(case.folds), case.spec.n_folds
    many = f"{found.n_selected:,} of {counted(found.n_choices, 'feature')}"
    text = (
        f"{subject(case)}, so far: {case.label} on all rows uses {many}"
        f"{_beside(case)}, {in_groups(found)}. "
    )
    if not done:
        return f"{text}How well it does is not known yet: none of its {wanted} folds is done."
    have = "has" if done == 1 else "have"
    # What covariates get by themselves comes after ours.
    known = case.verdict.beyond is not None or not case.covariate_names
    guessed = f", where {_guessed(case)}" if known else ""
    return (
        f"{text}{done} of {wanted} folds {have} been done: {_scored(case)}{guessed}. There is no "
        "verdict before all are."
    )


def _decide(case: Case) -> str:
    """How many features decide, and how sure it is that it is these."""
    verdict, found = case.verdict, case.found
    total = counted(verdict.n_features, "feature")
    if verdict.n_features == 1 and not case.covariate_names:
        return "its one feature decides"
    unsettled = "the label can be predicted, but which features decide is not settled"
    if verdict.n_selected == verdict.n_features:
        every = "both" if verdict.n_features == 2 else f"all {verdict.n_features:,}"
        return f"{unsettled}: it uses {every} features{_beside(case)}"
    steady = how_many(verdict.n_always, verdict.n_selected, "in every fold")
    many = verdict.n_selected > MOST_SHARE * verdict.n_features
    if many or 2 * verdict.n_always < verdict.n_selected:
        only = "only " if verdict.n_always and not many else ""
        uses = f"of {total} it uses {verdict.n_selected:,}{_beside(case)}"
        return f"{unsettled}: {uses}, {only}{steady}"
    verb = "decides" if verdict.n_selected == 1 else "decide"
    decide = f"{verdict.n_selected:,} of {total} {verb}{_beside(case)}"
    return f"{decide}, {steady}, {in_groups(found)}"


def _used(found: Features) -> str:
    total = counted(found.n_choices, "feature")
    steady = how_many(found.n_always, found.n_selected, "in every fold")
    return f"It uses {found.n_selected:,} of {total}, {steady}"


def how_many(part: int, whole: int, where: str) -> str:
    """How many of those just counted are there, whether one, none or all of them."""
    if whole == 1:
        return where if part else f"not {where}"
    if part == whole:
        return f"each of them {where}"
    return f"{part:,} of them {where}" if part else f"none of them {where}"


def _named(case: Case) -> str:
    return listed_in_markdown(case.covariate_names, 3)


def _beside(case: Case) -> str:
    return f" beside {_named(case)}" if case.covariate_names else ""


def _gets(case: Case) -> str:
    verb = "gets" if len(case.covariate_names) == 1 else "get"
    guess = case.verdict.guess
    if case.verdict.metric in ("r2", "d2"):
        verb = verb.replace("get", "explain")
        return f"{verb} {percent(guess) if guess > 0.0 else 'nothing'}"
    return f"{verb} {number(guess, case.verdict.metric)}"


def _beyond(verdict: Verdict) -> str:
    gain = verdict.beyond
    if gain is None or not gain.known:
        return ""
    mean, low, high = (signed(f"{100 * value:z.1f}") for value in (gain.mean, gain.low, gain.high))
    return f" (the gain is {mean} points, 95 % interval {low} to {high})"


def in_groups(found: Features) -> str:
    total = found.n_groups
    if total == 1:
        return "in one group"
    if found.groups_used == total:
        return "in both groups" if total == 2 else f"in all {total:,} groups"
    return f"in {found.groups_used:,} of {total:,} groups"


def class_called(name: object, limit: int = 40) -> str:
    """A class in a sentence, where a bare number would be read as one more of its numbers."""
    return f"class {name}" if is_number(str(name)) else short(name, limit)


def _scored(case: Case) -> str:
    verdict = case.verdict
    score, between = verdict.score, _between(verdict.score, verdict.metric)
    if verdict.metric == "accuracy":
        return f"{case.label} classifies {percent(score.mean)} of held-out rows correctly{between}"
    if verdict.metric == "r2":
        said = percent(score.mean) if score.mean > 0.0 else "nothing"
        return f"{case.label} explains {said} of the variance of held-out rows{between}"
    if verdict.metric == "d2":
        said = percent(score.mean) if score.mean > 0.0 else "nothing"
        return f"{case.label} explains {said} of the deviance of held-out rows{between}"
    what = METRICS[verdict.metric]
    return f"On held-out rows {case.label} has {what} {number(score.mean, verdict.metric)}{between}"


def _between(score: Score, metric: str) -> str:
    if not score.known:
        return ""
    return f" (95 % interval {number(score.low, metric)} to {number(score.high, metric)})"


def _guessed(case: Case) -> str:
    verdict = case.verdict
    if case.covariate_names:
        return f"{_named(case)} alone {_gets(case)}{_beyond(verdict)}"
    if not case.is_classes:
        return "always saying the mean explains nothing"
    if verdict.metric == "accuracy":
        return f"guessing the training majority gets {percent(verdict.guess)}"
    return f"guessing gets {number(verdict.guess, verdict.metric)}"


def _shuffled(verdict: Verdict) -> str:
    if verdict.p is None:
        return ""
    best = max(verdict.chance)
    said = number(best, verdict.metric)
    if verdict.metric in ("r2", "d2") and best <= 0.0:
        said = "nothing"
    what = "shuffled labels" if verdict.beyond is None else "shuffling the other features"
    return f" and {what} at best {said} in {len(verdict.chance)} draws (p = {verdict.p:.2f})"


def _never(verdict: Verdict) -> str:
    if not verdict.never:
        return ""
    names = ", ".join(in_markdown(class_called(name)) for name in verdict.never[:3])
    more = f" and {len(verdict.never) - 3} more" if len(verdict.never) > 3 else ""
    return f" It never predicts {names}{more}."


def problem(text: str, found: Sequence[Finding]) -> str:
    """What keeps the page from an answer: that a table lies on its side, before what follows."""
    sideways = next((each.sentence for each in found if each.kind == "transposed"), None)
    if sideways is None:
        return in_markdown(capitalised(text), 400)
    return f"{in_markdown(sideways, 400)} Turn it under *Data*."


def doubts(found: Sequence[Finding]) -> str:
    """What the health gate found besides what the verdict itself hangs on, in a few words each."""
    said = {
        "transposed": "it seems to lie on its side",
        "duplicates": "repeated rows",
        "codes": "codes that look like numbers",
        "counts": "counts with a long tail",
        "outliers": "values far off",
        "slips": "a value far from all others of its column",
    }
    return ", ".join(said[finding.kind] for finding in found if finding.kind in said)
