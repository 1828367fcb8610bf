"""The races of Fig. 2(a)–(c), as specs: the benchmark runs them, and links reopen them.

The paper names neither α nor β, so there are a hard and an easy pair; "overlapped" E-SVM has no
further details there: seven own features and seven random others a group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lab.races.specs import RaceSpec

SEEDS = (0, 1, 2)
SECONDS = 15.0
STRENGTHS = ((1.0, 10.0), (100.0, 100.0))
SVM_EXTRAS = 7

_RIVALS = ("kong", "kong_smoothed", "pls_dn", "lelr", "subgradient")
_SVM_FIELD = ("newton", "licp", "licp_block", "admm")
# Lanes that only the benchmark has: Kong's method in the n × n systems of its authors.
BENCHMARK_ONLY = ("kong_full",)


@dataclass(frozen=True)
class Panel:
    """One race of the figure. `spec` has the methods that the app can race, for the first seed.

    `changes`: the benchmark also records ‖w⁺ − w‖/‖w‖, the accuracy that Fig. 2(c) shows.
    """

    key: str
    title: str
    spec: RaceSpec
    changes: bool = False

    @property
    def lanes(self) -> tuple[str, ...]:
        """The benchmark's lanes: ours is what "auto" chooses."""
        rest = self.spec.methods[1:]
        if self.spec.problem == "svm":
            return ("ours", *rest)
        at = rest.index("kong_smoothed") + 1
        return ("ours", *rest[:at], *BENCHMARK_ONLY, *rest[at:])


def _lasso(problem: str, methods: tuple[str, ...], extras: int = 0) -> RaceSpec:
    return RaceSpec(
        problem=problem,
        n_samples=400,
        n_features=4000,
        n_groups=100,
        extras=extras,
        methods=methods,
        budget=SECONDS,
        repeats=len(SEEDS),
    )


def _svm(alpha: float, beta: float, extras: int) -> RaceSpec:
    return RaceSpec(
        problem="svm",
        n_samples=720,
        n_features=5040,
        n_groups=720,
        extras=extras,
        alpha=alpha,
        beta=beta,
        methods=_SVM_FIELD,
        budget=SECONDS,
        repeats=len(SEEDS),
    )


PANELS: Mapping[str, Panel] = MappingProxyType(
    {
        panel.key: panel
        for panel in (
            Panel(
                "2a",
                "E-LASSO, disjoint groups",
                _lasso("lasso", ("newton", "locp", "pcp", *_RIVALS)),
            ),
            Panel(
                "2b",
                "E-LASSO, overlapped groups",
                _lasso("overlapped", ("newton", "pcp", *_RIVALS), extras=100),
            ),
            *(
                Panel(
                    f"2c_{name}_{alpha:g}_{beta:g}",
                    f"E-SVM, {name} groups, α = {alpha:g}, β = {beta:g}",
                    _svm(alpha, beta, extras),
                    changes=True,
                )
                for name, extras in (("overlapped", SVM_EXTRAS), ("disjoint", 0))
                for alpha, beta in STRENGTHS
            ),
        )
    }
)
