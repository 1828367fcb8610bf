"""The steps of the proofs, one by one."""

from __future__ import annotations

from lab.paper.evidence import Bar, Evidence
from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, Judgement, exact
from lab.paper.wording import power_of_ten
from lab.words import listed

_EXACT = 1e-9


def lemma_1_steps(statements: dict) -> Judgement:
    row = statements["lemma_1_steps"]
    return _steps(
        row,
        "Every maximum over t, found by a search, lies at t = β‖w‖₁, and over all groups they add "
        "up to β/2 ‖w‖_e². That t ≥ 0 is meant is not said: for t < 0 no v has ‖v‖∞ ≤ t. It does "
        "no harm.",
        CONDITION,
    )


def lemma_2_steps(statements: dict) -> Judgement:
    row = statements["lemma_2_steps"]
    if not row["origin"]:
        return _steps(row, "")
    return _steps(
        row,
        f"The watershed j lies in 1, …, d there; at {row['origin']:,} of {row['points']:,} points "
        "the projection is the origin, j = 0, which the proof and Algorithm 2 leave out.",
        CONDITION,
    )


def lemma_3_steps(statements: dict) -> Judgement:
    return _steps(
        statements["lemma_3_steps"],
        "The proof is right; Algorithm 3 does not follow it: see the errata.",
    )


def _steps(row: dict, why: str, verdict: str = HOLDS) -> Judgement:
    """The verdict, if no step has an exception and nothing is off by more than rounding."""
    wrong, points = row["exceptions"], row["points"]
    failing = [name for name, count in wrong.items() if count]
    worst = row["worst_residual"]
    text = (
        f"{sum(wrong.values()):,} exceptions to {len(wrong)} steps at {points:,} random points, "
        f"residual at most {power_of_ten(worst)}"
    )
    if failing or worst > _EXACT:
        named = [f"{name} ({wrong[name]:,})" for name in failing] or ["the residual"]
        verdict, why = FAILS, f"Not every step is right: {listed(named)}."
    return Judgement(
        verdict,
        text,
        why,
        f"{points:,} random points; every step against certified projections, corners of the "
        "balls, or a search that does not use it.",
        "A single exception to a step that has none now.",
        Evidence(
            "exceptions", tuple(Bar(name, count) for name, count in wrong.items()), 0.0, "none"
        ),
    )


def conditioning(statements: dict) -> Judgement:
    row = statements["conditioning"]
    found = exact(
        row["worst_difference"],
        "every count of two groups of 3, 5 and 8 features, three p",
        "difference between the two laws",
    )
    return found.because("Counted exactly.")


def monotone_in_s(statements: dict) -> Judgement:
    row = statements["monotone_in_s"]
    wrong = row["rising_max"] + row["rising_min"]
    return Judgement(
        HOLDS if not wrong else FAILS,
        f"{wrong} exceptions in {row['tried']:,} comparisons of s and s + 1, both tails",
        "Of two draws that differ by one true feature, the larger has the larger counts.",
        f"{row['tried']:,} comparisons, counted exactly, 2 to 4 groups of 6 to 10 features.",
        "A single rise.",
        Evidence("exceptions", (Bar("both tails", wrong, own=True),), 0.0, "none"),
    )


def bernstein(statements: dict) -> Judgement:
    rows = statements["bernstein"]
    upper, lower, mended = (rows[name] for name in ("upper", "lower", "lower with c = 1"))
    text = (
        f"the upper tail exceeds its bound at {upper['exceeded']} of {upper['tried']} points, the "
        f"lower tail as printed at {lower['exceeded']}, with c = 1 at {mended['exceeded']}"
    )
    bars = tuple(Bar(name, row["exceeded"] / row["tried"]) for name, row in rows.items())
    evidence = Evidence("share of points above the bound", bars, 0.0, "none")
    strength = f"{lower['tried']} points (k, p, δ), the binomial law exactly."
    changes = "An upper tail above its bound, or a lower tail that keeps to it everywhere."
    if upper["exceeded"] or mended["exceeded"]:
        return Judgement(FAILS, text, "", strength, changes, evidence)
    if not lower["exceeded"]:
        return Judgement(HOLDS, text, "", strength, changes, evidence)
    at = lower["example"]
    return Judgement(
        CONDITION,
        text,
        "For the lower tail c must bound E Y − Y, not Y − E Y: with "
        f"{at['k']:g} variable{'' if at['k'] == 1 else 's'} of p = {at['p']:g} the probability of "
        f"falling short by {at['delta']:g} is {at['exact']:.2g}, the printed bound "
        f"{at['bound']:.2g}. With c = 1, which the proof's constants allow, it holds.",
        strength,
        changes,
        evidence,
    )


def half(statements: dict) -> Judgement:
    row = statements["half"]
    return Judgement(
        HOLDS if row["least"] >= 0.5 else FAILS,
        f"P(|Ω| ≤ s) is at least {row['least']:.3f} over {row['tried']} settings (n, s, t)",
        "With p = s/n·(1 − ε), not s/m·(1 − ε) as printed: the median of a binomial law is at "
        "most ⌈np⌉ ≤ s.",
        f"{row['tried']} settings, the binomial law exactly.",
        "A setting below one half.",
        Evidence("least P(|Ω| ≤ s)", (Bar("found", row["least"], own=True),), 0.5, "claimed"),
    )


def weaker_constant(_) -> Judgement:
    return Judgement(
        HOLDS,
        "0.2 is replaced by 0.08, and exp(−0.2 x) ≤ exp(−0.08 x) for x ≥ 0",
        "Only weaker, so that both tails share one constant.",
        "By arithmetic.",
        "Nothing: it is an inequality between two numbers.",
        Evidence("constant", (Bar("lower tail", 0.2), Bar("used for both", 0.08, own=True))),
    )


def final_union(statements: dict) -> Judgement:
    row = statements["final_union"]
    return Judgement(
        HOLDS if not row["exceptions"] else FAILS,
        f"{row['exceptions']} exceptions in {row['tried']:,} random groupings",
        "If no group is above s/m·(1 + t) and none below s/m·(1 − t), the ratio is at most "
        "(1 + t)/(1 − t).",
        f"{row['tried']:,} random groupings of four settings (n, s, m, t).",
        "A single grouping whose ratio is large without either tail.",
        Evidence("exceptions", (Bar("found", row["exceptions"], own=True),), 0.0, "none"),
    )


_UNPROVED = {
    "split": "the equivalence of (7) and (8)",
    "lam_and_phi": "that of λ/2 ‖w‖_e² and φ‖w‖_e",
    "exponent": "the remark on q",
}


def all_proofs(_) -> Judgement:
    """Numbered statements have their proofs; what the text states beside them has none."""
    return Judgement(
        CONDITION,
        f"proofs of the five lemmas and theorems are there; {listed(_UNPROVED.values())} have none",
        "They are judged here each by a measurement of its own, and so are the steps of the proofs "
        "that are given.",
        "By reading: five numbered statements, and what Sections 3 and 4 state beside them.",
        "A proof of the others.",
        Evidence(
            "statements",
            (Bar("numbered, with a proof", 5, own=True), Bar("others, without", len(_UNPROVED))),
        ),
    )
