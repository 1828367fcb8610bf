"""The squares of the page: which claims are chosen, one tile each, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence

from lab.paper import claims
from lab.paper.charts import Tile
from lab.paper.claims import Row

EVERY = "all"


def chosen(rows: Sequence[Row], topic: str, verdict: str) -> list[Row]:
    """The rows of a topic and a verdict, either of which may be "all"."""
    return [
        row for row in rows if topic in (EVERY, row.claim.topic) and verdict in (EVERY, row.verdict)
    ]


def tiles(rows: Sequence[Row], shown: Sequence[Row]) -> list[Tile]:
    """A tile per row; those that are shown stand out."""
    keys = {row.claim.key for row in shown}
    return [
        Tile(
            row.claim.key,
            row.claim.topic,
            row.verdict,
            f"{row.claim.title} ({row.claim.where}): {row.verdict}",
            row.claim.key in keys,
        )
        for row in rows
    ]


def tiles_title(rows: Sequence[Row]) -> str:
    """Where the paper holds best and worst, by topic."""
    judged: dict[str, list[bool]] = {}
    for row in rows:
        if row.verdict in claims.DECIDED:
            judged.setdefault(row.claim.topic, []).append(row.verdict != claims.FAILS)
    if not judged:
        return "No claim has been measured yet"
    shares = {topic: sum(values) / len(values) for topic, values in judged.items()}
    worst = min(shares, key=shares.__getitem__)
    stands = sum(map(sum, judged.values()))
    total = sum(map(len, judged.values()))
    if shares[worst] == 1.0:
        return f"All {total} decided claims stand, some with a condition"
    held, of = sum(judged[worst]), len(judged[worst])
    return f"{stands} of {total} decided claims stand; weakest: {worst.lower()}, {held} of {of}"
