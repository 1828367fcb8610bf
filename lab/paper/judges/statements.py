"""Section 3's reformulations, what they cost, and how many groups: statements put to a test."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lab.estimates import Estimate, holm
from lab.paper.evidence import Bar, Evidence
from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, UNDECIDED, Judgement, exact
from lab.paper.wording import percent, power_of_ten
from lab.words import listed, signed

_EXACT = 1e-9


def split(statements: dict) -> Judgement:
    row = statements["split"]
    return exact(
        row["worst_difference"],
        f"{row['points']} random problems with overlapping groups",
        "difference of the minimum over w from that over w₊, w₋ ≥ 0 (non-negative least squares by "
        "SciPy)",
    )


def q_matrix(statements: dict) -> Judgement:
    row = statements["q_matrix"]
    text = (
        f"Q as printed is AᵀA at {row['points'] - row['wrong_elements']} of {row['points']} random "
        f"groupings; least eigenvalue {power_of_ten(row['least_eigenvalue'])}, singular at "
        f"{row['singular']}"
    )
    good = not row["wrong_elements"] and row["least_eigenvalue"] > -_EXACT
    return Judgement(
        HOLDS if good else FAILS,
        text,
        "Semidefinite, never more where there are fewer groups than features: wᵀQw = ‖w‖_e² for "
        f"w ≥ 0, to {row['worst_error']:.0e}.",
        f"{row['points']} random overlapping groupings of 12 features.",
        "An element of Q that differs from AᵀA, or an eigenvalue below zero.",
        Evidence(
            "least eigenvalue of Q",
            (Bar("found", row["least_eigenvalue"], own=True),),
            0.0,
            "semidefinite",
        ),
    )


def pcp_prox(statements: dict) -> Judgement:
    row = statements["simple_proxes"]
    return exact(
        row["positive cone"],
        f"{row['points']:,} random points",
        "violation of the optimality conditions at max(0, c)",
    )


def group_lasso(statements: dict) -> Judgement:
    row = statements["group_lasso"]
    found = exact(
        max(row["disjoint"], row["overlapping"]),
        f"{row['points']} random problems each, disjoint and overlapping groups",
        "certified gap of the group lasso",
    )
    return found.because(
        "Disjoint groups by proximal gradient steps that shrink a group as one element, "
        "overlapping ones by ADMM, whose step is the same shrinkage of copies of the groups."
    )


def simple_prox(statements: dict) -> Judgement:
    row = statements["simple_proxes"]
    worst = max(row["positive cone"], row["l1"], row["l2"])
    return exact(
        worst,
        f"{row['points']:,} random points for each of the three",
        "violation of the optimality conditions at the closed forms: clipping, soft thresholding, "
        "shrinking the length",
    )


def prox_by_cone(statements: dict) -> Judgement:
    row = statements["prox_by_cone"]
    found = exact(
        row["worst_error"],
        f"{row['points']:,} random points",
        "difference between the proximal step and P₁ at (c, 0), ζ = γλ",
    )
    return found.because("With Algorithm 2 mended; at b = 0 its misprint does not matter.")


def shrinkage(statements: dict) -> Judgement:
    row = statements["prox_by_cone"]
    found = exact(
        row["worst_shrinkage"],
        f"{row['points']:,} random points",
        "difference to soft thresholding at ζ‖x‖₁",
    )
    return found.because(
        "The footnote refers to the formula of Lemma 1, (4); the projection is (5): see the errata."
    )


def closed_form(statements: dict) -> Judgement:
    row = statements["closed_form"]
    worst = max(row["l1"], row["linf"])
    found = exact(
        worst,
        f"{row['points']:,} random points of each cone",
        "error of the closed forms δ = max_j δ_j and y = max_j y_j",
    )
    if found.verdict == FAILS:
        return found
    return found.turned(
        FAILS,
        "The optimality condition is a root of a piecewise linear function that is concave and "
        "increasing, so the root is the largest of those of its pieces: sums of sorted entries and "
        "one maximum, no search for a window.",
    )


def separable(statements: dict) -> Judgement:
    row = statements["separable"]
    found = exact(
        row["worst_residual"],
        f"{row['points']:,} random points",
        "violation of the optimality conditions by clipping u and projecting each v onto the "
        "ℓ∞ cone",
    )
    if row["wrong_box"]:
        return found.turned(FAILS, "Clipping is not the projection onto the box.")
    return found.because("With Algorithm 3 mended: as printed its x is wrong.")


def nonsmooth(statements: dict) -> Judgement:
    row = statements["nonsmooth"]
    kinks = {"‖w‖_e² at a weight 0": row["norm"], "hinge at margin 1": row["hinge"]}
    text = "; ".join(
        f"{name}: slopes {signed(f'{left:g}')} and {signed(f'{right:g}')}"
        for name, (left, right) in kinks.items()
    )
    bars = tuple(
        Bar(f"{name}, {side}", value)
        for name, pair in kinks.items()
        for side, value in zip(("left", "right"), pair, strict=True)
    )
    differ = all(left != right for left, right in kinks.values())
    return Judgement(
        HOLDS if differ else FAILS,
        text,
        "One-sided slopes differ, so neither has a gradient there.",
        "Exact, at one point each.",
        "Equal slopes from both sides.",
        Evidence("slope", bars),
    )


def overlapped_prox(statements: dict) -> Judgement:
    row = statements["overlapped_prox"]
    text = (
        f"at most {row['most_iterations']} Newton systems to a certified gap of "
        f"{max(row['worst_gap'], 1e-16):.0e} (200 features, 20 overlapping groups of about 38)"
    )
    return Judgement(
        CONDITION,
        text,
        "No formula is known, and the paper's own search needs disjoint groups. But the step is "
        "E-LASSO with X = I: a small problem that a second-order method solves to rounding.",
        f"{row['points']} random points and groupings, each with its own certificate.",
        "Problems on which the second-order method does not reach its tolerance.",
        Evidence(
            "certified gap",
            (Bar("found", max(row["worst_gap"], 1e-16), own=True), Bar("asked for", 1e-9)),
            log=True,
        ),
    )


def theorem_4(statements: dict) -> Judgement:
    row = statements["theorem_4"]
    text = (
        f"w* = α⁻¹(Zu* − Σv̄) to {row['worst_recovered']:.0e}, primal and dual values to "
        f"{row['worst_gap']:.0e}, over {row['points']} random problems, half of them overlapping"
    )
    good = row["worst_recovered"] < 1e-4 and row["worst_gap"] < 1e-8
    return Judgement(
        HOLDS if good else FAILS,
        text,
        "For α > 0. The distance of w is about the root of the gap, as it must be.",
        f"{row['points']} random problems, solved to a certified gap of 1e-10.",
        "A certified w* that no (u, v) of the dual's box and cones gives back.",
        Evidence(
            "relative distance",
            (
                Bar("w from its dual point", row["worst_recovered"], own=True),
                Bar("primal minus dual value", row["worst_gap"]),
            ),
            1e-4,
            "allowed",
            log=True,
        ),
    )


def strong_duality(statements: dict) -> Judgement:
    row = statements["theorem_4"]
    return exact(
        row["worst_gap"],
        f"{row['points']} random problems, half of them with overlapping groups",
        "primal minus dual value",
        allowed=1e-8,
    )


def locp_unavailable(statements: dict) -> Judgement:
    reason = statements["locp_unavailable"]["reason"]
    return Judgement(
        HOLDS if reason else FAILS,
        f"LOCP refuses overlapping groups: {reason}" if reason else "LOCP takes overlapping groups",
        "The prox no longer splits by groups.",
        "By construction.",
        "A proximal step for overlapping groups as cheap as a gradient.",
    )


# -- grouping --------------------------------------------------------------------------------------


def group_sizes(statements: dict) -> Judgement:
    row = statements["group_sizes"]
    return Judgement(
        HOLDS if row["largest_difference"] <= 1 else FAILS,
        f"sizes differ by at most {row['largest_difference']} in {row['draws']:,} random splits",
        "Of this software's random grouping, which follows the footnote.",
        f"{row['draws']:,} random n and m.",
        "A split whose sizes differ by two.",
        Evidence(
            "largest difference of sizes", (Bar("found", row["largest_difference"], own=True),), 1.0
        ),
    )


def only_requirement(theory: dict) -> Judgement:
    rows = theory["constants"]
    text = ", ".join(f"{r['available']:.3g} for {r['used']:g}" for r in rows.values())
    return Judgement(
        CONDITION,
        f"constants that its proof has to spare, over all t: {text}",
        "The proof also needs groups of equal size (m divides n), s(1 + ε) ≤ n, and s ≥ C t⁻² m "
        "log m with C above 12.5 in place of O(·).",
        "999 values of t between 0 and 1.",
        "A proof without these.",
        Evidence(
            "available over used",
            tuple(Bar(name, r["available"] / r["used"]) for name, r in rows.items()),
            1.0,
            "needed",
            log=True,
        ),
    )


# -- costs -----------------------------------------------------------------------------------------


def pcp_cost(statements: dict) -> Judgement:
    row = statements["pcp_iteration"]
    return Judgement(
        HOLDS if row["share"] < 0.5 else FAILS,
        f"{percent(row['share'])} of PCP's iteration is not the two products with X (400 × 4000, "
        "overlapped)",
        "Q is never formed: Q(w₊ + w₋) is two products with the groups' incidence matrix.",
        f"Medians of {row['repeats']} iterations, processor time on one thread.",
        "A share of one half or more.",
        Evidence(
            "share beside the products", (Bar("PCP", row["share"], own=True),), 0.5, "one half"
        ),
    )


def quadratic_cost(statements: dict) -> Judgement:
    row = statements["locp_growth"]
    sizes = ", ".join(f"{n:,}" for n in row["n"])
    grown = ", ".join(f"{value:g}" for value in row["relative"])
    return Judgement(
        HOLDS if row["power"] <= 2.2 else FAILS,
        f"an iteration takes {grown} times as long at n = {sizes} (N = n/10): n to the power "
        f"{row['power']:g}",
        "Two products with X are 4Nn operations, the proximal step n log n.",
        "Medians, processor time on one thread; a busy machine disturbs it a little.",
        "A power clearly above two.",
        Evidence("power of n", (Bar("LOCP", row["power"], own=True),), 2.0, "n²"),
    )


def as_large(statements: dict) -> Judgement:
    """Does accuracy grow with the number of random groups, up to the most the theorem allows?"""
    row = statements["group_count"]
    groups, mean, most = row["groups"], row["mean"], row["most"]
    ahead = {
        g: Estimate(each["mean"], each["error"], row["draws"])
        for g, each in zip(groups, row["most_minus"], strict=True)
        if g != most
    }
    sure = dict(zip(ahead, holm([each.p for each in ahead.values()]), strict=True))
    fewer = [g for g in ahead if g < most]
    better, worse = (
        [g for g in fewer if sure[g] and sign * ahead[g].mean < 0.0] for sign in (1.0, -1.0)
    )
    beyond = [g for g in ahead if g > most and sure[g] and ahead[g].mean > 0.0]
    best = max(range(len(groups)), key=mean.__getitem__)
    at = groups.index(most)
    verdict = HOLDS if worse == fewer else FAILS if better else UNDECIDED
    why = (
        f"Read as: the most groups that the condition allows, s/log s = {most} here. Beyond chance "
        f"they are better than {len(worse)} of the {len(fewer)} smaller numbers and worse than "
        f"{len(better)} (paired, Holm, 5 %)."
    )
    if beyond:
        more = listed([f"{g:,}" for g in beyond])
        why += (
            f" Without the condition it would not hold: {more} groups are beyond chance worse; one "
            "a feature turns ‖·‖_e into ‖·‖₂, which has no sparsity."
        )
    bars = tuple(
        Bar(f"{g:,}", 100 * m, 100 * low, 100 * high, g == most)
        for g, m, low, high in zip(groups, mean, row["low"], row["high"], strict=True)
    )
    return Judgement(
        verdict,
        f"accuracy {100 * mean[0]:.1f} % with one group, {100 * mean[at]:.1f} % with {most} "
        f"(s/log s), {100 * mean[-1]:.1f} % with {groups[-1]} (one a feature); the best is "
        f"{100 * mean[best]:.1f} % with {groups[best]}",
        why,
        f"{row['draws']} draws of {row['s']} samples and true features among {row['n']}, α and β "
        "the best of 28 on further samples for each number of groups; 95 % intervals.",
        "An accuracy that rises beyond chance up to the most groups that the condition allows.",
        Evidence("test accuracy by number of random groups, per cent", bars),
    )


def subgradient(kind: str, elsewhere: str = "") -> Callable[[dict], Judgement]:
    """Whether the error of the best point falls at least like 1/√k on E-LASSO or E-SVM.

    `elsewhere` says what a race on a larger problem has shown; it makes the verdict conditional.
    """
    when_it_falls = CONDITION if elsewhere else HOLDS

    def judge(statements: dict) -> Judgement:
        row = statements[f"subgradient_{kind}"]
        looks = row["iterations"]
        marks = zip(looks, row["errors"], strict=True)
        return Judgement(
            when_it_falls if row["growth"] <= 1.0 else FAILS,
            f"the error falls like k^−{np.median(row['powers']):.2f} from {looks[0]:,} to "
            f"{looks[-1]:,} iterations, the median of {row['draws']} draws",
            f"In the end √k times the error is at most {row['growth']:.2g} of its largest before: "
            f"at least as fast as the guarantee, which is one for the worst case.{elsewhere}",
            f"{row['draws']} draws of a small problem.",
            "√k times the error growing with k.",
            Evidence(
                "relative error of the best point, median",
                tuple(Bar(f"{k:,} iterations", error, own=True) for k, error in marks),
                log=True,
            ),
        )

    return judge
