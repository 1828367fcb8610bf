"""Fig. 2(d): accuracy on generated data."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lab import measured
from lab.judges.verdicts import (
    CONDITION,
    FAILS,
    HOLDS,
    PENDING,
    Judgement,
    by_share,
    listed,
    missing,
    repeats,
)
from lab.measured import METHODS, Difference, Mean

FEWEST_REPEATS = 3


def enough(figure2d: dict, noise: str) -> dict[int, dict[str, np.ndarray]]:
    """The m with repeats enough to say anything about means."""
    found = measured.trials(figure2d, noise)
    return {m: a for m, a in found.items() if len(a["svm"]) >= FEWEST_REPEATS}


def ahead_of(method: str, others: tuple[str, ...]) -> Callable[[dict], Judgement]:
    def judge(figure2d: dict) -> Judgement:
        cells = enough(figure2d, "independent")
        if not cells:
            return missing("m with enough repeats of Fig. 2(d)")
        lost, sure, texts = [], 0, []
        for m, accuracy in cells.items():
            differences = {
                other: Difference.of(accuracy[method], accuracy[other]) for other in others
            }
            worst = min(differences, key=lambda other: differences[other].value)
            texts.append(f"{m}: {differences[worst].in_points()} ({METHODS[worst]})")
            sure += all(d.value > 0 and d.significant for d in differences.values())
            if differences[worst].value <= 0.0:
                lost.append(m)
        text = (
            f"points of accuracy ahead of the best of {listed([METHODS[o] for o in others])}, by "
            f"m, ± 95 %: {', '.join(texts)}; {repeats(cells)}"
        )
        why = (
            f"With independent noise and converged fits; significant against each (paired, 95 %) "
            f"at {sure} of {len(cells)} m.{_waiting(cells)}"
        )
        return Judgement(_by_share(len(lost), cells), text, why)

    return judge


def slightly_worse(figure2d: dict) -> Judgement:
    cells = enough(figure2d, "independent")
    if not cells:
        return missing("m with enough repeats of Fig. 2(d)")
    found = {m: Difference.of(a["esvm"], a["esvm_r"]) for m, a in cells.items()}
    by_m = ", ".join(f"{m}: {difference.in_points()}" for m, difference in found.items())
    text = f"points that E-SVM is ahead of E-SVM(R), by m, ± 95 %: {by_m}; {repeats(cells)}"
    behind = {m: difference.value for m, difference in found.items()}
    reversed_at = [m for m, value in behind.items() if value < 0.0]
    far = [m for m, value in behind.items() if value > _SLIGHTLY]
    why = f"“Slightly” read as at most {100 * _SLIGHTLY:g} points.{_waiting(cells)}"
    if far:
        why += f" It is more at m = {listed([str(m) for m in far])}."
    if reversed_at:
        why += f" E-SVM(R) is ahead at m = {listed([str(m) for m in reversed_at])}."
    return Judgement(_by_share(len(set(far) | set(reversed_at)), cells), text, why)


_SLIGHTLY = 0.05
_COMPARABLE = 0.03


def comparable_when_dense(figure2d: dict) -> Judgement:
    cells = enough(figure2d, "independent")
    if not cells:
        return missing("m with enough repeats of Fig. 2(d)")
    spreads = {
        m: np.ptp([a[method].mean() for method in ("svm", "esvm", "esvm_r")])
        for m, a in cells.items()
    }
    m = max(cells)
    first = min(cells)
    text = (
        f"largest difference among the three: {100 * spreads[m]:.1f} points at m = {m:,}, "
        f"{100 * spreads[first]:.1f} at m = {first}; {repeats(cells)}"
    )
    if m < max(PAPER_M):
        return Judgement(PENDING, text, f"m = {max(PAPER_M):,} is not measured yet.")
    why = f"“Comparable” read as within {100 * _COMPARABLE:g} points."
    return Judgement(HOLDS if spreads[m] <= _COMPARABLE else FAILS, text, why)


def _by_share(wrong: int, cells) -> str:
    """No verdict before half of the paper's m are measured."""
    return PENDING if len(cells) < len(PAPER_M) / 2 else by_share(wrong, len(cells))


def _waiting(cells) -> str:
    """What is still to be measured, as a sentence; nothing if nothing is."""
    left = [f"{m:,}" for m in PAPER_M if m not in cells]
    return f" Still to be measured: m = {listed(left)}." if left else ""


PAPER_M = (112, 315, 504, 720, 1008, 1260, 1680, 2520)


def oracle(figure2d: dict) -> Judgement:
    values = [a["oracle"] for n in ("independent", "shared") for a in _cells(figure2d, n)]
    if not values:
        return missing("m with enough repeats of Fig. 2(d)")
    mean = Mean.of(np.concatenate(values))
    text = f"error of the true model {1 - mean.value:.1%} ± {mean.error:.1%}"
    return Judgement(
        HOLDS if abs(1 - mean.value - 0.1) < 0.02 else FAILS,
        text,
        "d = Φ⁻¹(0.9)/‖w*‖ gives 10 % in closed form.",
    )


def _cells(figure2d: dict, noise: str) -> list[dict]:
    return [a for a in enough(figure2d, noise).values() if "oracle" in a]


def as_printed(figure2d: dict) -> Judgement:
    """The figure shows SVM below E-SVM: at how many m do the data as printed?"""
    cells = enough(figure2d, "shared")
    if not cells:
        return missing("m with enough repeats of Fig. 2(d)")
    gains = _gains(cells)
    by_m = ", ".join(f"{m}: {gain.in_points()}" for m, gain in gains.items())
    text = (
        f"with one X₀ for both classes, points that E-SVM is ahead of SVM, by m, ± 95 %: {by_m}; "
        f"{repeats(cells)}"
    )
    ahead = _surely_ahead(gains)
    behind = sum(gain.significant and gain.value < 0.0 for gain in gains.values())
    independent = _gains(enough(figure2d, "independent"))
    why = (
        f"Beyond chance E-SVM is ahead of SVM at {ahead} of {len(gains)} m and behind at {behind}; "
        f"with independent noise it is ahead at {_surely_ahead(independent)} of "
        f"{len(independent)}. Pairs of samples differ by exactly 2d·w* here; what is left to "
        f"gain, the points short of the true model: {_shortfalls(cells)}.{_waiting(cells)}"
    )
    if len(cells) < len(PAPER_M) / 2:
        return Judgement(PENDING, text, why)
    verdict = HOLDS if ahead == len(gains) else CONDITION if ahead else FAILS
    return Judgement(verdict, text, why)


def _gains(cells) -> dict[int, Difference]:
    """E-SVM minus SVM, by m."""
    return {m: Difference.of(a["esvm"], a["svm"]) for m, a in cells.items()}


def _surely_ahead(gains: dict[int, Difference]) -> int:
    return sum(gain.significant and gain.value > 0.0 for gain in gains.values())


def _shortfalls(cells) -> str:
    """How far each method stays behind the true model, from the best m to the worst."""
    parts = []
    for method in ("svm", "esvm", "esvm_r", "sparse_svm"):
        short = [100 * float(np.mean(a["oracle"] - a[method])) for a in cells.values()]
        parts.append(f"{METHODS[method]} {min(short):.1f} to {max(short):.1f}")
    return listed(parts)
