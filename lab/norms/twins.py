"""The introduction's thought experiment: which of two similar features does each norm pick?

Two twins of correlation ρ lie in two disjoint groups, of which one is busier. The paper claims that
ℓ2 prefers both, ℓ1 the one that gives the lower objective, ℓ2,1 the one whose group has more
members selected, ℓe the one whose group has fewer. Each claim is checked on fits, with its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from lab.data.datasets import Dataset, TwinsSpec
from lab.drawing.theme import NORM_LABELS
from lab.loading import one_at_a_time
from lab.norms.paths import FITTED_AS, SMALLEST_WEIGHT, TOLERANCE, own_scale
from solvers import Groups

# Texts, for the slider and the address.
CORRELATIONS = ("0", "0.2", "0.4", "0.6", "0.7", "0.8", "0.9", "0.95", "0.97", "0.99")
DEFAULT_CORRELATION = "0.95"
LOADS = tuple(str(load) for load in range(9))
DEFAULT_LOAD = "6"
# What the chart's axis can be, and its values.
AXES: Mapping[str, tuple] = MappingProxyType(
    {
        "correlation": tuple(float(text) for text in CORRELATIONS),
        "busy_load": tuple(int(text) for text in LOADS),
    }
)
SHARES = ("0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5")
DEFAULT_SHARE = "0.1"
DRAWS = 20

# "Both" means that neither twin gets more than twice the other's weight.
BOTH = (1.0 / 3.0, 2.0 / 3.0)

CLAIMS = {
    "l2": "ℓ2 prefers to select both",
    "l1": "ℓ1 prefers the one that gives a lower objective value",
    "l21": "ℓ2,1 prefers the one with more group members selected",
    "le": "ℓe prefers the one with fewer group members selected",
}


@dataclass(frozen=True)
class TwinFit:
    """What one norm made of the twins.

    Weights of the twin in the busy and in the quiet group, and how many *other* members of each
    group the norm selected.
    """

    norm: str
    lam: float
    gap: float
    busy: float
    quiet: float
    busy_others: int
    quiet_others: int

    @property
    def quiet_share(self) -> float:
        """|w_quiet| / (|w_busy| + |w_quiet|): ½ is even; not a number where both are dropped."""
        total = abs(self.busy) + abs(self.quiet)
        return abs(self.quiet) / total if total > 0.0 else np.nan

    @property
    def pick(self) -> str:
        share = self.quiet_share
        if np.isnan(share):
            return "neither"
        if BOTH[0] <= share <= BOTH[1]:
            return "both"
        return "the quiet twin" if share > 0.5 else "the busy twin"

    @property
    def told(self) -> str:
        """What is picked, and of both the preferred one: that is what the claims speak of."""
        if self.norm == "l2" or self.pick != "both" or self.quiet_share == 0.5:
            return self.pick
        return f"both (rather the {'quiet' if self.quiet_share > 0.5 else 'busy'} one)"


@dataclass(frozen=True)
class Verdict:
    """A claim of the paper against one draw: `holds` is None where the claim says nothing."""

    norm: str
    claim: str
    holds: bool | None
    evidence: str

    @property
    def word(self) -> str:
        return {True: "holds", False: "does not hold", None: "undecided"}[self.holds]


def fit_twins(spec: TwinsSpec, share: float) -> dict[str, TwinFit]:
    """All four norms at one share of their own λ scale."""
    data = spec.make()
    return {norm: _fit(norm, spec, data, share) for norm in FITTED_AS}


def _fit(norm: str, spec: TwinsSpec, data: Dataset, share: float) -> TwinFit:
    with one_at_a_time:
        from solvers.comparisons import fit_norm  # loads scikit-learn, which takes a while

    lam = share * own_scale(norm, data.X, data.y, data.groups)
    fit = fit_norm(FITTED_AS[norm], data.X, data.y, data.groups, lam, tol=TOLERANCE)
    w = np.where(np.abs(fit.w) > SMALLEST_WEIGHT * np.abs(fit.w).max(), fit.w, 0.0)
    busy, quiet = spec.twins
    others = np.count_nonzero(w.reshape(-1, spec.group_size)[:2, 1:], axis=1)
    return TwinFit(
        norm, lam, fit.gap, float(w[busy]), float(w[quiet]), int(others[0]), int(others[1])
    )


def one_twin_objectives(spec: TwinsSpec, share: float) -> tuple[float, float]:
    """ℓ1's objective where only the busy twin may be used, and where only the quiet one may."""
    with one_at_a_time:
        from solvers.comparisons import fit_norm

    data = spec.make()
    lam = share * own_scale("l1", data.X, data.y, data.groups)
    objectives = []
    for removed in reversed(spec.twins):
        X = np.delete(data.X, removed, axis=1)
        singletons = Groups.contiguous(X.shape[1], X.shape[1])
        objectives.append(fit_norm("lasso", X, data.y, singletons, lam, tol=TOLERANCE).objective)
    return objectives[0], objectives[1]


def check_claims(fits: Mapping[str, TwinFit], only: tuple[float, float]) -> list[Verdict]:
    """The paper's four claims, each with the numbers that decide it.

    `only` are `one_twin_objectives`. "Prefers" means the larger weight; "both" that neither twin
    gets more than twice the other's.
    """
    return [
        _both(fits["l2"]),
        _lower_objective(fits["l1"], only),
        _by_members(fits["l21"], more=True),
        _by_members(fits["le"], more=False),
    ]


def _both(fit: TwinFit) -> Verdict:
    holds = None if fit.pick == "neither" else fit.pick == "both"
    return Verdict("l2", CLAIMS["l2"], holds, _weights(fit))


def _lower_objective(fit: TwinFit, only: tuple[float, float]) -> Verdict:
    busy_only, quiet_only = only
    better = "quiet" if quiet_only < busy_only else "busy"
    evidence = (
        f"objective with the busy twin alone {busy_only:.2f}, with the quiet one alone "
        f"{quiet_only:.2f}; {_weights(fit)}"
    )
    share = fit.quiet_share
    if np.isnan(share) or share == 0.5 or quiet_only == busy_only:
        return Verdict("l1", CLAIMS["l1"], None, evidence)
    return Verdict("l1", CLAIMS["l1"], (share > 0.5) == (better == "quiet"), evidence)


def _by_members(fit: TwinFit, *, more: bool) -> Verdict:
    evidence = (
        f"other members selected: {fit.busy_others} beside the busy twin, {fit.quiet_others} "
        f"beside the quiet one; {_weights(fit)}"
    )
    share = fit.quiet_share
    if np.isnan(share) or share == 0.5 or fit.busy_others == fit.quiet_others:
        return Verdict(fit.norm, CLAIMS[fit.norm], None, evidence)
    quiet_has_more = fit.quiet_others > fit.busy_others
    return Verdict(fit.norm, CLAIMS[fit.norm], (share > 0.5) == (quiet_has_more == more), evidence)


def _weights(fit: TwinFit) -> str:
    return f"weights {fit.busy:.2f} (busy) and {fit.quiet:.2f} (quiet)"


def claims_over_draws(
    spec: TwinsSpec, share: float, vary: str, values: Sequence, draws: int = DRAWS
) -> list[dict[str, dict[str, int]]]:
    """At each value of "correlation" or "busy_load", how often each claim holds, fails or is
    undecided over seeds 0 … draws − 1."""
    return [_tally(at(spec, vary, value), share, draws) for value in values]


def _tally(spec: TwinsSpec, share: float, draws: int) -> dict[str, dict[str, int]]:
    tally = {norm: {"holds": 0, "does not hold": 0, "undecided": 0} for norm in CLAIMS}
    for seed in range(draws):
        for verdict in check(replace(spec, seed=seed), share)[1]:
            tally[verdict.norm][verdict.word] += 1
    return tally


def check(spec: TwinsSpec, share: float) -> tuple[dict[str, TwinFit], list[Verdict]]:
    """The four fits and what they say of the four claims."""
    fits = fit_twins(spec, share)
    return fits, check_claims(fits, one_twin_objectives(spec, share))


def sweep(spec: TwinsSpec, share: float, vary: str, values: Sequence) -> list[tuple]:
    """`check` at each value of "correlation" or "busy_load", the rest as in the spec."""
    return [check(at(spec, vary, value), share) for value in values]


def quiet_shares(fits: Sequence[Mapping[str, TwinFit]]) -> dict[str, np.ndarray]:
    """A column per norm, for the chart."""
    return {norm: np.array([fit[norm].quiet_share for fit in fits]) for norm in FITTED_AS}


def answer(
    correlation: float,
    fits: Mapping[str, TwinFit],
    verdicts: Sequence[Verdict],
    tally: Mapping[str, Mapping[str, int]] | None,
) -> str:
    """What each norm picks here, and how often the claims hold over many draws."""
    picks = ", ".join(
        f"{NORM_LABELS[norm]} {'picks ' if norm == 'l2' else ''}{fit.told}"
        for norm, fit in fits.items()
    )
    held = sum(verdict.holds is True for verdict in verdicts)
    claims = {
        0: "none of the paper's four claims holds",
        1: "one of the paper's four claims holds",
        len(verdicts): "all four of the paper's claims hold",
    }.get(held, f"{held} of the paper's four claims hold")
    open_ones = sum(verdict.holds is None for verdict in verdicts)
    undecided = f" ({open_ones} undecided)" if open_ones else ""
    said = (
        f"Of two features with correlation {correlation:g}, {picks}: {claims} in this "
        f"draw{undecided}."
    )
    return said if tally is None else f"{said} {draws_finding(tally)}"


def chart_title(fits: Mapping[str, TwinFit]) -> str:
    """How far the four norms part over the twins."""
    parts = [f"{NORM_LABELS[norm]} {_share_in_words(fit)}" for norm, fit in fits.items()]
    return f"The quiet twin's share: {', '.join(parts)}"


def _share_in_words(fit: TwinFit) -> str:
    return "drops both" if np.isnan(fit.quiet_share) else f"{100 * fit.quiet_share:.0f} %"


def alt(fits: Mapping[str, TwinFit], axis: str, value: float) -> str:
    return (
        f"The quiet twin's share of the twins' weight against {axis}, four norms; a band marks "
        f"where both are taken. At {value:g}: {chart_title(fits)}."
    )


def table(values: Sequence, fits: Sequence[Mapping[str, TwinFit]], vary: str) -> dict:
    """One row per value and norm."""
    rows = [(value, fit) for value, row in zip(values, fits, strict=True) for fit in row.values()]
    return {
        vary: [value for value, _ in rows],
        "norm": [fit.norm for _, fit in rows],
        "lambda": [fit.lam for _, fit in rows],
        "w_busy": [fit.busy for _, fit in rows],
        "w_quiet": [fit.quiet for _, fit in rows],
        "busy_others": [fit.busy_others for _, fit in rows],
        "quiet_others": [fit.quiet_others for _, fit in rows],
        "quiet_share": [fit.quiet_share for _, fit in rows],
        "gap": [fit.gap for _, fit in rows],
    }


READING = (
    "The quiet twin's share is |w_quiet| / (|w_busy| + |w_quiet|). A norm prefers the twin with "
    "the larger weight; it picks that one alone where its weight is more than twice the other's, "
    "else both (the shaded band). A claim is undecided where it says nothing: as many other "
    "members selected in both groups, or both twins dropped."
)


def without(spec: TwinsSpec, name: str) -> TwinsSpec:
    """The spec with one setting at its default, as a key for what does not depend on it."""
    return replace(spec, **{name: getattr(TwinsSpec(), name)})


def at(spec: TwinsSpec, vary: str, value: float) -> TwinsSpec:
    """The spec at one place of the axis."""
    return replace(spec, **{vary: value})


def claims_table(verdicts: Sequence[Verdict]) -> str:
    """The claims as a Markdown table."""
    rows = [
        f"| {verdict.claim} | **{verdict.word}** | {verdict.evidence} |" for verdict in verdicts
    ]
    return "\n".join(["| the paper says | here | numbers |", "| :-- | :-- | :-- |", *rows])


def draws_finding(tally: Mapping[str, Mapping[str, int]]) -> str:
    """How often each claim held, in a sentence."""
    total = sum(next(iter(tally.values())).values())
    parts = []
    for norm, counts in tally.items():
        verb = "" if parts else " claim holds"
        part = f"{NORM_LABELS[norm]}'s{verb} in {counts['holds']}"
        if counts["undecided"]:
            part += f" ({counts['undecided']} undecided)"
        parts.append(part)
    if all(counts["holds"] == total for counts in tally.values()):
        return f"Over {total} draws all four hold in every one."
    return f"Over {total} draws {', '.join(parts)}."
