"""The findings of Figure 1 and of its paths, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lab.drawing.theme import NORM_LABELS
from lab.norms import claims
from lab.norms.draws import COMPARISONS, SEEDS, Comparison, Draws, compare
from lab.norms.paths import NormPath, Paths
from lab.norms.shown import ERROR, Shown
from lab.norms.spec import PatternSpec
from lab.pattern import Pattern
from lab.words import counted, fraction, listed, percent, plain_number


def answer(shown: Mapping[str, Shown]) -> str:
    """What the four norms kept, in one sentence, true for any four fits."""
    le = shown["le"].pattern
    n, m = le.weights.size, le.groups.n_groups
    first, *later = (shown[norm] for norm in ("l1", "l21", "l2"))
    others = listed(
        [
            f"{first.label} with {_count(first.pattern)} {_leaves(first.pattern)}",
            *(
                f"{fit.label} with {_count(fit.pattern)} leaves {_how_many(fit.pattern)}"
                for fit in later
            ),
        ]
    )
    return f"ℓe keeps {le.nonzeros} of {n} weights {_spread(le, m)}; {others}."


def _leaves(pattern: Pattern) -> str:
    if pattern.n_empty and not pattern.n_alive:
        return "leaves every group empty"
    empty = counted(pattern.n_empty, "group") if pattern.n_empty else "no group"
    return f"leaves {empty} empty"


def _how_many(pattern: Pattern) -> str:
    """How many groups are empty, after a sentence that has said of what."""
    all_of_them = pattern.n_empty and not pattern.n_alive
    return f"all {pattern.n_empty}" if all_of_them else str(pattern.n_empty or "none")


def _count(pattern: Pattern) -> str:
    if pattern.nonzeros == pattern.weights.size:
        return f"all {pattern.weights.size}"
    return str(pattern.nonzeros or "none")


def _spread(pattern: Pattern, m: int) -> str:
    if pattern.n_empty == 0:
        return "in both groups" if m == 2 else f"in all {m} groups"
    return f"and {_leaves(pattern)}"


def draw_finding(shown: Mapping[str, Shown], paths: Paths) -> str:
    """How well each norm finds the true features and predicts at the λ on show: one draw."""
    return (
        f"**This draw.** {counted(int(paths.support.sum()), 'true feature')}, outlined. At the λ "
        f"on show support F1 is {_each(shown, lambda fit: fraction(fit.f1))}; test error "
        f"{_each(shown, lambda fit: percent(fit.error, 0))} ({percent(paths.oracle_error, 0)} for "
        "the true weights themselves)."
    )


def _each(shown: Mapping[str, Shown], form) -> str:
    return listed(f"{form(fit)} for {fit.label}" for fit in shown.values())


def usual_finding(draws: Draws) -> str:
    """Which norm does best when each has its own best λ: many draws, tested draw by draw."""
    found = compare(draws)
    error = _comparison(found["best_error"], draws.count, "lowest test error", percent)
    f1 = _comparison(found["best_f1"], draws.count, "highest support F1", fraction)
    return (
        f"**{_over(draws)} of such data**, every norm at its own best λ: {error}; {f1}. *Ahead* is "
        "said where a paired t test over the draws says so at 5 %, corrected for the "
        f"{COMPARISONS} comparisons looked at (Holm)."
    )


def _over(draws: Draws) -> str:
    so_far = f", so far {draws.count} of {len(SEEDS)}," if draws.count < len(SEEDS) else ""
    return f"Over {draws.count} draws{so_far}"


def _comparison(found: Comparison, count: int, what: str, form) -> str:
    label = NORM_LABELS[found.leader]
    behind = [NORM_LABELS[norm] for norm in found.behind]
    level = [NORM_LABELS[norm] for norm in found.level]
    means = listed(f"{form(mean)} for {NORM_LABELS[norm]}" for norm, mean in found.means.items())
    verdict = f"{label} is ahead of {listed(behind)}" if behind else f"{label} is ahead of none"
    if level:
        verdict += f" and not told apart from {listed(level)}"
    wins = f"{label} has the {what} in {found.wins} of {count}"
    if found.ties:
        wins += f", {found.ties} of them shared"
    return f"{wins} (means: {means}); {verdict}"


def empties_over_draws(draws: Draws, share: str, matched: bool) -> str:
    """How often a norm leaves a group empty at one λ."""
    empty = draws.at("empty", share, matched)
    often = {norm: int((counts > 0).sum()) for norm, counts in empty.items()}
    total = draws.count

    def times(norm):
        return "none" if often[norm] == 0 else "all" if often[norm] == total else str(often[norm])

    return (
        f"{_over(draws)} ℓe leaves a group empty in {times('le')}, ℓ1 in {times('l1')}, "
        f"ℓ2,1 in {times('l21')}."
    )


def frame_title(shown: Mapping[str, Shown], share: str) -> str:
    """The finding of one λ, over the four panels."""
    alive = [
        f"{shown[norm].label} in {shown[norm].pattern.n_alive or 'none'}"
        for norm in ("l1", "l21", "l2")
    ]
    le = shown["le"].pattern
    return (
        f"At λ = {share} of its scale ℓe has weights in {le.n_alive or 'none'} of "
        f"{le.groups.n_groups} groups, {listed(alive)}"
    )


def panel_caption(fit: Shown) -> str:
    """What stands over one panel."""
    empty = fit.pattern.n_empty
    groups = f"{counted(empty, 'group')} empty" if empty else "no group empty"
    return f"{counted(fit.pattern.nonzeros, 'weight')}, {groups}"


def frame_alt(shown: Mapping[str, Shown], share: str) -> str:
    """One λ for who cannot see the panels."""
    panels = ". ".join(
        f"{fit.label}: {panel_caption(fit)}, support F1 {fraction(fit.f1)}, "
        f"test error {percent(fit.error, 0)}; "
        f"nonzeros per group {', '.join(map(str, fit.counts))}; "
        f"“{claims.SENTENCES[norm]}” is {'seen' if claims.is_seen(fit) else 'not seen'} "
        f"({claims.evidence(fit)})"
        for norm, fit in shown.items()
    )
    return (
        "Four grids of weights on one colour scale, one row per group, true features outlined, at "
        f"λ = {share} of its scale. {panels}."
    )


def reading(spec: PatternSpec) -> str:
    """How to read a panel."""
    text = (
        "A row is a group, a tile a weight: blue positive, orange negative, stronger where larger, "
        "on one scale for all four panels. Outlined tiles are true features. A sentence of the "
        "paper is ticked where its panel shows what it says; where draws are repeated, the marks "
        "below a panel say in which of them that is so at this λ."
    )
    if spec.overlap:
        shared = counted(spec.overlap, "feature")
        text += f" Right of the dashed line: the {shared} shared with the next row."
    return text


def match_finding(shown: Mapping[str, Shown]) -> str:
    """How near the match came."""
    wanted = shown["le"].pattern.nonzeros
    parts = [
        f"{shown[norm].label} {shown[norm].pattern.nonzeros} (at λ = {shown[norm].share:.2g} of "
        "its scale)"
        for norm in ("l1", "l21")
    ]
    return (
        f"The others are matched to ℓe's {counted(wanted, 'nonzero')}; nearest on their paths: "
        f"{', '.join(parts)}. ℓ2,1 can only move by whole groups, and ℓ2 has no zeros, so it is "
        f"given ℓe's training loss instead (at λ = {shown['l2'].share:.2g} of its scale)."
    )


def data_in_words(spec: PatternSpec) -> str:
    """The data of a spec, for captions."""
    held = "every group" if spec.n_active == spec.n_groups else counted(spec.n_active, "group")
    words = (
        f"{spec.n_samples} samples, {spec.n_groups} groups of {spec.group_size}, "
        f"{spec.nonzeros_per_group} true in {held}, noise {spec.noise:g} of the signal"
    )
    if spec.rho:
        where = "in one group" if spec.together else "in different groups"
        words += f", neighbours {where} correlated {spec.rho:g}"
    if spec.overlap:
        words += f", {counted(spec.overlap, 'feature')} shared with the next group"
    return words


def numbers_table(shown: Mapping[str, Shown]) -> dict[str, list[str]]:
    """The numbers of the four fits, a column per norm."""
    return {
        "numbers": [
            "λ / its scale",
            "λ",
            "nonzeros",
            "groups used",
            "nonzeros per group",
            "support F1",
            "test error",
            "relative gap, certified",
        ],
        **{
            fit.label: [
                f"{fit.share:.2g}",
                plain_number(fit.lam),
                f"{fit.pattern.nonzeros}",
                f"{fit.pattern.n_alive}",
                _from_to(int(fit.counts.min()), int(fit.counts.max())),
                fraction(fit.f1),
                percent(fit.error, 0),
                f"{fit.gap:.0e}" if fit.gap >= 1e-15 else "< 1e-15",
            ]
            for fit in shown.values()
        },
    }


def _from_to(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


def numbers_in_markdown(shown: Mapping[str, Shown]) -> str:
    """The table as one text: a browser takes far longer to draw a table cell by cell."""
    columns = numbers_table(shown)
    lines = [columns, ["---"] * len(columns), *zip(*columns.values(), strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def entry_order(path: NormPath, owners: np.ndarray) -> list[int]:
    """The groups in the order in which their first weight appears as λ falls."""
    alive = np.array(
        [path.coefs[:, owners == group].any(axis=1) for group in range(owners.max() + 1)]
    )
    # The largest share at which a group is alive; a group that never is comes last.
    reach = np.where(alive.any(axis=1), alive.shape[1] - np.argmax(alive[:, ::-1], axis=1), 0)
    return np.argsort(-reach, kind="stable").tolist()


def path_answer(paths: Paths, fit: Shown) -> str:
    """The path and where we stand on it, in one sentence."""
    path = paths.by_norm[fit.norm]
    kept = fit.pattern
    return (
        _along(path, fit.label, kept.weights.size)
        + f"; at λ = {fit.share:.2g} of its scale it keeps {kept.nonzeros} "
        + _spread(kept, kept.groups.n_groups)
        + "."
    )


def _along(path: NormPath, label: str, total: int) -> str:
    low, high = int(path.nonzeros.min()), int(path.nonzeros.max())
    if low == high:
        every = f"all {total}" if low == total else f"{low} of {total}"
        return f"All along its path {label} keeps {every} weights"
    between = f" (between {low} and {high})" if (low, high) != _ends(path) else ""
    return (
        f"As λ falls along its path, {label} goes from {path.nonzeros[-1]} to "
        f"{path.nonzeros[0]} of {total} weights{between}"
    )


def _ends(path: NormPath) -> tuple[int, int]:
    first, last = int(path.nonzeros[0]), int(path.nonzeros[-1])
    return min(first, last), max(first, last)


def path_title(paths: Paths, fit: Shown) -> str:
    """How true and false features come in along the path, for the chart."""
    kept = fit.pattern.weights != 0.0
    right, true = int((kept & paths.support).sum()), int(paths.support.sum())
    found = f"{right} of {true} true features"
    if true == 1:
        found = "the one true feature" if right else "no true feature"
    wrong = int(kept.sum()) - right
    others = counted(wrong, "other") if wrong else "no other"
    return f"{fit.label} at λ = {fit.share:.2g} of its scale keeps {found}, and {others}"


def path_alt(paths: Paths, fit: Shown) -> str:
    """One λ of a path for who cannot see the lines."""
    path, at = paths.by_norm[fit.norm], np.abs(fit.pattern.weights)
    largest = int(np.argmax(at))
    group = int(paths.owners[largest]) + 1
    size = f"; the largest is {at[largest]:.2f} in size, in group {group}" if at.any() else ""
    return (
        f"Every weight against λ under {fit.label}, from {path.nonzeros[0]} nonzero at the weakest "
        f"λ to {path.nonzeros[-1]} at the strongest. {path_title(paths, fit)}{size}."
    )


def path_prose(paths: Paths, norm: str) -> str:
    """The numbers of a whole path."""
    path = paths.by_norm[norm]
    everywhere = np.array(
        [np.unique(paths.owners[row != 0.0]).size == paths.groups.n_groups for row in path.coefs]
    )
    order = ", ".join(str(group + 1) for group in entry_order(path, paths.owners)[:3])
    first = f"; as λ falls, the first to speak are groups {order}"
    if everywhere.all():
        reach = "At every λ of the path each group has a say."
    elif everywhere.any():
        last = int(np.flatnonzero(everywhere)[-1])
        upto = f"{path.shares[last]:.2g} of its scale"
        reach = (
            f"Every group has a say up to λ at {upto}{first}."
            if everywhere[: last + 1].all()
            else f"The largest λ at which every group has a say is {upto}{first}."
        )
    else:
        reach = f"At no λ of the path does every group have a say{first}."
    best_f1, best_error = int(np.argmax(path.f1)), int(np.argmin(path.errors))
    return (
        f"{reach} In this draw support F1 is highest, {fraction(path.f1[best_f1])}, at λ = "
        f"{path.shares[best_f1]:.2g} of its scale with "
        f"{counted(int(path.nonzeros[best_f1]), 'weight')}, and test error lowest, "
        f"{percent(path.errors[best_error], 0)}, at λ = "
        f"{path.shares[best_error]:.2g} with {path.nonzeros[best_error]}."
    )


def metric_title(shown: Mapping[str, Shown], share: str, drawn: str) -> str:
    """One number of the four norms at one share of their scales: in order, without a winner."""
    values = {norm: _metric(fit, drawn) for norm, fit in shown.items()}
    order = sorted(values, key=lambda norm: values[norm] * (1 if drawn == ERROR else -1))
    said = listed(f"{_form(values[norm], drawn)} for {NORM_LABELS[norm]}" for norm in order)
    return f"At λ = {share} of each norm's scale {drawn} is {said}"


def metric_answer(shown: Mapping[str, Shown], share: str, drawn: str) -> str:
    return f"{metric_title(shown, share, drawn)}, in this draw."


def metric_alt(paths: Paths, shown: Mapping[str, Shown], share: str, drawn: str) -> str:
    return (
        f"The {drawn} of four norms against λ. {metric_title(shown, share, drawn)}. "
        f"{best_of_each(paths, drawn)}"
    )


def best_of_each(paths: Paths, drawn: str) -> str:
    """Each norm at its own best λ, in this draw."""
    lower = drawn == ERROR
    best = {
        norm: path.errors.min() if lower else path.f1.max() for norm, path in paths.by_norm.items()
    }
    order = sorted(best, key=lambda norm: best[norm] if lower else -best[norm])
    said = listed(f"{_form(best[norm], drawn)} for {NORM_LABELS[norm]}" for norm in order)
    truth = f"; {percent(paths.oracle_error, 0)} for the true weights themselves" if lower else ""
    return f"Each norm at its own best λ, in this draw: {said}{truth}."


def _metric(fit: Shown, drawn: str) -> float:
    return fit.error if drawn == ERROR else fit.f1


def _form(value: float, drawn: str) -> str:
    return percent(value, 0) if drawn == ERROR else fraction(value)
