"""All that is known of a sweep at one moment, from which a screen has everything it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lab.accuracy import words
from lab.accuracy.settings import LEAD
from lab.accuracy.specs import RealSpec, Spec, Trial
from lab.accuracy.summary import Cell, compared, looks_of, summarise
from lab.results import latest, when_made, where_made
from lab.words import counted


@dataclass(frozen=True, eq=False)
class Found:
    """A sweep with its results, of which some may have come with the app (`shipped`).

    `majority` is the share of the largest class, None where it is not known; `other` the same sweep
    with the other kind of noise, `by_hand` one over the strength β, if all of them is known.
    `run_here`: somebody started it on this server.
    """

    spec: Spec
    results: Mapping[Trial, dict]
    shipped: Mapping[Trial, dict] = field(default_factory=dict)
    majority: float | None = None
    other: Found | None = None
    by_hand: Found | None = None
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
        """In short, as it opens the page."""
        return words.brief(*self._told, _beside(self.other))

    @cached_property
    def in_full(self) -> str:
        """The answer with its numbers and how they were come by; "" where it is no longer."""
        full = words.answer(*self._told, _beside(self.other), _beside(self.by_hand))
        return "" if full == self.answer else full

    @property
    def _told(self) -> tuple:
        return self.spec, self.cells, self.done, self.majority

    def notes(self, show: str) -> str:
        """The answer in full, where the results come from, and how to read the figure."""
        said = [self._origin, self.done.in_words]
        if show == LEAD and words.several_draws(compared(self.cells)):
            looks = looks_of(self.spec, self.cells, self.majority)
            counted = "" if looks.looks == 1 else f" for {looks}"
            dotted = not isinstance(self.spec, RealSpec) and "esvm_r" in self.spec.methods
            other = ", between dotted lines that of E-SVM(R)" if dotted else ""
            said.append(
                f"shaded: within chance (5 %, Holm's correction{counted}){other}; filled: beyond it"
            )
        said.append(words.certificate_words(self.cells))
        notes = "; ".join(part for part in said if part) + "."
        return f"{self.in_full} {notes}".strip()

    @property
    def made(self) -> Mapping[str, Any]:
        """Who made the latest of the results."""
        return latest([row.get("made") or {} for row in self.results.values()])

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


def _beside(found: Found | None) -> tuple[Spec, list[Cell]] | None:
    return None if found is None else (found.spec, found.cells)
