"""What abstract, introduction and conclusion sum up."""

from __future__ import annotations

from lab.paper.claim import Claim

OVERALL: tuple[Claim, ...] = (
    Claim(
        "all_rates",
        "Overall",
        "All algorithms converge like 1/k²",
        "The optimal convergence rate O(1/k²) is guaranteed for all proposed algorithms.",
        "Abstract, Sections 1, 3 and 6",
        rests_on=("pcp_rate", "locp_rate", "licp_rate"),
    ),
    Claim(
        "fista_rate",
        "Overall",
        "FISTA, as in Algorithm 1, has that rate",
        "it achieves the optimal convergence rate O(1/k²) where k is the number of iterations",
        "Section 3.1",
        rests_on=("pcp_rate", "locp_rate"),
    ),
    Claim(
        "not_surprising",
        "Overall",
        "Rate and cheap iterations explain Fig. 2(a)",
        "LOCP and PCP strictly guarantees the optimal convergence rate with light computation "
        "complexity per iteration",
        "Section 5.1",
        rests_on=("pcp_rate", "locp_rate", "pcp_cost", "gradient_cost"),
    ),
    Claim(
        "efficiency",
        "Overall",
        "Experiments show the efficiency",
        "Empirical studies validate the efficiency of the proposed algorithms (PCP, LOCP, and "
        "LICP)",
        "Abstract, Sections 1 and 6",
        rests_on=("fig_2a", "fig_2b", "fig_2c"),
    ),
    Claim(
        "effectiveness",
        "Overall",
        "Experiments show the effectiveness",
        "the effectiveness of the proposed E-SVM formulation and the random grouping scheme",
        "Abstract, Sections 1 and 6",
        rests_on=("esvm_first", "random_groups", "table_overall"),
    ),
)
