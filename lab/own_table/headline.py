"""The verdict that opens the page, in words, with all the numbers it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from lab.own_table.case import Case
from lab.own_table.health import Finding
from lab.own_table.results import Features
from lab.own_table.scores import ERRORS, METRICS, Score
from lab.own_table.verdict import Verdict
from lab.words import counted, in_markdown, listed_in_markdown


def percent(share: float) -> str:
    """A share in percent that never rounds what is almost all to all, nor a little to nothing."""
    text = f"{share:.1%}"
    if share < 1.0 and text == "100.0%":
        return "above 99.9%"
    if share > 0.0 and text == "0.0%":
        return "below 0.1%"
    return text


def number(value: float, metric: str) -> str:
    if metric in ("accuracy", "balanced_accuracy", "r2", "d2"):
        return percent(value)
    return f"{value:.3g}" if metric in ERRORS else f"{value:.3f}"


def answer(case: Case) -> str:
    """The verdict that opens the page, with all it rests on."""
    verdict = case.verdict
    name = f"**{in_markdown(case.name)}**"
    numbers = f"{_scored(case)}, where {_guessed(case)}{_shuffled(verdict)}"
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
        f"**{in_markdown(case.name)}**, so far: {case.label} on all rows uses {many}"
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
    if verdict.n_selected == verdict.n_always:
        many = verdict.n_selected
        every = "in every fold" if many == 1 else "each of them in every fold"
        return (
            f"{many:,} of {total} decide{'s' if many == 1 else ''}{_beside(case)}, {every}, "
            f"{in_groups(found)}"
        )
    if verdict.n_always >= 0.5 * verdict.n_selected:
        return (
            f"{verdict.n_selected:,} of {total} decide{_beside(case)}, {verdict.n_always:,} of "
            f"them in every fold, {in_groups(found)}"
        )
    steady = "none of them" if verdict.n_always == 0 else f"only {verdict.n_always:,} of them"
    return (
        f"the label can be predicted, but which features decide is not settled: of {total} it uses "
        f"{verdict.n_selected:,}, {steady} in every fold"
    )


def _used(found: Features) -> str:
    total = counted(found.n_choices, "feature")
    if found.n_selected == found.n_always:
        return f"It uses {found.n_selected:,} of {total}, in every fold"
    steady = f"{found.n_always:,} of them" if found.n_always else "none of them"
    return f"It uses {found.n_selected:,} of {total}, {steady} in every fold"


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
    ends = [f"{100 * value:.1f}" for value in (gain.low, gain.high)]
    return f" (the gain is {100 * gain.mean:.1f} points, 95 % interval {ends[0]} to {ends[1]})"


def in_groups(found: Features) -> str:
    total = found.n_groups
    if total == 1:
        return "in one group"
    if found.groups_used == total:
        return "in both groups" if total == 2 else f"in all {total:,} groups"
    return f"in {found.groups_used:,} of {total:,} groups"


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
        return f"always guessing the largest class gets {percent(verdict.guess)}"
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
    names = ", ".join(in_markdown(name) for name in verdict.never[:3])
    more = f" and {len(verdict.never) - 3} more" if len(verdict.never) > 3 else ""
    return f" It never predicts {names}{more}."


def doubts(found: Sequence[Finding]) -> str:
    """What the health gate found besides leaks, in a few words each."""
    said = {
        "transposed": "it seems to lie on its side",
        "subjects": "several rows of one subject",
        "duplicates": "repeated rows",
        "codes": "codes that look like numbers",
        "counts": "counts with a long tail",
        "outliers": "values far off",
    }
    return ", ".join(said[finding.kind] for finding in found if finding.kind in said)
