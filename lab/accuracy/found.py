"""All that is known of a sweep at one moment, from which a screen has everything it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lab.accuracy import words
from lab.accuracy.settings import LEAD
from lab.accuracy.specs import RealSpec, Spec, Trial
from lab.accuracy.summary import Cell, compared, looks_of, summarise
from lab.results import when_made, where_made
from lab.words import counted


@dataclass(frozen=True, eq=False)
class Found:
    """A sweep with its results, of which some may have come with the app (`shipped`).

    `majority` is the share of the largest class, None where it is not known; `other` the same sweep
    with the other kind of noise, if all of that is known. `run_here`: somebody started it on this
    server.
    """

    spec: Spec
    results: Mapping[Trial, dict]
    shipped: Mapping[Trial, dict] = field(default_factory=dict)
    majority: float | None = None
    other: Found | None = None
    run_here: bool = False

    @cached_property
    def cells(self) -> list[Cell]:
        return summarise(self.spec, self.results)

    @cached_property
    def done(self) -> words.Done:
        return words.Done(len(self.results), len(self.spec.trials()))

    @property
    def complete(self) -> bool:
        return self.done.trials == self.done.of

    @cached_property
    def answer(self) -> str:
        other = None if self.other is None else (self.other.spec, self.other.cells)
        return words.answer(self.spec, self.cells, self.done, self.majority, other)

    def notes(self, show: str) -> str:
        """Where the results come from, how many there are, and how to read the figure."""
        said = [self._origin, f"{self.done} trials"]
        if show == LEAD and any(np.isfinite(cell.lead.half) for cell in compared(self.cells)):
            looks = looks_of(self.spec, self.cells)
            counted = "" if looks == 1 else f", {looks} looks counted (Bonferroni)"
            dotted = not isinstance(self.spec, RealSpec) and "esvm_r" in self.spec.methods
            other = ", between dotted lines that of E-SVM(R)" if dotted else ""
            said.append(f"shaded: no difference, 95 %{counted}{other}; filled: beyond it")
        said.append(words.certificate_words(self.cells))
        return "; ".join(part for part in said if part) + "."

    @property
    def _origin(self) -> str:
        if not self.shipped:
            return ""
        machine = where_made(self.shipped)
        day = (when_made(self.shipped) or "an earlier day") + (f" on {machine}" if machine else "")
        if len(self.shipped) == len(self.results):
            return f"Run on {day} and shipped with the app"
        were = counted(len(self.shipped), "trial was", "trials were")
        return f"{were} run on {day} and shipped with the app"
