"""Section 4: random groups, Theorem 5, its use and the steps of its proof."""

from __future__ import annotations

from lab.paper import links
from lab.paper.claim import Claim
from lab.paper.errata.balance import SPLIT
from lab.paper.judges import grouping, proofs, statements, support
from lab.paper.judges.support import supported

_SCHEME = (
    Claim(
        "theorem_5",
        "Grouping",
        "Random groups share true features evenly",
        "If the chosen number of groups m satisfies s≥ O(t⁻²m log m), where t could be any number "
        "in the range (0,1), then with high probability, … the following holds",
        "Theorem 5",
        "theorem5",
        supported(grouping.theorem_5, support.known),
        links.known_setting,
    ),
    Claim(
        "converges",
        "Grouping",
        "The probability tends to 1 with s",
        "the probability converges to 1 when the number of true features s converges to infinity",
        "Theorem 5, footnote",
        "theorem5",
        grouping.converges,
        links.known_setting,
    ),
    Claim(
        "independent_of_n",
        "Grouping",
        "The number of features does not matter",
        "Theorem 5 is independent to the total number of features n",
        "Section 4",
        "theorem5",
        supported(grouping.independent_of_n, support.by_n),
        links.widest_by_n,
    ),
    Claim(
        "only_requirement",
        "Grouping",
        "m is all that must be right",
        "The only requirement in this theorem is that the number of groups m should be set "
        "properly",
        "Section 4",
        "theory",
        statements.only_requirement,
        links.computed("condition_constant"),
    ),
    Claim(
        "one_group",
        "Grouping",
        "One group is the lasso",
        "One can trivially set m=1 to meet this condition, it reduces the ℓe norm to the plain ℓ1 "
        "norm",
        "Section 4",
        "theory",
        supported(grouping.one_group, support.error_of("one_group", "worst_error")),
        links.one_group,
    ),
    Claim(
        "as_large",
        "Grouping",
        "The more groups the better",
        "intuitively one always expect to set m to a value as large as possible",
        "Section 4",
        "statements",
        statements.as_large,
        links.group_count,
        check="group_count",
    ),
    Claim(
        "rule_of_thumb",
        "Grouping",
        "m = s/log s groups are balanced",
        "A simple way to choose m to satisfy the condition is m=constant× s/log s.",
        "Section 4; used with constant 1 in Section 5.2",
        "theorem5",
        supported(grouping.rule_of_thumb, support.rule),
        links.grouping(*SPLIT, "Run it again for s = 504"),
    ),
    Claim(
        "group_sizes",
        "Grouping",
        "Group sizes differ by one at most",
        "The size difference between two groups is 1 maximally.",
        "Theorem 5, footnote",
        "statements",
        statements.group_sizes,
        links.union_of_tails,
        check="group_sizes",
    ),
)

_PROOF = (
    Claim(
        "constants",
        "Proofs",
        "The constants of Theorem 5",
        "Plugging (26) and (27) into (24), we obtain",
        "Proof of Theorem 5",
        "theory",
        supported(grouping.constants, support.constants),
        links.computed("proof_constants"),
    ),
    Claim(
        "conditioning",
        "Proofs",
        "Bernoulli given its total is uniform",
        "where the last equality uses the fact",
        "Proof of Theorem 5",
        "statements",
        proofs.conditioning,
        check="conditioning",
    ),
    Claim(
        "monotone_in_s",
        "Proofs",
        "Probabilities are monotone in s",
        "and the last inequality uses the monotonicity",
        "Proof of Theorem 5",
        "statements",
        proofs.monotone_in_s,
        check="monotone_in_s",
    ),
    Claim(
        "bernstein",
        "Proofs",
        "Bernstein's inequality, both tails",
        "Bernstein's inequality states that for a sum of uniformly bounded independent random "
        "variables",
        "Proof of Theorem 5",
        "statements",
        proofs.bernstein,
        links.computed("lower_tail"),
        check="bernstein",
    ),
    Claim(
        "half",
        "Proofs",
        "P(|Ω| ≤ s) is at least one half",
        "Since s ≥ np, we have P_Ber(p)(|Ω| ≤ s) ≥ 0.5.",
        "Proof of Theorem 5",
        "statements",
        proofs.half,
        links.computed("proof_probability"),
        check="half",
    ),
    Claim(
        "weaker_constant",
        "Proofs",
        "0.2 becomes 0.08",
        "Combine (29), (30), and (31) to obtain",
        "Proof of Theorem 5",
        judge=proofs.weaker_constant,
    ),
    Claim(
        "final_union",
        "Proofs",
        "Two tails cover the ratio",
        "We can prove the final result by combining (28) and (32)",
        "Proof of Theorem 5",
        "statements",
        proofs.final_union,
        links.union_of_tails,
        check="final_union",
    ),
)

GROUPING: tuple[Claim, ...] = (*_SCHEME, *_PROOF)
