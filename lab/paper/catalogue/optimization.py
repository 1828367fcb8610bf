"""Sections 2 and 3: rates, reformulations, projections, and their proofs."""

from __future__ import annotations

from lab.paper import links
from lab.paper.claim import Claim
from lab.paper.judges import projections, proofs, rates, statements, support
from lab.paper.judges.support import supported
from lab.paper.judges.verdicts import unanswerable

_RATES = (
    Claim(
        "pcp_rate",
        "Rates",
        "PCP converges like 1/k², overlaps or not",
        "the first approach to solve overlapped exclusive sparsity regularization with the optimal "
        "convergence rate O(1/k²)",
        "Section 3.2, on PCP",
        "theory",
        supported(rates.rate_of("pcp"), support.shares_of_bound("pcp", "pcp as printed")),
        links.watch("2b"),
    ),
    Claim(
        "locp_rate",
        "Rates",
        "LOCP converges like 1/k²",
        "apply the proximal operator … to the FISTA framework to obtain an algorithm with the "
        "optimal convergence rate",
        "Section 3.2, on LOCP",
        "theory",
        supported(rates.rate_of("locp"), support.shares_of_bound("locp", "locp as printed")),
        links.watch("2a"),
    ),
    Claim(
        "licp_rate",
        "Rates",
        "LICP converges like 1/k²",
        "an efficient algorithm to solve … with the optimal convergence rate O(1/k²)",
        "Section 3.3, on LICP",
        "theory",
        supported(
            rates.licp_rate, support.shares_of_bound("licp dual", "licp averaged", "licp last")
        ),
        links.watch("2c_overlapped_1_10"),
    ),
    Claim(
        "step_length",
        "Rates",
        "Any constant step below 1/L will do",
        "The steplength γ can be set as any positive constant smaller than (max_x ‖∇² F(x)‖)⁻¹",
        "Section 3.1",
        "theory",
        supported(rates.step_length, support.shares_of_bound("pcp", "locp", "licp dual")),
    ),
    Claim(
        "first",
        "Rates",
        "Nobody had such a rate before",
        "this is the first time to guarantee such convergence rate for the general exclusive "
        "sparsity norm minimization",
        "Abstract, Sections 1 and 2",
        judge=unanswerable("A statement about other people's work, not about numbers."),
    ),
    Claim(
        "subgradient_rate",
        "Rates",
        "The subgradient method needs 1/√k",
        "A subgradient algorithm is proposed to solve this problem, but leads to a slow "
        "convergence rate O(1/√k)",
        "Section 2",
        "figure2",
        supported(
            rates.falls_like("subgradient", 0.5, "O(1/√k)"), support.power("subgradient", 0.5)
        ),
        links.race("2a"),
    ),
    Claim(
        "lelr_rate",
        "Rates",
        "LELR's smoothing gives 1/k",
        "This algorithm leads to a convergence rate O(1/k)",
        "Section 2, on LELR",
        "figure2",
        supported(rates.falls_like("lelr", 1.0, "O(1/k)"), support.power("lelr", 1.0)),
        links.race("2a"),
    ),
    Claim(
        "kong_limit",
        "Rates",
        "Kong's limit need not be optimal",
        "the proposed reweighted approach only guarantees convergence, which means that the "
        "convergent point is not necessarily the optimal solution",
        "Section 2, on Kong",
        "theory",
        supported(rates.kong_limit, support.kong),
        links.watch("2a"),
    ),
    Claim(
        "licp_admm_rate",
        "Rates",
        "LICP's rate beats ADMM's",
        "the convergence rate for LICP O(1/k²) is superior to the rate for ADMM O(1/k)",
        "Section 5.1",
        "figure2",
        supported(rates.rates_of_licp_and_admm, support.powers_of_licp_and_admm),
        links.race("2c_overlapped_1_10"),
    ),
    Claim(
        "svm_subgradient",
        "Rates",
        "Subgradients on E-SVM give 1/√k",
        "one can apply the subgradient algorithm, which leads to a convergence rate O(1/√k)",
        "Section 3.3",
        judge=unanswerable(
            "This software has no subgradient lane for E-SVM, so there is nothing to measure; the "
            "paper shows none either. For E-LASSO there is one.",
            "A subgradient method for E-SVM here.",
        ),
    ),
)

_FORMULATIONS = (
    Claim(
        "split",
        "Formulations",
        "w₊ and w₋ give the same problem",
        "This simple trick turns the original non-smooth minimization (7) into a smooth "
        "minimization with simple constraints. In other words, (8) is an equivalent form of (7).",
        "Section 3.2",
        "statements",
        statements.split,
    ),
    Claim(
        "q_matrix",
        "Formulations",
        "Q counts shared groups, semidefinite",
        "Q is a positive semidefinite matrix and its elements are defined by",
        "Section 3.2",
        "statements",
        statements.q_matrix,
    ),
    Claim(
        "pcp_prox",
        "Formulations",
        "PCP's proximal step is max(0, c)",
        "since the key proximal step has closed form",
        "Section 3.2",
        "statements",
        statements.pcp_prox,
    ),
    Claim(
        "simple_prox",
        "Formulations",
        "Proximal steps of simple H are easy",
        "When H(x) is simple enough such as ‖x‖1, ‖x‖, or I_(x≥ 0)(x), the proximal step (3) is "
        "easy.",
        "Section 3.1",
        "statements",
        statements.simple_prox,
    ),
    Claim(
        "nonsmooth",
        "Formulations",
        "‖w‖_e² and the hinge have kinks",
        "Note that ‖w‖²e is still non-smooth.",
        "Sections 3.2 and 3.3",
        "statements",
        statements.nonsmooth,
    ),
    Claim(
        "overlapped_prox",
        "Formulations",
        "The overlapped proximal step is difficult",
        "However, it is very difficult to solve it efficiently in general.",
        "Section 3.2",
        "statements",
        statements.overlapped_prox,
    ),
    Claim(
        "prox_by_cone",
        "Formulations",
        "LOCP's step is a cone projection",
        "whose solution is exactly provided by P1^(γλ)(c_g, 0)",
        "Section 3.2",
        "statements",
        statements.prox_by_cone,
    ),
    Claim(
        "lam_and_phi",
        "Formulations",
        "λ/2‖w‖_e² and φ‖w‖_e: the same w",
        "leads to the same solution as using φ ‖w‖e if λ(φ) is appropriately chosen",
        "Section 3.2",
        "theory",
        supported(projections.lam_and_phi, support.error_of("lam_and_phi", "residual", 1e-6)),
    ),
    Claim(
        "exponent",
        "Formulations",
        "The split works for other exponents",
        "for the more general exclusive sparsity norm minimization … (q≥ 1), one can also apply "
        "this positive-negative decomposition trick to obtain the optimal convergence rate",
        "Section 3.2",
        judge=supported(projections.exponent, support.exponent),
    ),
    Claim(
        "theorem_4",
        "Formulations",
        "E-SVM's dual gives back w*",
        "Then we have that the solution w* to E-SVM in (10) can be obtained by",
        "Theorem 4",
        "statements",
        statements.theorem_4,
    ),
    Claim(
        "separable",
        "Formulations",
        "LICP's proximal step falls apart",
        "is separable in terms of all variables u and v^g",
        "Section 3.3",
        "statements",
        statements.separable,
    ),
)

_PROJECTIONS = (
    Claim(
        "lemma_1",
        "Projections",
        "‖w‖_e² as a maximum",
        "For any β>0, we have … 2/β ⟨ w_g, v^g ⟩ - 1/β² ‖v^g‖_∞²",
        "Lemma 1",
        "theory",
        supported(projections.lemma_1, support.error_of("lemma_1", "worst_error")),
    ),
    Claim(
        "lemma_2",
        "Projections",
        "Algorithm 2 projects onto the ℓ1 cone",
        "Algorithm 2 exactly solves … the projection of [a; b] onto the ℓ1 norm cone",
        "Lemma 2",
        "theory",
        supported(projections.projection("Algorithm 2"), support.projection("Algorithm 2")),
        links.cone("ℓ1", "1, 0.5", -3.0),
    ),
    Claim(
        "lemma_3",
        "Projections",
        "Algorithm 3 projects onto the ℓ∞ cone",
        "Algorithm 3 exactly solves … the projection of [a; b] onto the ℓ∞ norm cone",
        "Lemma 3",
        "theory",
        supported(projections.projection("Algorithm 3"), support.projection("Algorithm 3")),
        links.cone("ℓ∞", "3, 1", 1.0),
    ),
    Claim(
        "monotone",
        "Projections",
        "Projections keep the order",
        "if |aᵢ| ≥ |aⱼ|, then |x*ᵢ| ≥ |x*ⱼ|",
        "Section 3.1",
        "theory",
        supported(projections.monotone, support.monotone),
    ),
    Claim(
        "sort_cost",
        "Projections",
        "One sort, d log d",
        "The complexity of this algorithm is O(d log d)",
        "Section 3.1",
        "prox",
        supported(projections.cost_of_prox, support.sorts),
    ),
    Claim(
        "closed_form",
        "Projections",
        "There is no closed form",
        "does not have the closed form, but its solution can be obtained from a search routine",
        "Section 3.1 and the proof of Lemma 3",
        "statements",
        statements.closed_form,
    ),
    Claim(
        "shrinkage",
        "Projections",
        "It is a shrinkage too",
        "can also be derived from the perspective of shrinkage operator",
        "Proof of Lemma 2, footnote",
        "statements",
        statements.shrinkage,
    ),
    Claim(
        "norm_prox",
        "Projections",
        "The prox of ‖·‖_e itself is difficult",
        "if H(x) is ‖x‖e, it is difficult to solve efficiently even all groups have no overlaps",
        "Sections 3.1 and 3.2",
        "theory",
        supported(projections.norm_prox, support.error_of("norm_prox", "worst_residual")),
    ),
)

_PROOFS = (
    Claim(
        "lemma_1_steps",
        "Proofs",
        "Lemma 1, step by step",
        "It completes the proof by summarizing over all g",
        "Proof of Lemma 1",
        "statements",
        proofs.lemma_1_steps,
    ),
    Claim(
        "lemma_2_steps",
        "Proofs",
        "Lemma 2, step by step",
        "the element signs of x* are the same as a",
        "Proof of Lemma 2",
        "statements",
        proofs.lemma_2_steps,
    ),
    Claim(
        "lemma_3_steps",
        "Proofs",
        "Lemma 3, step by step",
        "To decide the optimal value for y, we can first test if y=0 is the optimal solution.",
        "Proof of Lemma 3",
        "statements",
        proofs.lemma_3_steps,
    ),
    Claim(
        "strong_duality",
        "Proofs",
        "Strong duality of E-SVM",
        "From strong duality, we safely swap min and max",
        "Proof of Theorem 4",
        "statements",
        statements.strong_duality,
    ),
)

OPTIMIZATION: tuple[Claim, ...] = (
    *_RATES,
    *_FORMULATIONS,
    *_PROJECTIONS,
    *_PROOFS,
)
