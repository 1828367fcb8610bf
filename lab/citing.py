"""A BibTeX entry of one result: its title, this software's version and commit, its address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from lab import revision


def entry(
    name: str, title: str, notes: Iterable[str], made: Mapping[str, Any], address: str
) -> str:
    """An entry named by `name`; `made` says when and at what commit it was measured, if noted

    `address` opens it in this installation. Year and date are those of the measurement where there
    is one, so that the entry does not change from day to day.
    """
    date, commit = made.get("date"), made.get("commit")
    said = list(notes)
    if date:
        said.append(f"measured {date}" + (f" at commit {commit}" if commit else ""))
    fields = {
        "title": _inert(title),
        "author": "{The exclusive sparsity authors}",
        "howpublished": f"Exclusive sparsity {revision.in_words()}",
        "url": address,  # not escaped: it is to be followed
    }
    if said:
        fields["note"] = _inert("; ".join(said))
    if date:
        fields["year"] = str(date)[:4]
    width = max(map(len, fields))
    lines = [f"  {label:<{width}} = {{{value}}}" for label, value in fields.items()]
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return "\n".join([f"@misc{{exclusive-sparsity-{key},", ",\n".join(lines), "}"])


def _inert(text: str) -> str:
    """BibTeX reads #, %, & and _ as markup."""
    return re.sub(r"(?<!\\)([#%&_])", r"\\\1", text)
