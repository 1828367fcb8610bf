"""The sentences of random grouping, computed from what is on show."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lab.balance import law, phase, settings
from lab.balance.draws import Draws
from lab.balance.law import Balance, Bounds, Setting
from lab.balance.over_n import OverN
from lab.words import counted, listed, percent

# From here on down a probability is told as one in so many.
SMALL = 0.01
NAMES = {"union": "union bound", "closed": "closed bound", "theorem": "Theorem 5"}
IN_A_SENTENCE = NAMES | {"union": "the union bound", "closed": "the closed bound"}


def probability_text(p: float, *, certain: bool = False) -> str:
    """A probability in words; a plain 0 or 1 is said only of what nothing is left to chance."""
    if certain:
        return f"{p:.0f}"
    if p < 1e-12:
        return "less than one in a trillion"
    if p < SMALL:
        return f"one in about {_about(1 / p)}"
    if p >= 0.9995:
        return "0.9995 or more"
    return f"{p:.3f}"


def _about(number: float) -> str:
    """Two digits of a number of 100 or more."""
    number = float(f"{number:.1e}")
    for unit, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= unit:
            return f"{number / unit:g} {name}"
    return f"{number:,.0f}"


def with_chance(text: str) -> str:
    """How likely something is, after a verb, for a text of `probability_text`."""
    return f"with a chance of {text}" if "one in" in text else f"with probability {text}"


def chance(at: Setting, n_groups: int, p: float) -> str:
    """P(balanced) at one m, in words; with more digits where three would hide which side it is."""
    if 0 < abs(p - at.target) < 5e-4:
        return f"{p:.5f}"
    return probability_text(p, certain=law.is_certain(at.n, at.s, n_groups))


def bound_text(bound: float) -> str:
    """A lower bound on a probability, rounded down; one at or below zero says nothing."""
    if bound <= 0:
        return "says nothing"
    if bound < 1e-3:
        return "P > 0"
    if bound >= 0.9995:
        return "P ≥ 0.9995"
    return f"P ≥ {np.floor(bound * 1000) / 1000:.3f}"


def rule_text(c: float) -> str:
    """The paper's rule as it is written."""
    return "s/log s" if c == 1 else f"{c:g}·s/log s"


def number_text(value: float) -> str:
    """Three digits, or whole where it is."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3g}"


def ratio_text(t: float) -> str:
    """R in words: 3, or 1.22 where it is no short number."""
    return f"{float(settings.largest_ratio(t)):.3g}"


def wanted(at: Setting) -> str:
    """The probability that is asked for."""
    return percent(at.target, 0)


def evenly(t: float) -> str:
    """What balanced means."""
    return f"no group holds more than {ratio_text(t)} times the true features of another"


def answer(at: Setting, found: Balance) -> str:
    """One sentence that answers the page's question."""
    features = (
        f"random groups share s = {at.s:,} true features among n = {at.n:,} evenly with "
        f"probability ≥ {wanted(at)}"
    )
    paper = (
        f"the paper's {rule_text(at.c)} = {counted(at.paper, 'group')} "
        f"{'does' if at.paper == 1 else 'do'} so "
        f"{with_chance(chance(at, at.paper, found.at_paper))}"
    )
    if found.largest == 1:
        return f"**Not even two** {features}, nor do more; {paper}."
    return f"**At most {found.largest:,}** {features}; {paper}."


# ---------------------------------------------------------------- 1 · a draw


def draw_title(found: Draws, t: float, draws: int, exact: str) -> str:
    """The last draw while there is one; then how the draws so far compare with the exact law."""
    if draws == 1:
        return one_draw(found, t, 1)
    interval = interval_text(*found.so_far(draws, t).interval)
    return f"{so_far(found, t, draws)} (95 % interval {interval}); the exact probability is {exact}"


def so_far(found: Draws, t: float, draws: int) -> str:
    """How many of several draws were balanced."""
    hits = found.so_far(draws, t).hits
    if hits in (0, draws):
        none, every = (
            ("Neither of 2", "Both") if draws == 2 else (f"None of {draws:,}", f"All {draws:,}")
        )
        return f"{every if hits else none} draws so far balanced"
    # To three digits, but never rounded to none or all.
    share = min(max(hits / draws, 0.001), 0.999)
    return f"{hits:,} of {draws:,} draws so far balanced, a share of {share:.3f}"


def one_draw(found: Draws, t: float, draw: int) -> str:
    """Whether a draw is balanced, and why."""
    low, high = int(found.smallest[draw - 1]), int(found.largest[draw - 1])
    if found.m == 1:
        return f"Draw {draw:,} is balanced: the only group holds all {high:,}"
    if low == 0:
        return f"Draw {draw:,} is not balanced: fullest {high:,}, emptiest 0"
    fits = bool(found.balanced(t)[draw - 1])
    return (
        f"Draw {draw:,} is {'' if fits else 'not '}balanced: fullest {high:,}, emptiest {low:,}, "
        f"ratio {high / low:.2f} {'≤' if fits else '>'} {ratio_text(t)}"
    )


def draw_alt(found: Draws, t: float, draws: int, exact: str) -> str:
    return (
        f"{counted(found.m, 'bucket')} with the true features that fell into each, and a histogram "
        f"of the fullest over the emptiest. {one_draw(found, t, draws)}. "
        f"{f'{so_far(found, t, draws)}. ' if draws > 1 else ''}Exact probability: {exact}."
    )


def draw_label(found: Draws) -> str:
    if found.thinned:
        return f"{found.shown.shape[1]} of {found.m:,} groups, emptiest to fullest"
    return f"{counted(found.s, 'true feature')} in {counted(found.m, 'random group')}"


def sizes_text(n_features: int, n_groups: int) -> str:
    """How many features a group has: one number, or two that differ by one."""
    size, extra = divmod(n_features, n_groups)
    return f"{size:,} or {size + 1:,} features" if extra else counted(size, "feature")


def fair_share(n_true: int, n_groups: int) -> str:
    share = n_true / n_groups
    return f"s/m = {number_text(share)} true {'feature' if share == 1 else 'features'} a group"


def interval_text(low: float, high: float) -> str:
    """The ends of an interval, rounded outwards."""
    low, high = np.floor(low * 1000) / 1000, np.ceil(high * 1000) / 1000
    return " to ".join(f"{end:.0f}" if end in (0, 1) else f"{end:.3f}" for end in (low, high))


def draw_prose(found: Draws, t: float, exact: str) -> str:
    """What the picture is; nothing that grows old while draws are added to it in the browser."""
    columns = (
        f"Of {found.m:,} groups {found.shown.shape[1]} are drawn, sorted. " if found.thinned else ""
    )
    return (
        f"All {found.n:,} features are dealt at random into {counted(found.m, 'group')} of "
        f"{sizes_text(found.n, found.m)}; the coloured tiles are the true ones, the faint ones "
        f"others, cut off at the top. {columns}A fair share is "
        f"{fair_share(found.s, found.m)}. A draw is **balanced** if "
        f"{evenly(t)}: no bucket may pass the mark at {ratio_text(t)} times the emptiest. One draw "
        f"says little, *{settings.DRAWS:,} draws* say more; the exact law, computed without any "
        f"draw, gives balanced draws a probability of {exact}."
    )


# ---------------------------------------------------------------- 2 · how many groups


def curve_title(at: Setting, n_groups: int, p: float) -> str:
    relation = "reaches" if p >= at.target else "misses"
    return (
        f"m = {n_groups:,}: balanced {with_chance(chance(at, n_groups, p))}, which {relation} the "
        f"wanted {wanted(at)}"
    )


def curve_alt(at: Setting, n_groups: int, p: float, found: Balance) -> str:
    return (
        f"The exact probability of balance falling with the number of groups m. At m = "
        f"{n_groups:,} it is {chance(at, n_groups, p)}; the largest m with at least "
        f"{wanted(at)} is {found.largest:,}; the paper's {rule_text(at.c)} = {at.paper:,} is "
        f"balanced {with_chance(chance(at, at.paper, found.at_paper))}."
    )


def curve_prose(at: Setting, n_groups: int, p: float, found: Balance) -> str:
    best = (
        f"The largest m that reaches {wanted(at)} is **{found.largest:,}**, "
        f"{with_chance(chance(at, found.largest, found.at_largest))}"
    )
    return (
        f"At **m = {n_groups:,}** a fair share is {fair_share(at.s, n_groups)}, and a draw is "
        f"balanced {with_chance(chance(at, n_groups, p))}. {best}; the paper's rule "
        f"{rule_text(at.c)} gives {at.paper:,}, "
        f"{with_chance(chance(at, at.paper, found.at_paper))}. More groups leave fewer true "
        "features to each, and small numbers differ more in proportion. A group more or less can "
        "matter beyond the trend, because s and n divide evenly by some m only."
    )


# ---------------------------------------------------------------- 3 · what can be proven


def bounds_title(at: Setting, n_groups: int, p: float, proven: Mapping[str, float]) -> str:
    said = [
        f"{bound_text(value).removeprefix('P ')} ({NAMES[name]})"
        for name, value in proven.items()
        if value > 0 and is_proven(at, n_groups, name)
    ]
    return (
        f"m = {n_groups:,}: exact chance {chance(at, n_groups, p)}, proven "
        f"{', '.join(said) if said else 'nothing'}"
    )


def is_proven(at: Setting, n_groups: int, name: str) -> bool:
    """Whether a bound's proof covers these groups: but for the union bound, equal ones only."""
    return name == "union" or at.n % n_groups == 0


def bounds_alt(at: Setting, n_groups: int, p: float, proven: Mapping[str, float]) -> str:
    return (
        "The exact probability of balance over the number of groups and, below it, three lower "
        f"bounds. {bounds_title(at, n_groups, p, proven)}."
    )


def bounds_prose(at: Setting, n_groups: int, proven: Bounds) -> str:
    """Each bound in words, what it says here, and how far it goes."""
    here = proven.at(n_groups)

    def verdict(name: str) -> str:
        far, value = proven.reach(name), here[name]
        said = (
            f"At m = {n_groups:,} it says nothing: the chances add up to more than 1"
            if value <= 0
            else f"At m = {n_groups:,} "
            f"{'it proves' if is_proven(at, n_groups, name) else 'its formula says'} "
            f"{bound_text(value)}"
        )
        until = "for no m at all" if far is None else f"up to m = {far:,}"
        return f"{said}; on this axis its formula says something {until}."

    caveat = (
        f" Its proof needs groups of one size; here m = {n_groups:,} does not divide n = {at.n:,}."
        if at.n % n_groups
        else ""
    )
    return (
        "Nobody needs a bound where the exact number is known; a proof does, because a bound is a "
        "formula for all s and m at once.\n\n"
        f"- **Union bound.** Ask each group alone: how likely is a count outside (1 ± {at.t:g})·s/m"
        ", far from its fair share? Add these chances up over the groups; something goes wrong "
        f"with at most that probability. {verdict('union')}\n"
        "- **Closed bound.** The same sum, with each chance replaced by something larger that can "
        f"be written down (Chernoff). {verdict('closed')}{caveat}\n"
        "- **Theorem 5**, the paper's. The same idea by way of independent coin tosses, which "
        f"costs constants: 3 and 0.08 where 2 and 0.375 would do. {verdict('theorem')}{caveat}"
    )


# ---------------------------------------------------------------- 4 · phase diagram


def phase_title(at: Setting, m: int, p: float) -> str:
    """What the marker says of the s on show."""
    return f"s = {at.s:,}, {curve_title(at, m, p)}"


def phase_alt(at: Setting, found: phase.Phase) -> str:
    return (
        f"P(balanced) as shade over the true features s and the groups m, for n = {at.n:,} and "
        f"t = {at.t:g}. {phase_reach(at, found)}."
    )


def phase_reach(at: Setting, found: phase.Phase) -> str:
    """How far the boundary goes."""
    last_s, last_m = int(found.s[-1]), int(found.largest[-1])
    if last_m < 2:
        return f"Even s = {last_s:,} true features fill no two groups with P ≥ {wanted(at)}"
    return (
        f"Among n = {at.n:,} features, s = {last_s:,} true ones fill up to {last_m:,} groups with "
        f"P ≥ {wanted(at)}"
    )


def phase_prose(at: Setting, found: phase.Phase) -> str:
    """The condition of Theorem 5 against the exact law."""
    needed = [
        f"{phase.constant_needed(s, m, at.t):.2g} at s = {s:,}"
        for s, m in zip(found.s.tolist(), found.largest.tolist(), strict=True)
        if m > 1
    ]
    constants = (
        f"Along the solid line s = C·(m log m)/t² with C = {listed(needed[-3:])}: Theorem 5's "
        "condition has the right shape where C stays put; the constants of its proof ask for "
        "C > 12.5."
        if needed
        else "On this range the solid line never leaves one group."
    )
    return (
        f"{phase_reach(at, found)}. Shade: P(balanced), from none to full, for t = {at.t:g} and "
        f"n = {at.n:,}. Solid: the largest m with P ≥ "
        f"{wanted(at)}, for the same n. Dotted: s = (m log m)/t², the theorem's condition with "
        f"its constant set to one. Shown are s up to n/2. {constants}"
    )


# ---------------------------------------------------------------- 5 · does n matter?


def over_n_title(at: Setting, n_groups: int, here: float, instead: int, p: float) -> str:
    """P(balanced) with another number of features beside `here`, that of the n on show."""
    at_other = probability_text(p, certain=law.is_certain(instead, at.s, n_groups))
    at_n = probability_text(here, certain=law.is_certain(at.n, at.s, n_groups))
    groups = f"{counted(n_groups, 'random group')} {'is' if n_groups == 1 else 'are'} balanced"
    if instead == at.n:
        return f"With n = {at.n:,} features {groups} {with_chance(at_n)}"
    versus = "either way" if at_other == at_n else f"instead of {at_n}"
    return (
        f"With n = {instead:,} features instead of {at.n:,}, {groups} {with_chance(at_other)} "
        f"{versus}"
    )


def over_n_alt(
    at: Setting, n_groups: int, here: float, instead: int, p: float, found: OverN
) -> str:
    return (
        "The exact probability of balance over the number of features, and the lower bounds that "
        f"say something. {over_n_title(at, n_groups, here, instead, p)}. "
        f"{over_n_spread(at, found)}."
    )


def over_n_spread(at: Setting, found: OverN) -> str:
    """How much n still matters where it is much larger than s."""
    many = found.n >= 10 * at.s
    spread = float(np.ptp(found.exact[many]))
    verdict = f"by {spread:.3f}" if spread >= 5e-4 else "by less than 0.0005"
    return (
        f"From n = {found.n[many][0]:,} to {found.n[-1]:,} the probability of balance changes "
        f"{verdict}"
    )


def over_n_prose(at: Setting, n_groups: int, found: OverN, largest: Mapping[int, int]) -> str:
    cases = listed(f"{m:,} at n = {n:,}" for n, m in largest.items())
    silent = [
        IN_A_SENTENCE[name] for name, line in found.lines().items() if not np.isfinite(line).any()
    ]
    spread = over_n_spread(at, found)
    nothing = (
        f" For m = {n_groups:,} nothing is said by {listed(silent, last='or')}." if silent else ""
    )
    return (
        "Theorem 5 does not contain n, and neither does its bound. The exact law does: the counts "
        "are drawn without replacement, so they vary less where most features are true, and not at "
        f"all where all are. As n grows the law settles: {spread[0].lower()}{spread[1:]}. The "
        f"largest m with P ≥ {wanted(at)} (s = {at.s:,}, t = {at.t:g}) is {cases}.{nothing}"
    )
