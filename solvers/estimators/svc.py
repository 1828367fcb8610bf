"""The exclusive support vector machine as a classifier."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from ..docstrings import CLASSIFIER, documented
from ..problems import SVMProblem
from ..registry import SVM_METHODS
from ..types import Matrix
from .base import distinct_samples
from .classifier import ClassifierBase


class SVCBase(ClassifierBase):
    """The hinge loss."""

    _problem = SVMProblem
    _methods = SVM_METHODS


@documented(CLASSIFIER)
@dataclass(kw_only=True, eq=False, repr=False)
class ExclusiveSVC(SVCBase):
    """min over w, b of Σᵢ ωᵢ max(0, 1 − yᵢ(xᵢᵀw + b)) + α/2 ‖w‖² + β/2 ‖w‖_e²

    The paper's E-SVM; with random groups (`groups=None` or a number), its E-SVM(R). More than two
    classes are solved one against the rest, with the same groups. Methods are those of
    `SVM_METHODS`.

    Attributes
    ----------
    classes_
    coef_
    intercept_
    groups_
    n_iter_
    dual_gap_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import ExclusiveSVC
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 12))
    >>> y = np.where(X[:, 0] > X[:, 6], "yes", "no")
    >>> model = ExclusiveSVC(alpha=0.1, beta=1.0, groups=2, random_state=0).fit(X, y)
    >>> model.groups_.n_groups, bool(model.score(X, y) > 0.9), bool(model.dual_gap_ <= 1e-4)
    (2, True, True)
    """

    alpha: float = field(default=1.0, kw_only=False)
    beta: float = field(default=1.0, kw_only=False)
    warm_start: bool = False

    @documented(CLASSIFIER)
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ExclusiveSVC:
        """Fit to samples × features X, dense or sparse, and class labels y

        Returns
        -------
        self
            The fitted estimator.
        """
        X, _, codes, weight = self._validated(X, y, sample_weight)
        samples = distinct_samples(X, codes, weight)
        results = self._one_vs_rest(*samples, self.alpha, self.beta)
        self._warn_unless_converged(results)
        self._keep(results)
        return self
