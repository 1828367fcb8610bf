"""Section 1: what four norms do to groups, Figure 1 and the paragraph after it."""

from __future__ import annotations

from lab.paper.claim import Claim
from lab.paper.judges import patterns

NORMS: tuple[Claim, ...] = (
    Claim(
        "fig1_l2",
        "Norm patterns",
        "ℓ2 leaves everything dense",
        "the ℓ2 norm does not enforce sparsity (actually usually leads to a dense solution)",
        "Section 1, Figure 1",
        "statements",
        patterns.pattern("l2"),
    ),
    Claim(
        "fig1_l1",
        "Norm patterns",
        "ℓ1 is sparse without a pattern",
        "the ℓ1 norm enforces a sparse solution but has no any structural pattern",
        "Section 1, Figure 1",
        "statements",
        patterns.pattern("l1"),
    ),
    Claim(
        "fig1_l21",
        "Norm patterns",
        "ℓ2,1 takes whole groups",
        "the ℓ2,1 norm enforces a group sparsity, i.e., nonzeros concentrate in the same group",
        "Section 1, Figure 1",
        "statements",
        patterns.pattern("l21"),
    ),
    Claim(
        "fig1_le",
        "Norm patterns",
        "ℓe: every group, few inside",
        "the ℓe norm provides a dense solution in the group level but a sparse solution inside of "
        "groups",
        "Section 1, Figure 1",
        "statements",
        patterns.pattern("le"),
    ),
    Claim(
        "evenly",
        "Norm patterns",
        "ℓe spreads nonzeros evenly",
        "its nonzeros are (roughly) evenly distributed in different groups",
        "Sections 1 and 4",
        "statements",
        patterns.evenly,
    ),
    Claim(
        "pair_l2",
        "Norm patterns",
        "Of two alike, ℓ2 takes both",
        "‖w‖ prefers to select both of them",
        "Section 1, correlated features",
        "statements",
        patterns.pair("l2"),
    ),
    Claim(
        "pair_l1",
        "Norm patterns",
        "Of two alike, ℓ1 takes the cheaper",
        "‖w‖1 prefers to select the one which gives a lower objective function value",
        "Section 1, correlated features",
        "statements",
        patterns.pair("l1"),
    ),
    Claim(
        "pair_l21",
        "Norm patterns",
        "Of two alike, ℓ2,1 takes the one in company",
        "‖w‖2,1 prefers to select the one with more group members selected",
        "Section 1, correlated features",
        "statements",
        patterns.pair("l21"),
    ),
    Claim(
        "pair_le",
        "Norm patterns",
        "Of two alike, ℓe takes the lonely one",
        "‖w‖e prefers to select the one with fewer group members selected",
        "Section 1, correlated features",
        "statements",
        patterns.pair("le"),
    ),
)
