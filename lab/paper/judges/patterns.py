"""Figure 1, its four bullets and the paragraph on correlated features."""

from __future__ import annotations

from collections.abc import Callable

from lab.drawing.theme import NORM_LABELS
from lab.estimates import share_interval
from lab.paper.evidence import Bar, Evidence
from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, Judgement
from lab.paper.wording import percent
from lab.pattern import FITTED_AS

_CHANGES = "Intervals over the draws that lie on the other side of the line."


def pattern(norm: str) -> Callable[[dict], Judgement]:
    """One of the four bullets: how many features, in how many groups, how unevenly."""

    def judge(statements: dict) -> Judgement:
        found = statements["figure_1"]
        row = found[norm]
        verdict, why = _RULES[norm](found, row)
        evidence = _kept(found, norm) if _all_kept(row) else _spread(found, norm)
        return Judgement(verdict, _in_words(row), why, _strength(found), _CHANGES, evidence)

    return judge


def _all_kept(row: dict) -> bool:
    """Whether there is nothing to be spread: of all features there is one choice only."""
    return row["chosen"]["low"] == 1.0


def _in_words(row: dict) -> str:
    if _all_kept(row):
        return "all features are kept, in every draw"
    return (
        f"{percent(row['chosen']['mean'])} of the features in "
        f"{percent(row['groups']['mean'])} of the groups, {percent(row['inside']['mean'])} of "
        "those inside; spread over the groups "
        f"{row['dispersion']['mean']:.2f} times that of a random choice"
    )


def _dense(found: dict, row: dict) -> tuple[str, str]:
    if found["dense_every_time"]:
        return HOLDS, "No weight is exactly 0 in any draw."
    return FAILS, "Some draws have weights that are exactly 0."


def _without_pattern(found: dict, row: dict) -> tuple[str, str]:
    spread = row["dispersion"]
    if row["chosen"]["high"] >= 0.5:
        return FAILS, "Half of the features or more are kept."
    if spread["low"] <= 1.0 <= spread["high"]:
        return HOLDS, "As uneven as a random choice of as many features: no pattern to be seen."
    return CONDITION, (
        f"Sparse, and the interval of the spread, {spread['low']:.2f} to {spread['high']:.2f}, "
        "excludes 1: there is a slight pattern."
    )


def _whole_groups(found: dict, row: dict) -> tuple[str, str]:
    if row["inside"]["low"] < 1.0 or row["dispersion"]["low"] <= 1.0:
        return FAILS, "Groups are not taken or left as a whole."
    return HOLDS, "Groups are taken or left as a whole; here several are taken, not one."


def _in_every_group(found: dict, row: dict) -> tuple[str, str]:
    if row["groups"]["low"] >= 0.99 and row["inside"]["high"] < 0.5:
        return HOLDS, "Every group is in use, and less than half of each."
    return CONDITION, (
        f"{percent(row['groups']['mean'])} of the groups are in use, "
        f"{percent(row['inside']['mean'])} of the features inside."
    )


_RULES = {"l2": _dense, "l1": _without_pattern, "l21": _whole_groups, "le": _in_every_group}


def evenly(statements: dict) -> Judgement:
    """Is the spread over groups smaller than that of a random choice, and than the lasso's?"""
    found = statements["figure_1"]
    own, plain = found["le"]["dispersion"], found["l1"]["dispersion"]
    text = (
        f"spread over the groups {own['mean']:.2f} times that of a random choice (95 % interval "
        f"{own['low']:.2f} to {own['high']:.2f}), ℓ1's {plain['mean']:.2f}"
    )
    verdict = HOLDS if own["high"] < 1.0 and own["high"] < plain["low"] else FAILS
    why = "“Roughly” read as more evenly than chance and than ℓ1, on data that prefer no pattern."
    return Judgement(verdict, text, why, _strength(found), _CHANGES, _spread(found, "le"))


def _spread(found: dict, own: str) -> Evidence:
    norms = [norm for norm in FITTED_AS if not _all_kept(found[norm])]
    bars = _bars(found, norms, "dispersion", own)
    return Evidence("unevenness over groups, of a random choice's", bars, 1.0, "no pattern")


def _kept(found: dict, own: str) -> Evidence:
    bars = _bars(found, FITTED_AS, "chosen", own)
    return Evidence("share of the features that are kept", bars, 1.0, "dense")


def _bars(found: dict, norms, what: str, own: str) -> tuple[Bar, ...]:
    rows = {norm: found[norm][what] for norm in norms}
    return tuple(
        Bar(NORM_LABELS[norm], row["mean"], row["low"], row["high"], norm == own)
        for norm, row in rows.items()
    )


def _strength(found: dict) -> str:
    return (
        f"{found['draws']} draws (80 samples, 10 groups of 12, true features anywhere), means "
        "with 95 % intervals; each norm at its strongest penalty that keeps a quarter or more."
    )


# -- two features that say the same ----------------------------------------------------------------


def pair(norm: str) -> Callable[[dict], Judgement]:
    """Which of two nearly equal features is preferred: the one in company or the lonely one?"""

    def judge(statements: dict) -> Judgement:
        found = statements["correlated_pair"]
        row, draws = found[norm], found["draws"]
        name, count = _WANTED[norm]
        hits = count(row, draws)
        low, high = share_interval(hits, draws)
        interval = f"95 % interval {percent(low)} to {percent(high)}"
        text = f"{name} in {hits} of {draws} draws ({interval})"
        verdict = HOLDS if low > 0.5 else FAILS if high < 0.5 else CONDITION
        why = (
            "“Prefers” read as: in more than half of the draws. Two features of correlation 0.95 "
            "in two groups, one of which has three more true features; each norm at the λ that "
            "predicts best."
        )
        bars = []
        for other in FITTED_AS:
            share = found[other]["company"] / draws
            ends = share_interval(found[other]["company"], draws)
            bars.append(Bar(NORM_LABELS[other], share, *ends, other == norm))
        axis = "share of draws in which the feature in company gets the larger weight"
        return Judgement(
            verdict,
            text,
            why,
            f"{draws} draws, an exact binomial interval.",
            "An interval on the other side of one half.",
            Evidence(axis, tuple(bars), 0.5, "no preference"),
        )

    return judge


_WANTED = {
    "l2": ("both get a weight", lambda row, draws: row["both"]),
    "l1": (
        "the larger weight goes to the one with the lower objective without the other",
        lambda row, draws: row["cheaper"],
    ),
    "l21": ("the larger weight goes to the one in company", lambda row, draws: row["company"]),
    "le": (
        "the larger weight goes to the lonely one",
        lambda row, draws: draws - row["company"],
    ),
}
