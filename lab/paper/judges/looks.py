"""One rule for "A is better than B" when it is looked at in several ways.

A look is one way to compare (an m of Fig. 2(d); a fold protocol of a row of Table 1), and in each
there are one or more rivals. All p values of a claim's looks are corrected together by Holm's
method, so that many looks do not make a winner. Then, with a looks in which every rival is
surpassed beyond chance and b in which some rival is beyond chance ahead, of k looks:

    holds                    a = k
    holds with a condition   a ≥ k/2
    does not hold here       else, if b > 0 and b ≥ a
    within chance            else
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lab.estimates import Estimate, holm
from lab.paper.evidence import Bar, Evidence
from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, UNDECIDED

RULE = (
    "Ahead or behind means beyond chance: paired differences, all looks and rivals of the claim "
    "corrected together (Holm, 5 %). It holds if every rival is surpassed in every look, with a "
    "condition if in half of them; it does not hold if rivals are ahead in as many; else it is "
    "within chance."
)


@dataclass(frozen=True)
class Looks:
    """Differences to rivals by look, and which of them are beyond chance."""

    differences: Mapping[str, Mapping[str, Estimate]]
    sure: Mapping[str, Mapping[str, bool]]

    @classmethod
    def of(cls, differences: Mapping[str, Mapping[str, Estimate]]) -> Looks:
        pairs = [(look, rival) for look, row in differences.items() for rival in row]
        found = holm([differences[look][rival].p for look, rival in pairs])
        sure: dict[str, dict[str, bool]] = {look: {} for look in differences}
        for (look, rival), flag in zip(pairs, found, strict=True):
            sure[look][rival] = flag
        return cls(differences, sure)

    @property
    def ahead(self) -> list[str]:
        """The looks in which every rival is surpassed beyond chance."""
        return [
            look
            for look, row in self.differences.items()
            if all(d.mean > 0.0 and self.sure[look][rival] for rival, d in row.items())
        ]

    @property
    def behind(self) -> list[str]:
        """The looks in which some rival is ahead beyond chance."""
        return [
            look
            for look, row in self.differences.items()
            if any(d.mean < 0.0 and self.sure[look][rival] for rival, d in row.items())
        ]

    @property
    def verdict(self) -> str:
        ahead, behind, count = len(self.ahead), len(self.behind), len(self.differences)
        if ahead == count:
            return HOLDS
        if 2 * ahead >= count:
            return CONDITION
        return FAILS if behind and behind >= ahead else UNDECIDED

    def evidence(self, axis: str, names: Mapping[str, str]) -> Evidence:
        """The differences in points, a bar per look and rival."""
        several = len({rival for row in self.differences.values() for rival in row}) > 1
        bars = [
            Bar(
                f"{look}, {names[rival]}" if several else look,
                100 * difference.mean,
                100 * difference.low,
                100 * difference.high,
                self.sure[look][rival],
            )
            for look, row in self.differences.items()
            for rival, difference in row.items()
        ]
        return Evidence(axis, tuple(bars), 0.0, "no difference")
