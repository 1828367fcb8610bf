"""How to cite one result: a BibTeX entry with version, commit and a permanent address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab import citing
from lab.paper.claims import Row
from lab.paper.measured import Results

_PAPER = "Huang and Liu, arXiv:1510.07925"


def of_claim(row: Row, results: Results, address: str) -> str:
    """An entry for one verdict."""
    content = getattr(results, row.claim.needs) if row.claim.needs else None
    if content is not None and "made" in (part := content.get(row.claim.check, {})):
        content = {"environment": part["made"]}
    title = f"{{{row.claim.title}}}: {row.verdict}"
    return entry(row.claim.key, title, row.claim.where, content, address)


def entry(
    name: str, title: str, where: str, content: Mapping[str, Any] | None, address: str
) -> str:
    """A BibTeX entry of a result; `content` is the file it was read from, None if computed now.

    `address` opens it in this installation.
    """
    environment = (content or {}).get("environment", {})
    return citing.entry(name, title, [f"On {where} of {_PAPER}"], environment, address)
