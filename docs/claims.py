"""The sentences of the README that state measurements, written from the committed results.

    python -m docs.claims

A test fails when the README does not hold them word for word.
"""

from __future__ import annotations

import math
from itertools import compress

from benchmarks import common
from benchmarks.compare import OUTSIDE_RATIO
from lab.data.paper_numbers import TABLE_1
from lab.estimates import difference, holm
from lab.paper import claims, completeness, measured
from lab.paper.judges import synthetic
from lab.paper.judges.verdicts import draws_each
from lab.words import listed

CLARABEL = "CVXPY + CLARABEL"
NAMES = {
    "lasso_disjoint": "E-LASSO with disjoint groups",
    "lasso_overlapped": "E-LASSO with overlapping groups",
    "svm_1_10": "E-SVM with α = 1, β = 10",
    "svm_100_100": "E-SVM with α = β = 100",
}


def speed_table(results: dict) -> list[str]:
    """Rows of Markdown: ours to 1e-6, and how many times longer the others took."""
    rows = [
        "| the paper's problem | ours to 1e-6 | CVXPY + Clarabel | fastest outside | the paper's "
        "methods |",
        "| :-- | --: | --: | :-- | :-- |",
    ]
    for key, name in NAMES.items():
        outcome = results["experiments"][key]
        seconds = outcome["rows"]["ours to 1e-06"]["wall_seconds"]
        outside = outside_ratios(outcome)
        fastest = min(outside, key=outside.get)
        theirs = []
        for label, ratio in paper_ratios(outcome).items():
            method, _, rest = label.partition(" over ours to 1e-6")
            theirs.append(f"{method}: {'over ' if rest else ''}{ratio:.0f} ×")
        rows.append(
            f"| {name} | {seconds:.2f} s | {outside[CLARABEL]:.0f} × | "
            f"{fastest.replace('CLARABEL', 'Clarabel')}: {outside[fastest]:.0f} × | "
            f"{', '.join(theirs)} |"
        )
    return rows


def outside_ratios(outcome: dict) -> dict[str, float]:
    """How many times longer each outside solver took that came as close, by its name."""
    return {
        label.removesuffix(OUTSIDE_RATIO): ratio
        for label, ratio in outcome["ratios"].items()
        if label.endswith(OUTSIDE_RATIO)
    }


def paper_ratios(outcome: dict) -> dict[str, float]:
    """How many times longer PCP, LOCP and single-step LICP took to their looser gaps."""
    paper = ("PCP to", "LOCP to", "LICP to")
    return {label: r for label, r in outcome["ratios"].items() if label.startswith(paper)}


def path_sentence(results: dict) -> str:
    paths = results["experiments"]["path"]["paths"]
    slowest = max(row["seconds"] for row in paths.values())
    worst = max(row["worst_gap"] for row in paths.values())
    count = results["experiments"]["path"]["n_lams"]
    return (
        f"A path of {count} λ over two decades on 200 × 500 takes {1e3 * slowest:.0f} ms or less, "
        f"every point with a certified gap below {_ceiling(worst)}."
    )


def scaling_sentence(results: dict) -> str:
    row = results["rows"][-1]
    return (
        f"With {row['n_features']:,} features, {row['n_samples']:,} samples and "
        f"{row['nonzeros']:,} nonzeros, a certified gap of 1e-3 takes "
        f"{row['lasso']['wall_seconds']:.0f} s for E-LASSO and {row['svm']['wall_seconds']:.0f} s "
        f"for E-SVM, certificates included, in {row['largest_memory_gb']:.1f} GB."
    )


def machine_sentence(results: dict) -> str:
    """When and where the rows of the table were measured, which may be several days."""
    outcomes = [results["experiments"][key] for key in NAMES]
    machines = [outcome["environment"] for outcome in outcomes]
    repeats = {outcome["rows"]["ours to 1e-06"]["repeats"] for outcome in outcomes}
    return (
        f"The table was measured on {_each(machine['date'] for machine in machines)} on "
        f"{_each(machine['cores'] for machine in machines)} cores "
        f"({_each(machine['processor'] for machine in machines)}), each row within one run; our "
        f"times there are medians of {_each(repeats)} repeats."
    )


def synthetic_sentence(figure2d: dict) -> str:
    """Fig. 2(d): where E-SVM beats a plain SVM beyond chance, and where the noise decides."""
    trials = synthetic.enough(figure2d, "independent")
    gains = {m: difference(a["esvm"], a["svm"]) for m, a in trials.items()}
    ahead, behind = _beyond_chance(gains.values())
    by = ""
    if any(ahead):
        most = max(compress(gains, ahead), key=lambda m: gains[m].mean)
        by = f", by {gains[most].in_points().removeprefix('+')} points at most (m = {most:,}),"
    shared = synthetic.enough(figure2d, "shared").values()
    short = max(difference(a["oracle"], a["svm"]).mean for a in shared)
    return (
        f"On the data of its Fig. 2(d), with independent noise, E-SVM is ahead of a plain SVM "
        f"beyond chance at {sum(ahead)} of the {len(gains)} values of m measured "
        f"({draws_each(trials)} each){by} and behind at {sum(behind)}; with the noise as printed "
        f"a plain SVM is within {100 * short:.1f} points of the true model."
    )


def _beyond_chance(gains) -> tuple[list[bool], list[bool]]:
    """Which differences are above and below 0 beyond chance, corrected together (Holm)."""
    gains = list(gains)
    sure = holm([gain.p for gain in gains])
    return tuple(
        [flag and sign * gain.mean > 0.0 for flag, gain in zip(sure, gains, strict=True)]
        for sign in (1.0, -1.0)
    )


def real_sentence(table1: dict) -> str:
    """Table 1, standardised: who is ahead beyond chance, by both rules that choose the strengths"""
    parts = []
    for protocol in measured.PROTOCOLS:
        ways = [
            way
            for row in TABLE_1
            for way in measured.ways(table1, row)
            if (way.protocol, way.preprocessing) == (protocol, "standardise") and way.by_both_rules
        ]
        by_rule = [
            _beyond_chance([way.difference(ties, "esvm_r", "svm") for way in ways])
            for ties in measured.RULES
        ]
        ahead, behind = (
            [sum(flags) for flags in zip(*each, strict=True)] for each in zip(*by_rule, strict=True)
        )
        both = len(measured.RULES)
        partial = sum(way.done < way.folds for way in ways)
        rest = f", {partial} of them with part of their folds" if partial else ""
        parts.append(
            f"by {protocol} folds ahead of a plain SVM on {ahead.count(both)} and behind on "
            f"{behind.count(both)} of {len(ways)} sets{rest} (by one rule only: on "
            f"{ahead.count(1)} and {behind.count(1)})"
        )
    return (
        f"On the sets of its Table 1 that could be had (of {_assumed()} partly by assumption), "
        f"standardised, E-SVM(R) is, beyond chance "
        f"and whichever of two rules chooses the strengths, {', and '.join(parts)}; elsewhere the "
        f"difference is within chance."
    )


def _assumed() -> str:
    return listed([row.title for row in TABLE_1 if row.assumption])


def peers_table(results: dict) -> list[str]:
    """Rows of Markdown: the others' own problems, ours with both measures, and their times."""
    rows = [
        "| others' problem | ours | products Xᵀθ | certified gap | their η | theirs |",
        "| :-- | --: | --: | --: | --: | :-- |",
    ]
    for name, row in results["rows"].items():
        theirs = "not measured"
        if row["their_seconds"] is not None:
            theirs = f"{row['their_seconds']:g} s, {row['source']}"
        rows.append(
            f"| {name}: {row['title']} | {row['cpu_seconds']:.2f} s | {row['products']} "
            f"| {_power(row['worst_gap'])} | {_power(row['worst_eta'])} | {theirs} |"
        )
    return rows


LOSSES = {"lasso": "E-LASSO", "logistic": "logistic", "svm": "E-SVM"}
SHOWN_SHAPES = ("20,000 × 500", "5,000 × 100,000, sparse")
SHOWN_SHARES = ("10", "1")


def choice_table(results: dict) -> list[str]:
    """Rows of Markdown: "auto" on tall and on sparse data, beside the best of our other methods."""
    rows = [
        "| data | problem | `auto` at 10 λ₀ | best of the others | `auto` at λ₀ | best of the "
        "others |",
        "| :-- | :-- | --: | :-- | --: | :-- |",
    ]
    for shape in SHOWN_SHAPES:
        for kind, name in LOSSES.items():
            cells = [results["cells"].get(f"{shape} | {kind} | {s}") for s in SHOWN_SHARES]
            if all(cells):
                parts = [part for cell in cells for part in _auto_and_best(cell["rows"])]
                rows.append(f"| {shape} | {name} | {' | '.join(parts)} |")
    return rows


def _auto_and_best(rows: dict) -> tuple[str, str]:
    others = {
        key: row["cpu_seconds"]
        for key, row in rows.items()
        if key != "auto" and row.get("status", "converged") == "converged"
    }
    auto = f"{rows['auto']['cpu_seconds']:.2g} s"
    if not others:
        return auto, "none within 1.5 times that"
    best = min(others, key=others.get)
    return auto, f"`{best}`: {others[best]:.2g} s"


def choice_sentence(results: dict) -> str:
    """How far "auto" is from the best of the others, over the whole grid."""
    found = [cell for cell in results["cells"].values() if cell["ratio"] is not None]
    above = [cell["ratio"] for cell in found if cell["ratio"] > 2.0]
    worst = f", {max(above):.1f} × in the worst" if above else ""
    outside = sum("clarabel" in cell["rows"] for cell in found)
    shapes = {key.split(" | ")[0] for key in results["cells"]}
    return (
        f"Over {len(found)} problems of {len(shapes)} shapes "
        f"(`python -m benchmarks.choice`) `auto` takes more than twice as long as the best of our "
        f"methods in {len(above)}{worst}, and longer than Clarabel in "
        f"{results['slower_than_clarabel']} of the {outside} that Clarabel solved as well."
    )


def selection_table(results: dict) -> list[str]:
    """Rows of Markdown: whole model selections on real data, ours and scikit-learn's."""
    names = list(next(iter(results["sets"].values()))["rows"])
    rows = [
        f"| data | {' | '.join(f'`{n}`' if n.startswith('Excl') else n for n in names)} |",
        "| :-- |" + " --: |" * len(names),
    ]
    for key, found in results["sets"].items():
        shape = " × ".join(f"{size:,}" for size in found["shape"])
        times = " | ".join(f"{found['rows'][name]['cpu_seconds']:.2g} s" for name in names)
        rows.append(f"| {SETS[key]}, {shape} | {times} |")
    return rows


SETS = {
    "allaml": "ALLAML",
    "prostate_ge": "Prostate-GE",
    "isolet": "ISOLET",
    "pcmac": "PCMAC",
    "mnist_138": "MNIST-138",
}


def _power(value) -> str:
    """The power of ten that a small number is below."""
    return f"< 1e{math.floor(math.log10(value)) + 1}" if value > 0.0 else "0"


def sentences() -> list[str]:
    compared, scaled = common.read("compare"), common.read("scaling")
    results = measured.read(common.RESULTS)
    return [
        *speed_table(compared),
        *peers_table(common.read("peers")),
        *choice_table(common.read("choice")),
        choice_sentence(common.read("choice")),
        *selection_table(common.read("cross_validation")),
        path_sentence(compared),
        scaling_sentence(scaled),
        machine_sentence(compared),
        claims.answer(claims.judged(results)),
        synthetic_sentence(results.figure2d),
        real_sentence(results.table1),
        completeness.sentence(results.table1),
    ]


def _each(values) -> str:
    return " and ".join(str(value) for value in sorted(set(values)))


def _ceiling(gap: float) -> str:
    """The power of ten above a gap."""
    return f"1e{math.floor(math.log10(max(gap, 1e-16))) + 1}"


if __name__ == "__main__":
    print("\n".join(sentences()))
