"""The methods of each problem. Adding one is a file of its own and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .automatic import automatic_smooth, automatic_svm
from .first_order.methods import dual_u, licp, licp_block, locp, pcp
from .large.methods import streamed_smooth, streamed_svm
from .method import Method
from .rivals.admm import admm
from .rivals.kong import kong, kong_smoothed
from .rivals.lelr import lelr
from .rivals.pls_dn import pls_dn
from .rivals.subgradient import subgradient, svm_subgradient
from .second_order.newton import active_set, newton, newton_smooth
from .second_order.svm_interior import svm_interior
from .second_order.svm_newton import svm_newton
from .second_order.svm_quasi_newton import quasi_newton


def _table(*methods) -> Mapping[str, Method]:
    return MappingProxyType({method.key: method for method in methods})


#: Methods of `solve_lasso` by key, each a `Method`.
LASSO_METHODS = _table(
    newton, active_set, pcp, locp, kong, kong_smoothed, pls_dn, lelr, subgradient
)
#: Methods of `solve_logistic` by key, each a `Method`.
LOGISTIC_METHODS = _table(newton_smooth, active_set, pcp, locp, lelr, subgradient)
#: Methods of `solve_poisson` by key; LELR and the subgradient method need a Lipschitz gradient.
POISSON_METHODS = _table(newton_smooth, active_set, pcp, locp)
#: Methods of `solve_huber` by key, each a `Method`.
HUBER_METHODS = _table(newton_smooth, active_set, pcp, locp, lelr, subgradient)
#: Methods of `solve_svm` by key, each a `Method`.
SVM_METHODS = _table(
    svm_newton, svm_interior, quasi_newton, dual_u, licp_block, licp, admm, svm_subgradient
)

# What "auto" may be, in this order: the first that accepts the problem is run.
AUTOMATIC = (automatic_smooth, automatic_svm, streamed_smooth, streamed_svm, locp, pcp)


def choose(methods: Mapping[str, Method], key: str, problem) -> Method:
    """The method of that key; "auto" is the first of `AUTOMATIC` that accepts the problem."""
    if not isinstance(key, str) or key not in ("auto", *methods):
        known = ", ".join(["auto", *methods])
        raise ValueError(f"there is no method {key!r} for this problem; choose one of: {known}.")
    if key == "auto":
        fitting = (method for method in AUTOMATIC if method.accepts(problem) is None)
        method = next(fitting, None)
        if method is None:
            raise ValueError(
                "no method solves this problem on a Dask array; bring X into memory with "
                "X.compute()."
            )
        return method
    reason = methods[key].accepts(problem)
    if reason is not None:
        raise ValueError(f"method {key!r} cannot solve this problem: {reason}.")
    return methods[key]
