"""Projections, proximal operators and what they cost."""

from __future__ import annotations

import math
from collections.abc import Callable

from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, Judgement
from lab.paper.wording import percent


def projection(algorithm: str) -> Callable[[dict], Judgement]:
    def judge(theory: dict) -> Judgement:
        anywhere = theory["projections"][f"{algorithm}, any b"]
        at_zero = theory["projections"][f"{algorithm}, b = 0"]
        points = anywhere["points"]
        text = (
            f"as printed wrong at {percent(anywhere['wrong_as_printed'] / points)} of {points:,} "
            f"random points, corrected at {anywhere['wrong_corrected']} (worst gap "
            f"{anywhere['worst_gap_corrected']:.0e})"
        )
        if anywhere["wrong_corrected"] or at_zero["wrong_corrected"]:
            return Judgement(FAILS, text)
        if not anywhere["wrong_as_printed"]:
            return Judgement(HOLDS, text)
        used = (
            "never wrong at b = 0, which is all that the solvers ask for"
            if not at_zero["wrong_as_printed"]
            else f"wrong at {percent(at_zero['wrong_as_printed'] / at_zero['points'])} of the "
            "points with b = 0, which is what the solvers ask for"
        )
        return Judgement(
            CONDITION, text, f"Once its misprints are mended. As printed it is {used}."
        )

    return judge


def monotone(theory: dict) -> Judgement:
    rows = theory["projections"].values()
    wrong, points = sum(r["not_monotone"] for r in rows), sum(r["points"] for r in rows)
    text = f"{wrong} exceptions at {points:,} random points of both cones"
    return Judgement(HOLDS if not wrong else FAILS, text)


def cost_of_prox(prox: dict) -> Judgement:
    ratios = [row["ratio"] for row in prox["against_sort"]]
    text = (
        f"the prox of all groups takes {min(ratios):.2g} to {max(ratios):.2g} times one sort of a "
        "million numbers"
    )
    return Judgement(HOLDS if max(ratios) <= 5.0 else FAILS, text)


def gradient_dominates(prox: dict) -> Judgement:
    rows = prox["locp_iteration"]
    shares = [row["share"] for row in rows]
    text = (
        f"{percent(min(shares))} to {percent(max(shares))} of an iteration of LOCP is not the "
        "two products with X (400 × 4000)"
    )
    return Judgement(HOLDS if max(shares) < 0.5 else FAILS, text)


def lemma_1(theory: dict) -> Judgement:
    row = theory["lemma_1"]
    text = f"largest relative error {row['worst_error']:.0e} over {row['points']:,} random w"
    return Judgement(HOLDS if row["worst_error"] < 1e-12 and not row["exceeded"] else FAILS, text)


def norm_prox(theory: dict) -> Judgement:
    row = theory["norm_prox"]
    text = (
        f"at most {row['most_squared_proxes']} squared proxes, KKT residual "
        f"{row['worst_residual']:.0e}"
    )
    if row["worst_residual"] > 1e-9:
        return Judgement(HOLDS, text)
    return Judgement(
        FAILS,
        text,
        "For disjoint groups it is the squared prox at the ζ with ζ‖w_ζ‖_e = φ, one monotone root.",
    )


def lam_and_phi(theory: dict) -> Judgement:
    rows = theory["lam_and_phi"]
    text = (
        f"optimality of the other form to {max(rows['residual']):.0e} for λ over "
        f"{math.log10(max(rows['lam']) / min(rows['lam'])):.0f} decades"
    )
    if max(rows["residual"]) > 1e-6:
        return Judgement(FAILS, text)
    return Judgement(
        CONDITION,
        text,
        f"φ = λ‖w‖_e stays below φ_max ({max(rows['phi_over_max']):.3f} of it at the largest λ): "
        "w = 0, which φ ≥ φ_max gives, needs an infinite λ.",
    )


def exponent(_) -> Judgement:
    return Judgement(
        CONDITION,
        "the printed sum is Σ|wᵢ|^q, feature by feature: at q = 2 a ridge, without any sparsity",
        "The split does apply to the printed sum, but that sum is not exclusive sparsity: features "
        "of a group do not compete. Once the misprint is mended to Σ‖w_g‖₁^q it is, and the split "
        "works for q ≥ 1 (our PCP takes any such q). O(1/k²) follows for q = 1 and q ≥ 2; for "
        "1 < q < 2 the gradient of t^q is not Lipschitz at 0.",
    )
