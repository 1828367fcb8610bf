"""The paper's Figure 1: the same data fitted in four norms, along certified paths in λ.

A `PatternSpec` says which data; `solve_paths` fits all four norms on a grid of λ once, and what is
shown for one λ is a look-up. λ is counted in each norm's own scale, so that one number means
something for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from lab import datasets
from lab.loading import one_at_a_time
from lab.shrinkage import Pattern, group_title
from lab.theme import NORM_LABELS
from solvers import Groups, lasso_path

# Figure 1's order; the names on the right are those of `solvers.baselines`.
FITTED_AS: Mapping[str, str] = MappingProxyType(
    {"l2": "ridge", "l1": "lasso", "l21": "group", "le": "exclusive"}
)
# `largest_useful_lam` is 100 times the scale for the two squared norms, which never reach w = 0.
SQUARED = ("l2", "le")
TOLERANCE = 1e-6
TEST_SAMPLES = 500

# Eight steps a decade, as texts, so that a typed address means the same as the slider's own.
SHARES = tuple(f"{10 ** (1 - k / 8):.2g}" for k in range(24, -1, -1))
DEFAULT_SHARE = "1"

# What an iterative method leaves below this share of the largest weight is not there.
SMALLEST_WEIGHT = 1e-6


@dataclass(frozen=True)
class PatternSpec:
    """y = Xw* + noise with k true features in a group, in the words of the page's controls

    Rows of X are normal, neighbouring features have correlation ρ. `together` puts neighbours into
    one group, otherwise they lie in different groups. `noise` is its standard deviation as a share
    of the signal's; `active_percent` of the groups hold true features. With `overlap` each group
    also holds that many first features of the next group (the last group of the first).
    """

    n_groups: int = 10
    group_size: int = 12
    nonzeros_per_group: int = 1
    active_percent: int = 100
    n_samples: int = 80
    noise: float = 0.5
    rho: float = 0.0
    together: bool = True
    overlap: int = 0
    seed: int = 0

    def problem(self) -> str | None:
        """Why these settings make no data, and what to change; None if they do."""
        if self.nonzeros_per_group > self.group_size:
            return (
                f"A group of {self.group_size} features cannot hold {self.nonzeros_per_group} true "
                "ones: raise the group size or lower the true features per group."
            )
        if self.overlap >= self.group_size:
            return (
                f"Groups of {self.group_size} cannot share {self.overlap} features with the next "
                "group: raise the group size or lower the overlap."
            )
        return None

    @property
    def n_features(self) -> int:
        return self.n_groups * self.group_size

    @property
    def n_active(self) -> int:
        """How many groups hold true features: at least one."""
        return max(1, round(self.active_percent * self.n_groups / 100))

    def base(self) -> datasets.CorrelatedSpec:
        """The design, drawn with the rows that are kept for testing."""
        return datasets.CorrelatedSpec(
            n_samples=self.n_samples + TEST_SAMPLES,
            n_features=self.n_features,
            n_groups=self.n_groups,
            nonzeros_per_group=self.nonzeros_per_group,
            rho=self.rho,
            grouping="contiguous" if self.together else "interleaved",
            snr=1.0 / self.noise**2 if self.noise > 0 else np.inf,
            seed=self.seed,
        )


@dataclass(frozen=True, eq=False)
class PatternData:
    """Training and test rows of one draw.

    `cells` has a row of features per group: its own, then those it shares with the next group.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    groups: Groups
    cells: np.ndarray
    true_weights: np.ndarray


def make_data(spec: PatternSpec) -> PatternData:
    """The data of a spec; the same spec gives the same numbers."""
    reason = spec.problem()
    if reason:
        raise ValueError(reason)
    drawn = datasets.load(spec.base())
    partition, w, y = drawn.groups, drawn.true_weights, drawn.y
    if spec.n_active < spec.n_groups:
        chosen = np.random.default_rng(spec.seed).permutation(spec.n_groups)[: spec.n_active]
        fewer = np.where(np.isin(partition.labels, chosen), w, 0.0)
        before, after = drawn.X @ w, drawn.X @ fewer
        # The noise shrinks with the signal, so that the control means the same.
        y, w = after + (y - before) * (np.std(after) / np.std(before)), fewer
    own = np.array(partition.lists())
    cells = np.hstack([own, np.roll(own, -1, axis=0)[:, : spec.overlap]])
    groups = Groups.from_lists(cells.tolist(), spec.n_features) if spec.overlap else partition
    N = spec.n_samples
    return PatternData(drawn.X[:N], y[:N], drawn.X[N:], y[N:], groups, cells, w)


@dataclass(frozen=True, eq=False)
class NormPath:
    """One norm's fits, from the smallest share of its own λ scale to the largest.

    `errors` are squared errors on test rows as a share of those of w = 0; `losses` ½‖Xw − y‖².
    """

    norm: str
    shares: np.ndarray
    lams: np.ndarray
    coefs: np.ndarray
    gaps: np.ndarray
    nonzeros: np.ndarray
    f1: np.ndarray
    errors: np.ndarray
    losses: np.ndarray

    def index(self, share: float) -> int:
        """The grid point of a share."""
        return int(np.argmin(np.abs(np.log(self.shares / share))))


@dataclass(frozen=True, eq=False)
class Paths:
    """All four norms on the same data. `oracle_error` is the test error of the true weights."""

    spec: PatternSpec
    groups: Groups
    cells: np.ndarray
    true_weights: np.ndarray
    oracle_error: float
    by_norm: Mapping[str, NormPath]

    @cached_property
    def support(self) -> np.ndarray:
        return self.true_weights != 0.0

    @cached_property
    def support_grid(self) -> np.ndarray:
        return self.support[self.cells]

    @cached_property
    def owners(self) -> np.ndarray:
        """The group of each feature; of a shared one, the group that shares it."""
        owners = np.empty(self.true_weights.size, dtype=int)
        own = self.cells[:, : self.spec.group_size]
        owners[own] = np.arange(self.groups.n_groups)[:, None]
        return owners


def shares_grid(norm: str) -> np.ndarray:
    """The slider's shares and points between, for finer matching; ℓ2,1 fills up within a decade."""
    stops = np.array([float(text) for text in SHARES])
    between = [np.sqrt(stops[1:] * stops[:-1])]
    if norm == "l21":
        between.append(np.geomspace(0.35, 0.99, 24))
    return np.unique(np.concatenate([stops, *between]))


def own_scale(norm: str, X, y, groups: Groups) -> float:
    """The λ that counts as 1: where ℓ1 and ℓ2,1 reach w = 0, where ℓ2 and ℓe shrink by about half

    For ℓ2 that is ‖X‖₂², along the strongest direction; for ℓe λ₀ = ‖Xu‖²/‖u‖_e², u holding each
    group's largest correlation with y.
    """
    with one_at_a_time:
        from solvers.baselines import largest_useful_lam  # loads scikit-learn, which takes a while

    largest = largest_useful_lam(FITTED_AS[norm], X, y, groups)
    return largest / 100.0 if norm in SQUARED else largest


@dataclass(frozen=True, eq=False)
class Fits:
    """What a solver says of one norm: a row of weights and a relative gap for each λ."""

    lams: np.ndarray
    coefs: np.ndarray
    gaps: np.ndarray


def solve_paths(spec: PatternSpec) -> Paths:
    """Certified fits in all four norms, for every share of its `shares_grid`."""
    data = make_data(spec)
    return measured_paths(spec, data, {norm: _fits(norm, data) for norm in FITTED_AS})


def measured_paths(spec: PatternSpec, data: PatternData, fits: Mapping[str, Fits]) -> Paths:
    """The fits of a spec with their nonzeros, support F1 and errors."""
    w = data.true_weights
    power = float(data.y_test @ data.y_test)
    by_norm = {norm: _measured(norm, data, power, found) for norm, found in fits.items()}
    missed = data.X_test @ w - data.y_test
    error = float(missed @ missed) / power
    return Paths(spec, data.groups, data.cells, w, error, by_norm)


def _fits(norm: str, data: PatternData) -> Fits:
    lams = own_scale(norm, data.X, data.y, data.groups) * shares_grid(norm)
    if norm == "le":
        path = lasso_path(data.X, data.y, data.groups, lams, tol=TOLERANCE)
        return Fits(lams, path.coefs, path.gaps)
    return Fits(lams, *_warm_started(norm, data, lams))


def _measured(norm: str, data: PatternData, power: float, fits: Fits) -> NormPath:
    coefs = fits.coefs
    magnitudes = np.abs(coefs)
    seen = magnitudes > SMALLEST_WEIGHT * magnitudes.max(axis=1, keepdims=True)
    coefs = np.where(seen, coefs, 0.0)
    truth = data.true_weights != 0.0
    nonzeros = seen.sum(axis=1)
    train = coefs @ data.X.T - data.y
    test = coefs @ data.X_test.T - data.y_test
    return NormPath(
        norm,
        shares_grid(norm),
        fits.lams,
        coefs,
        fits.gaps,
        nonzeros,
        f1=2.0 * (seen & truth).sum(axis=1) / (nonzeros + truth.sum()),
        errors=np.sum(test * test, axis=1) / power,
        losses=0.5 * np.sum(train * train, axis=1),
    )


def _warm_started(norm, data, lams):
    """From the largest λ down, each fit starting the next."""
    with one_at_a_time:
        from solvers.baselines import fit_norm

    coefs, gaps = np.empty((lams.size, data.X.shape[1])), np.empty(lams.size)
    w = None
    for k in range(lams.size - 1, -1, -1):
        fit = fit_norm(FITTED_AS[norm], data.X, data.y, data.groups, lams[k], tol=TOLERANCE, w0=w)
        w = coefs[k] = fit.w
        gaps[k] = fit.gap
    return coefs, gaps


# -- what is shown for one λ -----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Shown:
    """One norm's fit as a panel of Figure 1 shows it."""

    norm: str
    share: float
    lam: float
    pattern: Pattern
    grid: np.ndarray
    gap: float
    f1: float
    error: float

    @property
    def label(self) -> str:
        return NORM_LABELS[self.norm]

    @property
    def title(self) -> str:
        return group_title(self.label, self.pattern)

    @property
    def short_title(self) -> str:
        """The title where there is little room."""
        kept, alive = self.pattern.nonzeros, self.pattern.n_alive
        return (
            f"{self.label}: {kept} weight{'' if kept == 1 else 's'}, "
            f"{alive} group{'' if alive == 1 else 's'}"
        )

    @cached_property
    def counts(self) -> np.ndarray:
        """Nonzeros of each group."""
        return self.pattern.groups.sum((self.pattern.weights != 0.0).astype(float)).astype(int)

    @property
    def numbers(self) -> str:
        """F1 and test error in words."""
        return f"support F1 {self.f1:.2f}, test error {self.error:.0%}"


def look_up(paths: Paths, share: float, matched: bool) -> dict[str, Shown]:
    """The four fits at one share of each norm's scale, or at as many nonzeros as ℓe has there

    Matched means nearest on the path, the strongest penalty first: ℓ2,1 moves by whole groups. ℓ2
    has no zeros to count, so its training loss is matched instead.
    """
    shown = {}
    leader = paths.by_norm["le"]
    k = leader.index(share)
    for norm, path in paths.by_norm.items():
        at = path.index(share)
        if matched and norm == "l2":
            at = _nearest(path.losses, leader.losses[k])
        elif matched and norm != "le":
            # w = 0 is no pattern to compare, however near its count may be.
            counts = np.where(path.nonzeros > 0, path.nonzeros, -np.inf)
            at = _nearest(counts, leader.nonzeros[k])
        shown[norm] = _shown(paths, path, at)
    return shown


def along(paths: Paths, matched: bool) -> dict[str, dict[str, Shown]]:
    """What `look_up` shows at every stop of the slider."""
    return {share: look_up(paths, float(share), matched) for share in SHARES}


def best_by_error(paths: Paths) -> dict[str, Shown]:
    """Each norm at the λ of its lowest test error, the strongest penalty of equals."""
    return {
        norm: _shown(paths, path, _nearest(path.errors, path.errors.min()))
        for norm, path in paths.by_norm.items()
    }


def _nearest(values, wanted) -> int:
    distance = np.abs(values - wanted)
    return int(np.flatnonzero(distance == distance.min())[-1])


def _shown(paths, path, at) -> Shown:
    return Shown(
        path.norm,
        float(path.shares[at]),
        float(path.lams[at]),
        Pattern(path.coefs[at], paths.groups),
        path.coefs[at][paths.cells],
        float(path.gaps[at]),
        float(path.f1[at]),
        float(path.errors[at]),
    )


# -- findings in words -----------------------------------------------------------------------


def answer(shown: Mapping[str, Shown], matched: bool) -> str:
    """What the four norms kept, in one sentence, true for any four fits."""
    le, n = shown["le"].pattern, shown["le"].pattern.weights.size
    m = le.groups.n_groups
    opening = "At equal sparsity" if matched else "At the same share of its own λ scale each"
    first = f"{opening}, ℓe keeps {le.nonzeros} of {n} weights {_spread(le, m)}"
    others = "; ".join(
        f"{shown[norm].label} keeps {_count(shown[norm].pattern)} {_spread(shown[norm].pattern, m)}"
        for norm in ("l1", "l21", "l2")
    )
    return f"{first}; {others}."


def _count(pattern: Pattern) -> str:
    return (
        f"all {pattern.weights.size}"
        if pattern.nonzeros == pattern.weights.size
        else str(pattern.nonzeros)
    )


def _spread(pattern: Pattern, m: int) -> str:
    if pattern.n_empty == 0:
        return f"in all {m} groups"
    if pattern.n_alive == 0:
        return "and empties every group"
    return f"and empties {pattern.n_empty} of {m} groups"


def support_finding(shown: Mapping[str, Shown], paths: Paths) -> str:
    """Which norm finds the true features best here, and which predicts best."""
    found = max(shown.values(), key=lambda fit: fit.f1)
    predicts = min(shown.values(), key=lambda fit: fit.error)
    best = best_by_error(paths)
    winner = min(best.values(), key=lambda fit: fit.error)
    return (
        f"**Truth.** {int(paths.support.sum())} true features, outlined. Here {found.label} finds "
        f"them best (F1 {found.f1:.2f}) and {predicts.label} predicts best (test error "
        f"{predicts.error:.0%}; the true weights themselves: {paths.oracle_error:.0%}). With every "
        f"norm at its own best λ the lowest test error is that of {winner.label}: "
        + ", ".join(f"{fit.label} {fit.error:.0%}" for fit in best.values())
        + "."
    )


def reading(spec: PatternSpec) -> str:
    """How to read a panel."""
    text = (
        "A row is a group, a tile a weight: blue positive, orange negative, stronger where larger. "
        "Outlined tiles are true features; the number at a row's end counts its nonzeros."
    )
    if spec.overlap:
        text += f" Right of the dotted line: the {spec.overlap} features shared with the next row."
    return text


def match_finding(shown: Mapping[str, Shown]) -> str:
    """How near the match came."""
    wanted = shown["le"].pattern.nonzeros
    parts = [
        f"{shown[norm].label} {shown[norm].pattern.nonzeros} (λ at {shown[norm].share:.2g})"
        for norm in ("l1", "l21")
    ]
    return (
        f"ℓe leads with {wanted} nonzeros; nearest on the other paths: {', '.join(parts)}. ℓ2,1 "
        "can only move by whole groups, and ℓ2 has no zeros, so it is given ℓe's training loss "
        f"instead (λ at {shown['l2'].share:.2g})."
    )


def data_in_words(spec: PatternSpec) -> str:
    """The data of a spec, for captions."""
    held = "every group" if spec.n_active == spec.n_groups else f"{spec.n_active} groups"
    words = (
        f"{spec.n_samples} samples, {spec.n_groups} groups of {spec.group_size}, "
        f"{spec.nonzeros_per_group} true in {held}, noise {spec.noise:g} of the signal"
    )
    if spec.rho:
        where = "in one group" if spec.together else "in different groups"
        words += f", neighbours {where} correlated {spec.rho:g}"
    if spec.overlap:
        words += f", {spec.overlap} features shared with the next group"
    return words


def table(shown: Mapping[str, Shown], paths: Paths) -> dict[str, np.ndarray]:
    """One row per feature: its group, its true weight and what each norm gave it."""
    return {
        "feature": np.arange(1, paths.true_weights.size + 1),
        "group": paths.owners + 1,
        "true": paths.true_weights,
        **{norm: fit.pattern.weights for norm, fit in shown.items()},
    }


def path_table(path: NormPath) -> dict[str, np.ndarray]:
    """One row per λ of a path: its numbers and all weights."""
    return {
        "share": path.shares,
        "lambda": path.lams,
        "gap": path.gaps,
        "nonzeros": path.nonzeros,
        "f1": path.f1,
        "test_error": path.errors,
        **{f"w{i + 1}": column for i, column in enumerate(path.coefs.T)},
    }


def numbers_table(shown: Mapping[str, Shown]) -> dict[str, list[str]]:
    """The numbers of the four fits, a column per norm."""
    return {
        "numbers": [
            "λ, share of own scale",
            "λ",
            "nonzeros",
            "groups used",
            "nonzeros per group",
            "support F1",
            "test error",
            "relative gap, certified",
        ],
        **{
            fit.label: [
                f"{fit.share:.2g}",
                f"{fit.lam:.3g}",
                f"{fit.pattern.nonzeros}",
                f"{fit.pattern.n_alive}",
                f"{fit.counts.min()}–{fit.counts.max()}",
                f"{fit.f1:.2f}",
                f"{fit.error:.0%}",
                f"{fit.gap:.0e}" if fit.gap >= 1e-15 else "< 1e-15",
            ]
            for fit in shown.values()
        },
    }


def numbers_in_markdown(shown: Mapping[str, Shown]) -> str:
    """The table as one text: a browser takes far longer to draw a table cell by cell."""
    columns = numbers_table(shown)
    lines = [columns, ["---"] * len(columns), *zip(*columns.values(), strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def entry_order(path: NormPath, owners: np.ndarray) -> list[int]:
    """The groups in the order in which their first weight appears as λ falls."""
    alive = np.array(
        [path.coefs[:, owners == group].any(axis=1) for group in range(owners.max() + 1)]
    )
    # The largest share at which a group is alive; a group that never is comes last.
    reach = np.where(alive.any(axis=1), alive.shape[1] - np.argmax(alive[:, ::-1], axis=1), 0)
    return np.argsort(-reach, kind="stable").tolist()


def path_answer(paths: Paths, fit: Shown) -> str:
    """The path and where we stand on it, in one sentence."""
    path = paths.by_norm[fit.norm]
    low, high = int(path.nonzeros.min()), int(path.nonzeros.max())
    kept = fit.pattern
    return (
        f"As λ falls along its path, {fit.label} goes from {path.nonzeros[-1]} to "
        f"{path.nonzeros[0]} of {kept.weights.size} weights"
        + (f" (between {low} and {high})" if (low, high) != _ends(path) else "")
        + f"; at {fit.share:.2g} of its own scale it keeps {kept.nonzeros} "
        + _spread(kept, kept.groups.n_groups)
        + "."
    )


def _ends(path: NormPath) -> tuple[int, int]:
    first, last = int(path.nonzeros[0]), int(path.nonzeros[-1])
    return min(first, last), max(first, last)


def path_title(paths: Paths, fit: Shown) -> str:
    """How true and false features come in along the path, for the chart."""
    kept = fit.pattern.weights != 0.0
    right = int((kept & paths.support).sum())
    return (
        f"{fit.label} at {fit.share:.2g}: {right} of {int(paths.support.sum())} true features "
        f"kept, and {int(kept.sum()) - right} others"
    )


def path_prose(paths: Paths, fit: Shown) -> str:
    """The numbers beside the path."""
    path = paths.by_norm[fit.norm]
    everywhere = np.array(
        [np.unique(paths.owners[row != 0.0]).size == paths.groups.n_groups for row in path.coefs]
    )
    order = ", ".join(str(group + 1) for group in entry_order(path, paths.owners)[:3])
    first = f"; as λ falls, the first to speak are {order}"
    if everywhere.all():
        reach = "At every λ of the path each group has a say."
    elif everywhere.any():
        reach = (
            "Every group has a say up to λ at "
            f"{path.shares[np.flatnonzero(everywhere)[-1]]:.2g} of the scale{first}."
        )
    else:
        reach = f"At no λ of the path does every group have a say{first}."
    best_f1, best_error = int(np.argmax(path.f1)), int(np.argmin(path.errors))
    return (
        f"{reach} Best support F1 {path.f1[best_f1]:.2f} at {path.shares[best_f1]:.2g} with "
        f"{path.nonzeros[best_f1]} weights; lowest test error {path.errors[best_error]:.0%} at "
        f"{path.shares[best_error]:.2g} with {path.nonzeros[best_error]}."
    )


def f1_title(paths: Paths) -> str:
    best = {norm: path.f1.max() for norm, path in paths.by_norm.items()}
    winner = max(best, key=best.get)
    return f"Best support F1: {NORM_LABELS[winner]} {best[winner]:.2f}" + _runners(
        best, winner, ".2f"
    )


def error_title(paths: Paths) -> str:
    best = {norm: path.errors.min() for norm, path in paths.by_norm.items()}
    winner = min(best, key=best.get)
    return f"Lowest test error: {NORM_LABELS[winner]} {best[winner]:.0%}" + _runners(
        best, winner, ".0%"
    )


def _runners(best, winner, form) -> str:
    rest = [f"{NORM_LABELS[norm]} {format(best[norm], form)}" for norm in best if norm != winner]
    return f" ({', '.join(rest)})"
