"""scikit-learn estimators: exclusive lasso, logistic regression and support vector machine.

They minimise a *sum* of losses plus the penalty, so that `lam`, `alpha` and `beta` mean what they
mean in `solve_lasso`, `solve_logistic` and `solve_svm`; the standard SVM's C is 1/alpha. `tol` is
on the certified relative duality gap, which is kept as `dual_gap_`.

Three decisions make a fit repeatable:

- it is measured at iterations fixed in advance, never by the clock, so that two fits on the same
  data agree to the last digit;
- identical samples are merged into one that carries their total weight, which changes no objective
  and makes a weight of 3 the same computation as three copies, and samples are put into an order
  of their own, so that the order in which they come does not matter either;
- random groups are drawn once a fit, from `random_state`, and shared by all classes and folds.
"""

from __future__ import annotations

from ..scales import default_n_groups
from .lasso import ExclusiveLasso
from .lasso_cv import ExclusiveLassoCV
from .logistic import ExclusiveLogistic
from .logistic_cv import ExclusiveLogisticCV
from .multitask import MultiTaskExclusiveLasso
from .poisson import ExclusivePoisson
from .stability import Stability, stability_selection
from .svc import ExclusiveSVC
from .svc_cv import ExclusiveSVCCV

__all__ = [
    "ExclusiveLasso",
    "ExclusiveLassoCV",
    "ExclusiveLogistic",
    "ExclusiveLogisticCV",
    "ExclusivePoisson",
    "ExclusiveSVC",
    "ExclusiveSVCCV",
    "MultiTaskExclusiveLasso",
    "Stability",
    "default_n_groups",
    "stability_selection",
]
