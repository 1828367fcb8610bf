"""The checkable sentences of the paper, each beside what this software measured.

A claim quotes the paper, says where, and is judged by a function of the committed results: no
number that we measured is typed here. Where a result file is missing, the verdict is "not yet
measured", and the command that measures it is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from lab.paper.catalogue import CLAIMS
from lab.paper.claim import TOPICS, Claim, Row
from lab.paper.judges.verdicts import (
    CONDITION,
    DECIDED,
    FAILS,
    HOLDS,
    PENDING,
    UNCHECKABLE,
    UNDECIDED,
    VERDICTS,
    Judgement,
    resting_on,
)
from lab.paper.measured import Results
from lab.words import listed

__all__ = [
    "BY_KEY",
    "CLAIMS",
    "CONDITION",
    "DECIDED",
    "FAILS",
    "HOLDS",
    "PENDING",
    "TOPICS",
    "UNCHECKABLE",
    "UNDECIDED",
    "VERDICTS",
    "Claim",
    "Row",
    "answer",
    "counts",
    "judged",
    "table",
]

BY_KEY: Mapping[str, Claim] = MappingProxyType({claim.key: claim for claim in CLAIMS})


def judged(results: Results) -> list[Row]:
    """Every claim, judged by the results there are; those that sum up others after them."""
    own = {claim.key: _judge(claim, results) for claim in CLAIMS if not claim.rests_on}
    titles = {claim.key: claim.title for claim in CLAIMS}
    rows = []
    for claim in CLAIMS:
        found = own.get(claim.key)
        if found is None:
            found = resting_on({key: own[key].verdict for key in claim.rests_on}, titles)
        rows.append(Row(claim, found))
    return rows


def _judge(claim: Claim, results: Results) -> Judgement:
    content = getattr(results, claim.needs) if claim.needs else None
    if claim.needs and content is None:
        why = f"Run `{claim.command}`."
        return Judgement(PENDING, "nothing yet", why, "None so far.", "The measurement.")
    return claim.judge(content)


def counts(rows: Iterable[Row]) -> dict[str, int]:
    """How many rows have each verdict, in the order of `VERDICTS`."""
    found = Counter(row.verdict for row in rows)
    return {verdict: found.get(verdict, 0) for verdict in VERDICTS}


# How a verdict is said of one claim and of several.
_SPOKEN = MappingProxyType(
    {
        HOLDS: ("holds", "hold"),
        CONDITION: ("holds with a condition", "hold with a condition"),
        FAILS: ("does not hold here", "do not hold here"),
        UNDECIDED: ("is within chance", "are within chance"),
        PENDING: ("is not yet measured", "are not yet measured"),
    }
)


def answer(rows: Sequence[Row]) -> str:
    """The page's one sentence."""
    number = counts(rows)
    checkable = len(rows) - number[UNCHECKABLE]
    parts = [
        f"{number[verdict]} {_SPOKEN[verdict][number[verdict] != 1]}"
        for verdict in VERDICTS
        if verdict in (HOLDS, CONDITION, FAILS) or (verdict in _SPOKEN and number[verdict])
    ]
    rest = f"; {number[UNCHECKABLE]} more cannot be checked" if number[UNCHECKABLE] else ""
    return f"Of {checkable} checkable claims {listed(parts)}{rest}."


def table(rows: Iterable[Row]) -> dict[str, list[str]]:
    """The claims as columns, for a file."""
    rows = list(rows)
    return {
        "key": [row.claim.key for row in rows],
        "topic": [row.claim.topic for row in rows],
        "claim": [row.claim.title for row in rows],
        "the paper says": [row.claim.quote for row in rows],
        "where": [row.claim.where for row in rows],
        "verdict": [row.verdict for row in rows],
        "measured": [row.measured for row in rows],
        "why": [row.why for row in rows],
        "strength": [row.judgement.strength for row in rows],
        "what would change it": [row.judgement.changes for row in rows],
        "command": [row.claim.command for row in rows],
    }
