"""All that decides an analysis, given the table: one frozen spec, and digests of its parts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property

TARGETS = {"classes": "classes", "quantity": "a number", "counts": "a count"}
METHODS = {
    "esvm": "E-SVM",
    "logistic": "exclusive logistic",
    "lasso": "exclusive lasso",
    "huber": "exclusive Huber",
    "poisson": "exclusive Poisson",
}
METHODS_OF = {
    "classes": ("esvm", "logistic"),
    "quantity": ("lasso", "huber"),
    "counts": ("poisson", "lasso"),
}
PROTOCOLS = {"ordinary": "ordinary K-fold", "inverted": "inverted K-fold"}
TUNINGS = {"auto": "automatic", "hand": "by hand"}
CLASS_WEIGHTS = {"none": "every row counts alike", "balanced": "every class counts alike"}
GROUPINGS = {
    "random": "random",
    "prefix": "by first word of the name",
    "correlation": "by correlation",
    "source": "by source column",
    "file": "from a file",
    "header": "by the table's second row of names",
}


@dataclass(frozen=True)
class TableSpec:
    """What is learnt from which columns, in which folds, by which model.

    `features` are the columns to learn from, `categorical` those of them that are categories,
    `logs` those of which log(1 + x) is taken. Rows of one value of `subjects` stay in one fold;
    `distinct` keeps one of each repeated row. `alpha` and `beta` (E-SVM) or `lam` hold where
    `tuning` is "hand". `n_groups` of None is the recommended number; `group_lists` are those of an
    uploaded file, or of the table's second row of names. `metric` of "" is the usual one for the
    target. `signs` are names with 1 or −1, `feature_weights` names with their weight in the
    penalty; 0 makes a covariate (`constraints`).
    """

    label: str
    features: tuple[str, ...]
    categorical: tuple[str, ...] = ()
    positive: str | None = None
    target: str = "classes"
    subjects: str | None = None
    distinct: bool = False
    logs: tuple[str, ...] = ()
    grouping: str = "random"
    n_groups: int | None = None
    group_lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    method: str = "esvm"
    tuning: str = "auto"
    alpha: float = 1.0
    beta: float = 10.0
    lam: float = 10.0
    class_weight: str = "none"
    metric: str = ""
    n_folds: int = 5
    protocol: str = "ordinary"
    seed: int = 0
    standardise: bool = True
    signs: tuple[tuple[str, int], ...] = ()
    feature_weights: tuple[tuple[str, float], ...] = ()

    def __post_init__(self):
        for name, known in (
            ("target", TARGETS),
            ("protocol", PROTOCOLS),
            ("tuning", TUNINGS),
            ("grouping", GROUPINGS),
            ("class_weight", CLASS_WEIGHTS),
            ("method", METHODS_OF.get(self.target, METHODS)),
        ):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}.")

    @cached_property
    def digest(self) -> str:
        """A short name for these settings, the same in every process."""
        return self._digest_of(field.name for field in fields(self))

    @cached_property
    def data_digest(self) -> str:
        """The same for what `prepare` depends on."""
        return self._digest_of(
            (
                *("label", "features", "categorical", "positive", "target", "subjects"),
                *("distinct", "logs", "standardise"),
            )
        )

    @cached_property
    def grouping_digest(self) -> str:
        """The same for what the groups depend on besides."""
        chosen = self._digest_of(("grouping", "n_groups", "group_lists", "seed"))
        apart = self.constraints_digest if self.has_covariates else ""
        return f"{self.data_digest}{chosen}{apart}"

    @cached_property
    def constraints_digest(self) -> str:
        """The same for what binds our models alone."""
        return self._digest_of(("signs", "feature_weights"))

    @property
    def is_constrained(self) -> bool:
        return bool(self.signs or self.feature_weights)

    @property
    def has_covariates(self) -> bool:
        return any(weight == 0.0 for _, weight in self.feature_weights)

    @cached_property
    def folds_digest(self) -> str:
        """What any contender's fit in a fold depends on, whatever its strengths and groups."""
        names = ("n_folds", "protocol", "seed", "class_weight", "metric")
        return f"{self.data_digest}{self._digest_of(names)}"

    def _digest_of(self, names) -> str:
        content = repr([(name, getattr(self, name)) for name in names])
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
