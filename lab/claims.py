"""The checkable sentences of the paper, each beside what this software measured.

A claim quotes the paper, says where, and is judged by a function of the committed results: no
number that we measured is typed here. Where a result file is missing, the verdict is "not yet
measured", and the command that measures it is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from lab import balance, measured, races
from lab.datasets import MAT_FILES
from lab.judges import grouping, projections, rates, real_data, speed, synthetic
from lab.judges.verdicts import (
    CONDITION,
    FAILS,
    HOLDS,
    PENDING,
    UNCHECKABLE,
    VERDICTS,
    Judgement,
    listed,
    unanswerable,
)
from lab.measured import METHODS, Results
from lab.paper_numbers import TABLE_1, TableRow
from lab.sweeps import settings

TOPICS = (
    "Rates",
    "Projections",
    "Speed",
    "Grouping",
    "Synthetic data",
    "Real data",
)


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper. `needs` is the result file it is judged by, "" for none.

    `page` and `controls` say where the reader can run it again, and with which settings.
    """

    key: str
    topic: str
    quote: str
    where: str
    paper: str
    needs: str
    judge: Callable[[Any], Judgement] = field(repr=False)
    page: str = ""
    controls: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def command(self) -> str:
        return measured.COMMANDS.get(self.needs, "")


@dataclass(frozen=True)
class Row:
    """A claim with its judgement."""

    claim: Claim
    verdict: str
    measured: str
    why: str


def judged(results: Results) -> list[Row]:
    """Every claim, judged by the results there are."""
    return [_judge(claim, results) for claim in CLAIMS]


def _judge(claim: Claim, results: Results) -> Row:
    content = getattr(results, claim.needs) if claim.needs else None
    if claim.needs and content is None:
        return Row(claim, PENDING, "nothing yet", f"Run `{claim.command}`.")
    found = claim.judge(content)
    return Row(claim, found.verdict, found.measured, found.why)


def counts(rows: Iterable[Row]) -> dict[str, int]:
    """How many rows have each verdict, in the order of `VERDICTS`."""
    found = Counter(row.verdict for row in rows)
    return {verdict: found.get(verdict, 0) for verdict in VERDICTS}


def answer(rows: Sequence[Row]) -> str:
    """The page's one sentence."""
    number = counts(rows)
    checkable = len(rows) - number[UNCHECKABLE]
    parts = [
        f"{number[HOLDS]} hold",
        f"{number[CONDITION]} hold with a condition",
        f"{number[FAILS]} do not hold here",
    ]
    if number[PENDING]:
        verb = "is" if number[PENDING] == 1 else "are"
        parts.append(f"{number[PENDING]} {verb} not yet measured")
    rest = f"; {number[UNCHECKABLE]} more cannot be checked" if number[UNCHECKABLE] else ""
    return f"Of {checkable} checkable claims {listed(parts)}{rest}."


def table(rows: Iterable[Row]) -> dict[str, list[str]]:
    """The claims as columns, for a file."""
    rows = list(rows)
    return {
        "topic": [row.claim.topic for row in rows],
        "the paper says": [row.claim.quote for row in rows],
        "where": [row.claim.where for row in rows],
        "the paper's figure": [row.claim.paper for row in rows],
        "measured": [row.measured for row in rows],
        "verdict": [row.verdict for row in rows],
        "why": [row.why for row in rows],
        "command": [row.claim.command for row in rows],
    }


# -- the claims ----------------------------------------------------------------------------------


def _race(figure: str) -> dict[str, Any]:
    return {"page": "solver_race", "controls": races.presets()[f"Paper Fig. {figure}"]}


def _grouping(preset: str) -> dict[str, Any]:
    return {"page": "random_grouping", "controls": balance.PRESETS[preset]}


def _cone(cone: str, vector: str, height: float) -> dict[str, Any]:
    controls = {"tab": "The search", "cone": cone, "vector": vector, "height": height}
    return {"page": "cone_projections", "controls": controls}


def _accuracy(preset: str = "Paper's Fig. 2(d)") -> dict[str, Any]:
    return {"page": "esvm_accuracy", "controls": settings.presets()[preset]}


def _real_data(row: TableRow) -> dict[str, Any]:
    if row.data is None:
        return {}
    controls = {"tab": settings.REAL, "data": MAT_FILES[row.data].title}
    controls |= {"folds": row.folds, "kind": "inverted"}
    return {"page": "esvm_accuracy", "controls": controls}


_TABLE = {"page": "esvm_accuracy", "controls": {"tab": settings.REAL}}


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "pcp_rate",
        "Rates",
        "the first approach to solve overlapped exclusive sparsity regularization with the optimal "
        "convergence rate O(1/k²)",
        "Section 3.2, on PCP",
        "O(1/k²)",
        "theory",
        rates.rate_of("pcp"),
        **_race("2(b)"),
    ),
    Claim(
        "locp_rate",
        "Rates",
        "apply the proximal operator to the FISTA framework to obtain an algorithm with the "
        "optimal convergence rate",
        "Section 3.2, on LOCP",
        "O(1/k²)",
        "theory",
        rates.rate_of("locp"),
        **_race("2(a)"),
    ),
    Claim(
        "licp_rate",
        "Rates",
        "an efficient algorithm to solve E-SVM with the optimal convergence rate O(1/k²)",
        "Abstract and Section 3.3, on LICP",
        "O(1/k²)",
        "theory",
        rates.licp_rate,
        **_race("2(c)"),
    ),
    Claim(
        "first",
        "Rates",
        "this is the first time to guarantee such convergence rate for the general exclusive "
        "sparsity norm minimization",
        "Abstract",
        "first",
        "",
        unanswerable("A statement about other people's work, not about numbers."),
    ),
    Claim(
        "subgradient_rate",
        "Rates",
        "A subgradient algorithm is proposed, but leads to a slow convergence rate O(1/√k)",
        "Section 2",
        "O(1/√k)",
        "figure2",
        rates.falls_like("subgradient", 0.5, "O(1/√k)"),
        **_race("2(a)"),
    ),
    Claim(
        "lelr_rate",
        "Rates",
        "the Nesterov's smoothing scheme … leads to a convergence rate O(1/k)",
        "Section 2, on LELR",
        "O(1/k)",
        "figure2",
        rates.falls_like("lelr", 1.0, "O(1/k)"),
        **_race("2(a)"),
    ),
    Claim(
        "kong_limit",
        "Rates",
        "the reweighted approach only guarantees convergence: the convergent point is not "
        "necessarily the optimal solution",
        "Section 2, on Kong",
        "not optimal",
        "theory",
        rates.kong_limit,
        **_race("2(a)"),
    ),
    Claim(
        "licp_admm_rate",
        "Rates",
        "the convergence rate for LICP O(1/k²) is superior to the rate for ADMM O(1/k)",
        "Section 5.1",
        "k⁻² against k⁻¹",
        "figure2",
        rates.rates_of_licp_and_admm,
        **_race("2(c)"),
    ),
    Claim(
        "lemma_1",
        "Projections",
        "‖w‖_e² is a maximum over vᵍ of linear functions minus squared ℓ∞ norms",
        "Lemma 1",
        "exact",
        "theory",
        projections.lemma_1,
    ),
    Claim(
        "lemma_2",
        "Projections",
        "Algorithm 2 exactly solves the projection onto the ℓ1 norm cone",
        "Lemma 2",
        "exact",
        "theory",
        projections.projection("Algorithm 2"),
        **_cone("ℓ1", "1, 0.5", -3.0),
    ),
    Claim(
        "lemma_3",
        "Projections",
        "Algorithm 3 exactly solves the projection onto the ℓ∞ norm cone",
        "Lemma 3",
        "exact",
        "theory",
        projections.projection("Algorithm 3"),
        **_cone("ℓ∞", "3, 1", 1.0),
    ),
    Claim(
        "monotone",
        "Projections",
        "if |aᵢ| ≥ |aⱼ|, then |x*ᵢ| ≥ |x*ⱼ|",
        "Section 3.1",
        "always",
        "theory",
        projections.monotone,
        page="cone_projections",
    ),
    Claim(
        "sort_cost",
        "Projections",
        "The complexity of this algorithm is O(d log d)",
        "Section 3.1",
        "one sort",
        "prox",
        projections.cost_of_prox,
    ),
    Claim(
        "norm_prox",
        "Projections",
        "if H(x) is ‖x‖_e, it is difficult to solve efficiently even all groups have no overlaps",
        "Section 3.1",
        "difficult",
        "theory",
        projections.norm_prox,
    ),
    Claim(
        "lam_and_phi",
        "Projections",
        "λ/2‖w‖_e² leads to the same solution as using φ‖w‖_e if λ(φ) is appropriately chosen",
        "Section 3.2",
        "the same",
        "theory",
        projections.lam_and_phi,
        page="norm_patterns",
    ),
    Claim(
        "exponent",
        "Projections",
        "for the more general exclusive sparsity norm minimization “smooth loss + Σ‖w_g‖_q^q” "
        "(q ≥ 1), one can also apply this positive-negative decomposition trick to obtain the "
        "optimal convergence rate",
        "Section 3.2",
        "any q ≥ 1",
        "",
        projections.exponent,
    ),
    Claim(
        "fig_2a",
        "Speed",
        "We observe that LOCP is the most efficient and PCP is the second best",
        "Section 5.1, Fig. 2(a)",
        "LOCP, PCP, then the rest",
        "figure2",
        speed.first_in("2a", ("locp", "pcp")),
        **_race("2(a)"),
    ),
    Claim(
        "locp_pcp",
        "Speed",
        "if groups have no overlaps, we can derive a slightly more efficient algorithm",
        "Section 3.2, LOCP against PCP",
        "slightly",
        "figure2",
        speed.locp_and_pcp,
        **_race("2(a)"),
    ),
    Claim(
        "fig_2b",
        "Speed",
        "We can observe that PCP algorithm outperforms other algorithms",
        "Section 5.1, Fig. 2(b)",
        "PCP first",
        "figure2",
        speed.first_in("2b", ("pcp",)),
        **_race("2(b)"),
    ),
    Claim(
        "fig_2c",
        "Speed",
        "observe that LICP is more efficient than ADMM",
        "Section 5.1, Fig. 2(c)",
        "LICP first",
        "figure2",
        speed.licp_and_admm,
        **_race("2(c)"),
    ),
    Claim(
        "kong_cost",
        "Speed",
        "requiring heavy computation load (computing the inverse of a n × n matrix)",
        "Section 3.2, on Kong and PLS-DN",
        "n × n",
        "figure2",
        speed.kong_cost,
        **_race("2(a)"),
    ),
    Claim(
        "gradient_cost",
        "Speed",
        "the computation load per iteration is still on the gradient",
        "Section 3.2, on LOCP",
        "the gradient",
        "prox",
        projections.gradient_dominates,
    ),
    Claim(
        "theorem_3",
        "Grouping",
        "with high probability, max|Ωⱼ|/min|Ωⱼ| ≤ (1+t)/(1−t)",
        "Theorem 3",
        "s ≥ O(t⁻² m log m)",
        "theorem3",
        grouping.theorem_3,
        **_grouping("Theorem 3 regime"),
    ),
    Claim(
        "constants",
        "Grouping",
        "≤ 3 exp{−0.08 t²s/m + log m} + exp{−0.001 t²s}",
        "Proof of Theorem 3",
        ".08, .2, .001",
        "theory",
        grouping.constants,
        **_grouping("Theorem 3 regime"),
    ),
    Claim(
        "independent_of_n",
        "Grouping",
        "Theorem 3 is independent to the total number of features n",
        "Section 4",
        "no n",
        "theorem3",
        grouping.independent_of_n,
        **_grouping("n = 1,000,000"),
    ),
    Claim(
        "rule_of_thumb",
        "Grouping",
        "A simple way to choose m to satisfy the condition is m = constant × s/log s",
        "Section 4; used with constant 1 in Section 5.2",
        "balanced",
        "theorem3",
        grouping.rule_of_thumb,
        **_grouping("s/log s fails, s = 504"),
    ),
    Claim(
        "one_group",
        "Grouping",
        "set m = 1 to meet this condition, it reduces the ℓe norm to the plain ℓ1 norm",
        "Section 4",
        "ℓ1",
        "theory",
        grouping.one_group,
        page="norm_patterns",
    ),
    Claim(
        "esvm_first",
        "Synthetic data",
        "the E-SVM outperforms other three algorithms",
        "Section 5.2, Fig. 2(d)",
        "E-SVM first",
        "figure2d",
        synthetic.ahead_of("esvm", ("svm", "sparse_svm", "esvm_r")),
        **_accuracy(),
    ),
    Claim(
        "random_groups",
        "Synthetic data",
        "The E-SVM(R) is … still superior to SVM and S-SVM",
        "Section 5.2, Fig. 2(d)",
        "above SVM and S-SVM",
        "figure2d",
        synthetic.ahead_of("esvm_r", ("svm", "sparse_svm")),
        **_accuracy(),
    ),
    Claim(
        "slightly_worse",
        "Synthetic data",
        "The E-SVM(R) is slightly worse than E-SVM",
        "Section 5.2, Fig. 2(d)",
        "slightly worse",
        "figure2d",
        synthetic.slightly_worse,
        **_accuracy(),
    ),
    Claim(
        "comparable",
        "Synthetic data",
        "The performance of SVM, E-SVM and E-SVM(R) are comparable when the sparsity ratio is high",
        "Section 5.2, Fig. 2(d)",
        "comparable",
        "figure2d",
        synthetic.comparable_when_dense,
        **_accuracy(),
    ),
    Claim(
        "ten_percent",
        "Synthetic data",
        "the misclassification rate using the true model w* is around 10 %",
        "Section 5.2",
        "10 %",
        "figure2d",
        synthetic.oracle,
        **_accuracy(),
    ),
    Claim(
        "as_printed",
        "Synthetic data",
        "X₊ = X₀ + d w*, X₋ = X₀ − d w*, one X₀ for both, gives Fig. 2(d)",
        "Section 5.2, the synthetic data",
        "SVM below E-SVM",
        "figure2d",
        synthetic.as_printed,
        **_accuracy("with shared noise"),
    ),
    Claim(
        "table_overall",
        "Real data",
        "the proposed E-SVM(R) is overall superior to SVM, S-SVM, and Kong's approach",
        "Section 5.2, Table 1",
        "first in 8 of 10 rows",
        "table1",
        real_data.overall,
        **_TABLE,
    ),
    Claim(
        "table_protocol",
        "Real data",
        "the accuracy of four algorithms using cross validation",
        "Section 5.2, Table 1",
        "K-fold",
        "table1",
        real_data.protocol,
        **_TABLE,
    ),
    *(
        Claim(
            f"table_{measured.row_key(row)}",
            "Real data",
            f"{row.title}: E-SVM(R) {row.accuracy['esvm_r']:.2f} %, "
            f"{METHODS[measured.in_bold(row)]} in bold",
            f"Table 1, {row.folds} folds",
            " / ".join(f"{METHODS[k]} {v:.2f}" for k, v in row.accuracy.items()),
            "table1" if row.data else "",
            real_data.table_row(row)
            if row.data
            else unanswerable("The data set could not be had, so the row cannot be run again."),
            **_real_data(row),
        )
        for row in TABLE_1
    ),
)

BY_KEY: Mapping[str, Claim] = MappingProxyType({claim.key: claim for claim in CLAIMS})
