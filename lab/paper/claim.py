"""A claim: a sentence of the paper, how it is judged, and where it can be run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lab.paper import measured
from lab.paper.judges.verdicts import Judge, Judgement, unanswerable
from lab.paper.links import Link
from lab.paper.measured import Results
from lab.words import sentence

TOPICS = (
    "Norm patterns",
    "Rates",
    "Formulations",
    "Projections",
    "Speed",
    "Grouping",
    "Proofs",
    "Synthetic data",
    "Real data",
    "Overall",
)

nothing = unanswerable("It is judged by the claims that it sums up.")


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper: `quote` in its own words, `title` in ours, short.

    `needs` is the result file it is judged by, "" for none, and `check` the part of it that a
    command can make alone, perhaps on a day of its own. One that only sums up others names them in
    `rests_on`. `link` gives the page and the settings that were measured, from the results.
    """

    key: str
    topic: str
    title: str
    quote: str
    where: str
    needs: str = ""
    judge: Judge = field(default=nothing, repr=False)
    link: Callable[[Results], Link | None] | None = field(default=None, repr=False)
    rests_on: tuple[str, ...] = ()
    check: str = ""

    @property
    def command(self) -> str:
        whole = measured.COMMANDS.get(self.needs, "")
        return f"{whole} --only {self.check}" if self.check else whole

    def linked(self, results: Results) -> Link | None:
        return None if self.link is None else self.link(results)


@dataclass(frozen=True)
class Row:
    """A claim with its judgement."""

    claim: Claim
    judgement: Judgement

    @property
    def verdict(self) -> str:
        return self.judgement.verdict

    @property
    def measured(self) -> str:
        return self.judgement.measured

    @property
    def sentence(self) -> str:
        """What was measured, to be read on its own."""
        return sentence(self.measured)

    @property
    def why(self) -> str:
        return self.judgement.why
