"""How to cite one result: a BibTeX entry with version, commit and a permanent address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lab import revision
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

    `address` opens it in this installation. Year and date are those of the measurement where there
    is one, so that the entry does not change from day to day.
    """
    environment: Mapping[str, Any] = (content or {}).get("environment", {})
    date, measured_at = environment.get("date"), environment.get("commit")
    fields = {
        "title": _inert(title),
        "author": "{The exclusive sparsity authors}",
        "howpublished": f"Exclusive sparsity {revision.in_words()}",
        "url": address,  # not escaped: it is to be followed
        "note": _inert(_note(where, date, measured_at)),
    }
    if date:
        fields["year"] = str(date)[:4]
    width = max(map(len, fields))
    lines = [f"  {label:<{width}} = {{{value}}}" for label, value in fields.items()]
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return "\n".join([f"@misc{{exclusive-sparsity-{key},", ",\n".join(lines), "}"])


def _note(where: str, date: str | None, measured_at: str | None) -> str:
    parts = [f"On {where} of {_PAPER}"]
    if date:
        parts.append(f"measured {date}" + (f" at commit {measured_at}" if measured_at else ""))
    return "; ".join(parts)


def _inert(text: str) -> str:
    """BibTeX reads #, %, & and _ as markup."""
    return re.sub(r"(?<!\\)([#%&_])", r"\\\1", text)
