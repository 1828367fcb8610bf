"""One analysis: a table under a spec, what is known about it so far, and what follows from that.

A case is frozen; its steps are computed when first asked for and kept. Whoever draws a tab takes
the case and nothing else, so that all on one screen speaks of the same settings and results.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from lab.own_table import results
from lab.own_table.constraints import covariate_names, covariates
from lab.own_table.contenders import CONTENDERS, LABELS
from lab.own_table.decisions import Calibration, calibrate
from lab.own_table.fits import Outcome, compared_keys, is_complete, own_key, own_outcomes
from lab.own_table.groupings import Grouping, Groupings, apart, group_features
from lab.own_table.samples import Sample
from lab.own_table.setup import Prepared
from lab.own_table.spec import TableSpec
from lab.own_table.splits import folds
from lab.own_table.stability import Stability
from lab.own_table.standings import Decision, Tally, decide, standings
from lab.own_table.verdict import Verdict, judge
from lab.tables import Table

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Case:
    """`outcomes` are the fits that are done, of ours and of rivals; `chance` the scores of shuffled
    labels, None while unknown; `stability` that of the selection over half-samples."""

    name: str
    table: Table
    spec: TableSpec
    prepared: Prepared
    groupings: Groupings
    sample: Sample | None = None
    outcomes: tuple[Outcome, ...] = ()
    chance: np.ndarray | None = None
    stability: Stability | None = None

    def knowing(self, **found) -> Case:
        return replace(self, **found)

    @cached_property
    def _made(self) -> dict[Hashable, Any]:
        return {}

    def once(self, name: Hashable, make: Callable[[], Made]) -> Made:
        """What is drawn or written of the case, made when first asked for under that name."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    @property
    def table_key(self) -> tuple[str, str]:
        return self.table.digest, repr(self.table.options)

    @property
    def key(self) -> tuple:
        """What the analysis is, for whatever is remembered about it."""
        return self.table_key, self.spec.digest

    @property
    def own(self) -> str:
        return own_key(self.spec)

    @property
    def label(self) -> str:
        return LABELS[self.own]

    @property
    def keys(self) -> tuple[str, ...]:
        return compared_keys(self.spec)

    @property
    def grouped(self) -> Grouping:
        return self.groupings.of(self.own)

    @property
    def is_classes(self) -> bool:
        return self.spec.target == "classes"

    @cached_property
    def metric(self) -> str:
        return self.prepared.judged_by(self.spec)

    @cached_property
    def fitted(self) -> bool:
        """Whether our own model is there, on all rows and in every fold."""
        return is_complete(self.outcomes, self.spec)

    @cached_property
    def begun(self) -> bool:
        """Whether there is something to show: our model on all rows, with or without its folds."""
        return any(each.key == self.own and each.fold is None for each in self.outcomes)

    @cached_property
    def _own_outcomes(self) -> tuple[Outcome, list[Outcome]]:
        return own_outcomes(self.outcomes, self.spec)

    @property
    def final(self) -> Outcome:
        return self._own_outcomes[0]

    @property
    def folds(self) -> list[Outcome]:
        return self._own_outcomes[1]

    @cached_property
    def found(self) -> results.Features:
        held = covariates(self.prepared, self.spec)
        found = results.features(self.prepared, self.grouped, self.final, self.folds, held)
        return replace(found, wanted=self.spec.n_folds)

    @cached_property
    def held(self) -> results.HeldOut:
        return results.held_out(self.prepared, self.folds)

    @cached_property
    def calibration(self) -> Calibration | None:
        """Chances from held-out scores, for two classes; logistic has chances of its own."""
        if len(self.prepared.classes) != 2:
            return None
        if self.spec.method == "logistic" and self.spec.class_weight == "none":
            return Calibration(1.0, 0.0)
        return calibrate(self.held.decision, self.held.true == 1)

    @cached_property
    def standings(self) -> list[Tally]:
        return standings(self.outcomes, self.spec, self.prepared)

    def decision(self, metric: str) -> Decision | None:
        made = (self.standings, self.outcomes, self.spec, metric)
        return self.once(("decision", metric), lambda: decide(*made))

    @cached_property
    def verdict(self) -> Verdict:
        alone = next((row for row in self.standings if row.key == "covariates"), None)
        beside = None
        if alone is not None:
            beside = (alone.scores[self.metric], alone.behind[self.metric])
        score = self.standings[0].scores[self.metric]
        return judge(
            *(self.prepared, self.metric, score, self.found, self.folds, self.chance), beside
        )

    @cached_property
    def covariate_names(self) -> tuple[str, ...]:
        return covariate_names(self.prepared, self.spec)


def make_groupings(prepared: Prepared, spec: TableSpec) -> Groupings:
    """The groups of the spec, and random ones for E-SVM(R) where it is compared beside them."""
    held = covariates(prepared, spec)
    own = random = apart(group_features(prepared, spec), held)
    if spec.grouping != "random":
        drawn = replace(spec, grouping="random", n_groups=None)
        random = apart(group_features(prepared, drawn), held)
    in_folds: tuple[Grouping, ...] = ()
    if spec.grouping == "correlation":
        in_folds = tuple(
            apart(group_features(prepared, spec, train), held) for train, _ in folds(prepared, spec)
        )
    return Groupings(own, random, in_folds)


def identity(spec: TableSpec, key: str) -> str:
    """What a contender's fits depend on: equal for two specs that differ only in what others use.

    So rivals are kept when our strengths change, and ours when another of our models is chosen.
    """
    parts = [key, spec.folds_digest]
    if CONTENDERS[key].grouped:
        if key == "esvm_r" and spec.grouping != "random":
            parts.append(f"random {spec.seed}")
        else:
            parts.append(spec.grouping_digest)
    if (CONTENDERS[key].role == "ours" or key == "covariates") and spec.is_constrained:
        parts.append(spec.constraints_digest)
    if key == "covariates":
        parts.append(spec.method)
    if key == own_key(spec) and spec.tuning == "hand":
        parts.append(f"{spec.alpha!r} {spec.beta!r} {spec.lam!r}")
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def chance_identity(spec: TableSpec) -> str:
    """What shuffled labels depend on; strengths by hand do not enter, see `chance`."""
    return identity(replace(spec, tuning="auto"), own_key(spec))
