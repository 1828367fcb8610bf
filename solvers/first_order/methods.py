"""The paper's methods: one FISTA loop on each of its formulations."""

from __future__ import annotations

from functools import partial

from ..method import HUANG_LIU, Method, all_of, disjoint, squared_norm
from .fista import fista
from .formulations import LICP, LOCP, PCP, EliminatedDual


def _fista_on(formulation):
    def run(problem, w0, *, restart=False, backtracking=False):
        posed = formulation(problem)
        backtracking = backtracking or getattr(posed, "needs_backtracking", False)
        for x, average in fista(posed, posed.start(w0), restart=restart, backtracking=backtracking):
            yield partial(posed.candidate, x, average)

    return run


pcp = Method("pcp", "PCP", f"{HUANG_LIU}, Section 3.2", _fista_on(PCP))
locp = Method(
    "locp",
    "LOCP",
    f"{HUANG_LIU}, Section 3.2",
    _fista_on(LOCP),
    accepts=all_of(disjoint, squared_norm),
)
licp = Method("licp", "LICP", f"{HUANG_LIU}, Section 3.3 (one step length)", _fista_on(LICP))
licp_block = Method(
    "licp_block",
    "LICP, block steps",
    f"{HUANG_LIU}, Section 3.3, in the block metric",
    _fista_on(partial(LICP, block=True)),
)
dual_u = Method(
    "dual_u",
    "Dual in u",
    f"this software; {HUANG_LIU}, Section 3.3, with v eliminated",
    _fista_on(EliminatedDual),
    accepts=disjoint,
)
