"""What exclusive sparsity is compared with: other classifiers, and least squares in other norms.

Classifiers: `make_classifier(key, groups=…, alpha=…, …)` builds any row of the paper's comparison
by one constructor. Strengths mean the same everywhere: the loss is a sum over samples, `alpha`
multiplies ½‖w‖², `lam` the method's own norm, `beta` ½‖w‖_e².

Norms: `fit_norm(key, X, y, groups, lam)` solves least squares under ridge, lasso, group lasso or
exclusive lasso, each with a certified gap; `match_nonzeros` and `match_training_loss` find the λ at
which they can be compared fairly.
"""

from .classifiers import (
    CLASSIFIERS,
    Classifier,
    KongSVC,
    L1Logistic,
    SparseSVC,
    StandardSVC,
    make_classifier,
)
from .group_lasso import GroupLassoProblem, group_lasso
from .hinge import HingeFit, fit_hinge
from .norm_fits import NORMS, Fit, fit_norm, largest_useful_lam, match_nonzeros, match_training_loss

__all__ = [
    "CLASSIFIERS",
    "NORMS",
    "Classifier",
    "Fit",
    "GroupLassoProblem",
    "HingeFit",
    "KongSVC",
    "L1Logistic",
    "SparseSVC",
    "StandardSVC",
    "fit_hinge",
    "fit_norm",
    "group_lasso",
    "largest_useful_lam",
    "make_classifier",
    "match_nonzeros",
    "match_training_loss",
]
