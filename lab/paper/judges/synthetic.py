"""Fig. 2(d): accuracy on generated data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np

from lab.data.paper_numbers import FIG2D_MS
from lab.estimates import Estimate, difference, estimate, holm
from lab.paper import measured
from lab.paper.evidence import Bar, Evidence
from lab.paper.judges.looks import RULE, Looks
from lab.paper.judges.verdicts import (
    CONDITION,
    FAILS,
    HOLDS,
    PENDING,
    UNDECIDED,
    Judgement,
    draws_each,
    missing,
)
from lab.paper.measured import METHODS
from lab.paper.wording import percent
from lab.words import listed, signed

FEWEST_REPEATS = 3
_SLIGHTLY = 0.05
_COMPARABLE = 0.03


def enough(figure2d: dict, noise: str) -> dict[int, dict[str, np.ndarray]]:
    """The m with draws enough to say anything about means."""
    found = measured.trials(figure2d, noise)
    return {m: a for m, a in found.items() if len(a["svm"]) >= FEWEST_REPEATS}


def ahead_of(method: str, others: tuple[str, ...]) -> Callable[[dict], Judgement]:
    """Whether a method is ahead of others, with a look at each m."""

    def judge(figure2d: dict) -> Judgement:
        cells = enough(figure2d, "independent")
        if not cells:
            return missing("m with enough draws of Fig. 2(d)")
        seen = Looks.of(
            {
                f"m = {m:,}": {o: difference(a[method], a[o]) for o in others}
                for m, a in cells.items()
            }
        )
        names = listed([METHODS[other] for other in others])
        text = (
            f"beyond chance ahead of {names} at {len(seen.ahead)} of {len(cells)} values "
            f"of m, behind one of them at {len(seen.behind)}"
        )
        verdict = PENDING if _too_few(cells) else seen.verdict
        return Judgement(
            verdict,
            text,
            f"With independent noise and converged fits. {RULE}{_waiting(cells)}",
            _strength(cells, _BEFORE),
            "Differences beyond chance at other values of m, or other strengths α and β.",
            seen.evidence(f"points that {METHODS[method]} is ahead, by m", METHODS),
        )

    return judge


def slightly_worse(figure2d: dict) -> Judgement:
    """Whether E-SVM(R) is behind E-SVM, by 5 points at most: that much is called slightly."""
    cells = enough(figure2d, "independent")
    if not cells:
        return missing("m with enough draws of Fig. 2(d)")
    found = {m: difference(a["esvm"], a["esvm_r"]) for m, a in cells.items()}
    seen = Looks.of({f"m = {m:,}": {"esvm_r": each} for m, each in found.items()})
    far = [m for m, each in found.items() if each.mean > _SLIGHTLY]
    low, high = (100 * pick(each.mean for each in found.values()) for pick in (min, max))
    why = f"“Slightly” read as at most {100 * _SLIGHTLY:g} points. {RULE}{_waiting(cells)}"
    if far:
        why += f" It is more at m = {listed([f'{m:,}' for m in far])}."
    verdict = FAILS if 2 * len(far) >= len(cells) else CONDITION if far else seen.verdict
    between = signed(f"{low:+.1f} to {high:+.1f} points")
    return Judgement(
        PENDING if _too_few(cells) else verdict,
        f"E-SVM(R) is beyond chance behind E-SVM at {len(seen.ahead)} of {len(cells)} values of m "
        f"and ahead at {len(seen.behind)}; E-SVM minus E-SVM(R) is {between}",
        why,
        _strength(cells, _BEFORE),
        f"Differences beyond chance at most values of m, or above {100 * _SLIGHTLY:g} points.",
        _by_m(found, "points that E-SVM is ahead of E-SVM(R), by m"),
    )


def comparable_when_dense(figure2d: dict) -> Judgement:
    """Whether the largest difference among the three, with its interval, is a small one."""
    cells = enough(figure2d, "independent")
    if not cells:
        return missing("m with enough draws of Fig. 2(d)")
    widest = {m: _widest(a) for m, a in cells.items()}
    m, first = max(cells), min(cells)
    text = (
        f"largest difference among the three: {_in_points(widest[m])} points at m = {m:,}, "
        f"{_in_points(widest[first])} at m = {first}"
    )
    if m < max(FIG2D_MS):
        return Judgement(PENDING, text, f"m = {max(FIG2D_MS):,} is not measured yet.")
    return Judgement(
        _within(widest[m], _COMPARABLE),
        text,
        f"“Comparable” read as within {100 * _COMPARABLE:g} points, with its 95 % interval.",
        _strength(cells),
        f"A difference above {100 * _COMPARABLE:g} points at m = {m:,}.",
        Evidence(
            "largest difference among the three, points, by m",
            tuple(
                Bar(f"m = {k:,}", 100 * v.mean, 100 * v.low, 100 * v.high, own=k == m)
                for k, v in widest.items()
            ),
            100 * _COMPARABLE,
            "comparable",
        ),
    )


def _widest(accuracy: Mapping[str, np.ndarray]) -> Estimate:
    """The largest of the paired differences among SVM, E-SVM and E-SVM(R), taken positive."""
    pairs = combinations(("svm", "esvm", "esvm_r"), 2)
    found = [difference(accuracy[one], accuracy[other]) for one, other in pairs]
    largest = max(found, key=lambda each: abs(each.mean))
    return replace(largest, mean=abs(largest.mean))


def _within(found: Estimate, most: float) -> str:
    if found.high <= most:
        return HOLDS
    return FAILS if found.low > most else UNDECIDED


def _in_points(found: Estimate) -> str:
    return found.in_points().removeprefix("+")


def oracle(figure2d: dict) -> Judgement:
    by_m = {
        f"m = {m:,}, {noise}": estimate(1.0 - a["oracle"])
        for noise in ("independent", "shared")
        for m, a in enough(figure2d, noise).items()
        if "oracle" in a
    }
    if not by_m:
        return missing("m with enough draws of Fig. 2(d)")
    values = [
        1.0 - a["oracle"]
        for noise in ("independent", "shared")
        for a in enough(figure2d, noise).values()
    ]
    error = estimate(np.concatenate(values))
    return Judgement(
        HOLDS if abs(error.mean - 0.1) < 0.02 else FAILS,
        f"error of the true model {_in_points(error)} %",
        "d = Φ⁻¹(0.9)/‖w*‖ gives 10 % in closed form.",
        f"{error.count} draws over all values of m and both kinds of noise, with a 95 % interval.",
        "A mean error more than two points from 10 %.",
        Evidence(
            "error of the true model, per cent",
            tuple(
                Bar(
                    name,
                    100 * found.mean,
                    100 * found.low,
                    100 * found.high,
                )
                for name, found in by_m.items()
            ),
            10.0,
            "10 %",
        ),
    )


def as_printed(figure2d: dict) -> Judgement:
    """The figure shows SVM below E-SVM: at how many m do the data as printed?"""
    cells = enough(figure2d, "shared")
    if not cells:
        return missing("m with enough draws of Fig. 2(d)")
    gains, independent = _gains(cells), _gains(enough(figure2d, "independent"))
    ahead, behind = _surely(gains, 1.0), _surely(gains, -1.0)
    text = (
        f"with one X₀ for both classes E-SVM is beyond chance ahead of SVM at {ahead} of "
        f"{len(gains)} values of m and behind at {behind}; with independent noise ahead at "
        f"{_surely(independent, 1.0)} of {len(independent)}"
    )
    why = (
        "Pairs of samples differ by exactly 2d·w* here; what is left to gain, the points short of "
        f"the true model: {_shortfalls(cells)}.{_waiting(cells)}"
    )
    if _too_few(cells):
        verdict = PENDING
    elif ahead == len(gains):
        verdict = HOLDS
    elif 2 * ahead >= len(gains):
        verdict = CONDITION
    else:
        verdict = FAILS if behind >= ahead else UNDECIDED
    return Judgement(
        verdict,
        text,
        why,
        f"{_strength(cells, _BEFORE)} Corrected over the values of m together (Holm, 5 %).",
        "Differences beyond chance in favour of E-SVM at most values of m.",
        _by_m(gains, "points that E-SVM is ahead of SVM with shared noise, by m"),
    )


def kong_announced(figure2d: dict) -> Judgement:
    """Kong's approach on the synthetic data, which the text announces and Fig. 2(d) does not show.

    The figure's caption lists SVM, S-SVM and E-SVM in its two forms; we ran it.
    """
    cells = enough(figure2d, "independent")
    if not cells:
        return missing("m with enough draws of Fig. 2(d)")
    gains = {m: difference(a["esvm"], a["kong"]) for m, a in cells.items()}
    text = (
        f"the figure and its caption have no Kong; here E-SVM is beyond chance ahead of it at "
        f"{_surely(gains, 1.0)} of {len(gains)} values of m and behind at {_surely(gains, -1.0)}"
    )
    return Judgement(
        FAILS,
        text,
        "Announced for synthetic and real data, reported for real data only: the caption of "
        "Fig. 2(d) and “four variants of SVM formulation” leave it out.",
        f"{_strength(cells, _BEFORE)} Corrected over the values of m together (Holm, 5 %).",
        "A fifth curve in the figure.",
        _by_m(gains, "points that E-SVM is ahead of Kong, by m"),
    )


def few_features(figure2d: dict) -> Judgement:
    """How many features E-SVM and SVM use."""
    n = int(figure2d["n_features"]) if "n_features" in figure2d else None
    if n is None:
        return missing("number of features of Fig. 2(d)")
    used: dict[str, dict[int, float]] = {"esvm": {}, "esvm_r": {}, "svm": {}}
    for cell in figure2d["cells"]:
        if cell["noise"] == "independent" and cell["method"] in used:
            used[cell["method"]][cell["m"]] = float(np.mean(cell["nonzeros"])) / n
    if not all(used.values()):
        return missing("m with enough draws of Fig. 2(d)")
    low, high = min(used["esvm"].values()), max(used["esvm"].values())
    least, most = (percent(pick(used["svm"].values())) for pick in (min, max))
    others = least if least == most else f"{least} to {most}"
    text = f"E-SVM uses {percent(low)} to {percent(high)} of the {n:,} features by m, SVM {others}"
    fewer = all(used["esvm"][m] < used["svm"][m] for m in used["esvm"] if m in used["svm"])
    verdict = HOLDS if high < 0.5 else CONDITION if fewer else FAILS
    bars = tuple(
        Bar(f"{METHODS[key]}, m = {m:,}", 100 * share, own=key == "esvm")
        for key, by_m in used.items()
        for m, share in sorted(by_m.items())
    )
    return Judgement(
        verdict,
        text,
        "“A few” read as less than half. The strengths are those that cross-validation chose; a "
        "larger β keeps fewer.",
        "Means over the draws at each m, independent noise.",
        "Strengths chosen for few features instead of accuracy.",
        Evidence("share of features used, per cent", bars, 50.0, "half"),
    )


def _gains(cells) -> dict[int, Estimate]:
    """E-SVM minus SVM, by m."""
    return {m: difference(a["esvm"], a["svm"]) for m, a in cells.items()}


def _surely(gains: Mapping[int, Estimate], sign: float) -> int:
    """How many differences of a sign are beyond chance, all m corrected together."""
    found = holm([gain.p for gain in gains.values()])
    return sum(
        flag and sign * gain.mean > 0.0 for flag, gain in zip(found, gains.values(), strict=True)
    )


def _by_m(gains: Mapping[int, Estimate], axis: str) -> Evidence:
    sure = holm([gain.p for gain in gains.values()])
    bars = tuple(
        Bar(f"m = {m:,}", 100 * gain.mean, 100 * gain.low, 100 * gain.high, flag)
        for (m, gain), flag in zip(gains.items(), sure, strict=True)
    )
    return Evidence(axis, bars, 0.0, "no difference")


# The bars of differences that are corrected together are each of its own.
_BEFORE = " before the correction"


def _strength(cells, how: str = "") -> str:
    return f"{draws_each(cells)} at each of {len(cells)} values of m, paired, 95 % intervals{how}."


def _too_few(cells) -> bool:
    """No verdict before half of the paper's m are measured."""
    return len(cells) < len(FIG2D_MS) / 2


def _waiting(cells) -> str:
    """What is still to be measured, as a sentence; nothing if nothing is."""
    left = [f"{m:,}" for m in FIG2D_MS if m not in cells]
    return f" Still to be measured: m = {listed(left)}." if left else ""


def _shortfalls(cells) -> str:
    """How far each method stays behind the true model, from the best m to the worst."""
    parts = []
    for method in ("svm", "esvm", "esvm_r", "sparse_svm"):
        short = [100 * float(np.mean(a["oracle"] - a[method])) for a in cells.values()]
        parts.append(f"{METHODS[method]} {min(short):.1f} to {max(short):.1f}")
    return listed(parts)
