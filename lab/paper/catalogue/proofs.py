"""The supplement: that everything is proved, and the proofs of Section 3's lemmas and theorem."""

from __future__ import annotations

from lab.paper import links
from lab.paper.claim import Claim
from lab.paper.judges import proofs, statements

PROOFS: tuple[Claim, ...] = (
    Claim(
        "all_proofs",
        "Proofs",
        "Everything is proved",
        "All proofs are provided in Supplemental Materials.",
        "Section 1",
        judge=proofs.all_proofs,
    ),
    Claim(
        "lemma_1_steps",
        "Proofs",
        "Lemma 1, step by step",
        "It completes the proof by summarizing over all g",
        "Proof of Lemma 1",
        "statements",
        proofs.lemma_1_steps,
        check="lemma_1_steps",
    ),
    Claim(
        "lemma_2_steps",
        "Proofs",
        "Lemma 2, step by step",
        "the element signs of x* are the same as a",
        "Proof of Lemma 2",
        "statements",
        proofs.lemma_2_steps,
        links.search("ℓ1"),
        check="lemma_2_steps",
    ),
    Claim(
        "lemma_3_steps",
        "Proofs",
        "Lemma 3, step by step",
        "To decide the optimal value for y, we can first test if y=0 is the optimal solution.",
        "Proof of Lemma 3",
        "statements",
        proofs.lemma_3_steps,
        links.search("ℓ∞"),
        check="lemma_3_steps",
    ),
    Claim(
        "strong_duality",
        "Proofs",
        "Strong duality of E-SVM",
        "From strong duality, we safely swap min and max",
        "Proof of Theorem 4",
        "statements",
        statements.strong_duality,
        links.watch("2c_overlapped_1_10"),
        check="theorem_4",
    ),
)
