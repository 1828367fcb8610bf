"""The sentences of the README that state measurements, written from the committed results.

    python -m docs.claims

A test fails when the README does not hold them word for word.
"""

from __future__ import annotations

import math

from benchmarks import common

CLARABEL = "CVXPY + Clarabel, its own time, over ours to 1e-6"
NAMES = {
    "lasso_disjoint": "E-LASSO with disjoint groups",
    "lasso_overlapped": "E-LASSO with overlapping groups",
    "svm_1_10": "E-SVM with α = 1, β = 10",
    "svm_100_100": "E-SVM with α = β = 100",
}


def speed_table(results: dict) -> list[str]:
    """Rows of Markdown: ours to 1e-6, and how many times longer the others took."""
    rows = [
        "| the paper's problem | ours to 1e-6 | CVXPY + Clarabel | the paper's methods |",
        "| :-- | --: | --: | :-- |",
    ]
    for key, name in NAMES.items():
        outcome = results["experiments"][key]
        seconds = outcome["rows"]["ours to 1e-06"]["seconds"]
        theirs = []
        for label, ratio in paper_ratios(outcome).items():
            method, _, rest = label.partition(" over ours to 1e-6")
            theirs.append(f"{method}: {'over ' if rest else ''}{ratio:.0f} ×")
        rows.append(
            f"| {name} | {seconds:.2f} s | {outcome['ratios'][CLARABEL]:.0f} × | "
            f"{', '.join(theirs)} |"
        )
    return rows


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
    environment = results["environment"]
    return (
        f"Measured on {environment['date']} on {environment['cores']} cores "
        f"({environment['processor']}), each comparison within one run; "
        "ours are medians of five repeats."
    )


def sentences() -> list[str]:
    compared, scaled = common.read("compare"), common.read("scaling")
    return [
        *speed_table(compared),
        path_sentence(compared),
        scaling_sentence(scaled),
        machine_sentence(compared),
    ]


def _ceiling(gap: float) -> str:
    """The power of ten above a gap."""
    return f"1e{math.floor(math.log10(max(gap, 1e-16))) + 1}"


if __name__ == "__main__":
    print("\n".join(sentences()))
