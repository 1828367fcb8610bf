"""Where the paper is misprinted or silent: each with a small demonstration that is computed live.

Every demonstration sets what the printed line gives beside what the corrected one gives, on an
example small enough to be computed while the reader waits, and says in one sentence what it shows.
All are pure: the same call gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lab.paper import links
from lab.paper.errata import algorithms, balance, experiments, formulations, silences, slips
from lab.paper.errata.demonstration import Demonstration, Erratum
from lab.paper.points import FAILING

__all__ = ["BY_KEY", "ERRATA", "Demonstration", "Erratum"]


# The page of projections at the points of the examples, and that of random groups at its setting.
_POINTS = {key: links.point(at, "Look at this point") for key, at in FAILING.items()}
_SPLIT = links.grouping_link(*balance.SPLIT, "Look at this setting")

ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "momentum",
        "No acceleration as printed",
        "Algorithm 1, step 4",
        r"$t = \frac12 + \frac12\sqrt{1+4t}$",
        r"$t = \frac12 + \frac12\sqrt{1+4t^2}$",
        algorithms.momentum,
    ),
    Erratum(
        "l1_origin",
        "The origin is missing",
        "Algorithm 2",
        r"no window holds: $x=a,\ y=b$",
        r"if $-\zeta b \ge \lVert a\rVert_\infty$ the projection is the origin",
        algorithms.l1_origin,
        _POINTS["l1_origin"],
    ),
    Erratum(
        "linf_formula",
        "The wrong x",
        "Algorithm 3, in the loop",
        r"$x = \mathrm{sgn}(a)\odot\min(|a|-y, 0)$",
        r"$x = \mathrm{sgn}(a)\odot\min(|a|, y)$",
        algorithms.linf_formula,
        _POINTS["linf_formula"],
    ),
    Erratum(
        "linf_negative",
        "A negative height",
        "Algorithm 3, at the end",
        r"$y$ keeps the last candidate",
        r"if $\zeta b + \lVert a\rVert_1 \le 0$, $(x,y)=(0,0)$",
        algorithms.linf_negative,
        _POINTS["linf_negative"],
    ),
    Erratum(
        "windows",
        "Windows that rounding misses",
        "Algorithms 2 and 3, the tests",
        r"$\delta \in [\,|a|^{(j+1)}, |a|^{(j)}]$, in floats",
        "no window: the largest candidate is the threshold",
        algorithms.windows,
        _POINTS["windows"],
    ),
    Erratum(
        "zeta_sign",
        "ζ must be positive",
        "Algorithms 2 and 3, input",
        r"$\zeta \in \mathbb{R}$",
        r"$\zeta > 0$",
        algorithms.zeta_sign,
        _POINTS["zeta_sign"],
    ),
    Erratum(
        "factor_two",
        "A factor of two in λ",
        "Section 3.2 against Section 5.1",
        r"$\frac{\lambda}{2}\lVert w\rVert_e^2$ there, $\lambda\lVert w\rVert_e^2$ here",
        r"$\frac{\lambda}{2}\lVert w\rVert_e^2$ everywhere",
        formulations.factor_two,
    ),
    Erratum(
        "exponent",
        "The exponent is on the ℓ1 norm",
        "Section 3.2, last remark on PCP",
        r"$\sum_g \lVert w_g\rVert_q^q$",
        r"$\sum_g \lVert w_g\rVert_1^q,\ q\ge 1$",
        formulations.exponent,
    ),
    Erratum(
        "norm_prox",
        "The prox of the norm is not difficult",
        "Sections 3.1 and 3.2",
        r"with $\lVert\cdot\rVert_e$ the step is “difficult to solve efficiently”",
        r"the squared prox at the $\zeta$ with $\zeta\lVert w_\zeta\rVert_e=\varphi$",
        formulations.norm_prox,
    ),
    Erratum(
        "licp_rate",
        "LICP's rate is the dual's",
        "Abstract and Section 3.3",
        r"$O(1/k^2)$ for E-SVM",
        r"$O(1/k^2)$ for the dual and for the averaged $\bar w$; $O(1/k)$ for the last $w$",
        formulations.licp_rate,
    ),
    Erratum(
        "proof_probability",
        "A probability above one",
        "Proof of Theorem 5, lower tail",
        r"$p=\frac sm(1-\varepsilon)$",
        r"$p=\frac sn(1-\varepsilon)$",
        balance.proof_probability,
        _SPLIT,
    ),
    Erratum(
        "proof_constants",
        "A constant of the proof",
        "Proof of Theorem 5, the total",
        r"$1+\frac34\varepsilon$",
        r"$1+\frac43\varepsilon$, and $s(1+\varepsilon)\le n$, $m\mid n$",
        balance.proof_constants,
    ),
    Erratum(
        "condition_constant",
        "O(·) hides 12.5",
        "Theorem 5",
        r"$s \ge O(t^{-2}m\log m)$",
        r"$s \ge C t^{-2} m\log m$, $C>12.5$ by its own constants",
        balance.condition_constant,
    ),
    Erratum(
        "rule_of_thumb",
        "m = s/log s is too many",
        "After Theorem 5, and Section 5.2",
        r"$m=\mathrm{constant}\times s/\log s$ satisfies the condition",
        "the largest m with P ≥ 0.9 from the exact law",
        balance.rule_of_thumb,
        _SPLIT,
    ),
    Erratum(
        "shared_noise",
        "Both classes share their noise",
        "Section 5.2, synthetic data",
        r"$X_\pm = X_0 \pm d\,w^*$ with one $X_0$",
        "independent noise for every sample",
        experiments.shared_noise,
    ),
    Erratum(
        "tuned_distance",
        "Nothing to tune",
        "Section 5.2",
        "“We tune the value of d”",
        r"$d = \Phi^{-1}(0.9)/\lVert w^*\rVert$",
        experiments.tuned_distance,
    ),
    Erratum(
        "odd_m",
        "Half of 315",
        "Section 5.2",
        r"$m=315$ samples, $m/2$ of each class",
        "158 and 157",
        experiments.odd_m,
    ),
    Erratum(
        "inverted_folds",
        "Which cross-validation?",
        "Table 1, “#Flods”",
        "“using cross validation”",
        "the numbers fit inverted K-fold: train on one fold, test on the others",
        experiments.inverted_folds,
    ),
    Erratum(
        "uncovered",
        "Features in no group",
        "Section 5.1, overlapped",
        "100 random groups of 140 out of 4,000",
        "a partition of 40 plus 100 random others each (our reading)",
        experiments.uncovered,
    ),
    Erratum(
        "kong_limit",
        "Kong's limit is optimal",
        "Related work and Section 3.2",
        r"an $n\times n$ inverse, and a limit that “is not necessarily the optimal solution”",
        r"$N\times N$ suffices, and from a dense start the limit is the optimum",
        experiments.kong_limit,
    ),
    Erratum(
        "lower_tail",
        "A tail bounded from the wrong side",
        "Proof of Theorem 5, Bernstein's inequality",
        r"both tails with $Y_i - E\,Y_i \le c$",
        r"the lower tail needs $E\,Y_i - Y_i \le c$; $c = 1$ serves both",
        silences.lower_tail,
    ),
    Erratum(
        "closing_references",
        "What the proof's end refers to",
        "Proof of Theorem 5, its end; proof of Lemma 2, footnote",
        r"(29), whose “left hand side converges to $1$”; “the solution to (4)”",
        "the last formula, whose complement converges to 1; the solution to (5)",
        silences.closing_references,
    ),
    Erratum(
        "captions",
        "Slips of captions and text",
        "Table 1, Fig. 2(d), Section 5.1, proof of Theorem 5",
        "“PCMAT”, “#Flods”, “formation”, a parenthesis without a partner",
        "PCMAC (and MNIST where the digits are cited), folds, formulation",
        silences.captions,
    ),
    Erratum(
        "which_groups",
        "Overlapped or disjoint?",
        "Fig. 2(c), caption, against Section 5.2",
        "“overlapped E-SVM” on data whose groups are disjoint",
        "both readings are raced here",
        silences.which_groups,
    ),
    Erratum(
        "error_bars",
        "Means without intervals",
        "Section 5.2, Fig. 2(d)",
        "“the average accuracy of testing data”, ten repeats",
        "means with intervals, paired over repeats",
        silences.error_bars,
    ),
    Erratum(
        "unstated_strengths",
        "α, β and their choice",
        "Sections 5.1 and 5.2",
        "“We try our best to tune optimization parameters”, none of them given",
        "chosen on training samples only, the same way for every method",
        silences.unstated_strengths,
    ),
    Erratum(
        "unstated_scaling",
        "How features were scaled",
        "Section 5.2, Table 1",
        "nothing",
        "three ways run here, on training samples only",
        silences.unstated_scaling,
    ),
    Erratum(
        "two_classes",
        "How many classes became two",
        "Section 5.2, Table 1",
        "nothing",
        "two classes, or three for the digits, as each row says",
        silences.two_classes,
    ),
    Erratum(
        "missing_t",
        "A minimum without its t",
        "Section 3.3, LICP's subproblem",
        r"$\min_{v^g}$ with $t$ in the objective and the constraint",
        r"$\min_{v^g,\,t}$, as in LOCP's",
        slips.missing_t,
        _POINTS["missing_t"],
    ),
    Erratum(
        "given_y",
        "Optimal for which variable?",
        "Proof of Lemma 3",
        "“its optimal value with respect to a”",
        "its optimal value for given y",
        slips.given_y,
    ),
    Erratum(
        "first_equality",
        "The wrong equality",
        "Proof of Theorem 4",
        "“the second equality is obtained by letting” $w = …$",
        "the first one; the second minimises over ξ",
        slips.first_equality,
    ),
    Erratum(
        "upper_for_lower",
        "A bound from the wrong side",
        "Proof of Theorem 5, its end",
        r"$s = O(t^{-2}m\log m)$",
        r"$s \ge C t^{-2} m\log m$",
        slips.upper_for_lower,
    ),
)

BY_KEY: Mapping[str, Erratum] = MappingProxyType({erratum.key: erratum for erratum in ERRATA})
