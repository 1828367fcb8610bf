"""Every sentence of the paper in order: judged by which claims and errata, or why by none."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from lab.paper.tex import bare

_NEARBY = 240  # letters of a neighbour
_ENOUGH = 25  # letters and digits that tell one sentence from another


@dataclass(frozen=True)
class Unit:
    """A sentence, caption, footnote, algorithm or row of a table of the paper.

    One that can be checked has its `text` in full; of the others there are the first words,
    `begins`, and the key of the reason. `line` is that of the paper's source.
    """

    line: int
    part: str
    text: str = ""
    begins: str = ""
    claims: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    reason: str = ""

    @property
    def checkable(self) -> bool:
        return not self.reason

    @property
    def shown(self) -> str:
        return self.text or f"{self.begins} …"


@cache
def _content() -> dict:
    source = resources.files("lab.paper").joinpath("sentences.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def reasons() -> Mapping[str, str]:
    """Why a sentence is not checked, by key."""
    return MappingProxyType(_content()["reasons"])


@cache
def units() -> tuple[Unit, ...]:
    return tuple(
        Unit(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})
        for row in _content()["unit"]
    )


def of_claim(key: str) -> list[Unit]:
    """Where the paper says it, in order."""
    return [unit for unit in units() if key in unit.claims]


def where_quoted(key: str, quote: str) -> Unit | None:
    """Of the sentences of a claim the one in which its quote begins or ends, else the first."""
    found = of_claim(key)
    longest = bare(max(quote.split("…"), key=len))
    for unit in found:
        said = bare(unit.text)
        if longest[:_ENOUGH] in said or longest[-_ENOUGH:] in said:
            return unit
    return found[0] if found else None


def around(unit: Unit) -> tuple[str, str]:
    """What stands right before and after it in the same part, "" where nothing does.

    Of a long neighbour, such as an algorithm, the nearest words.
    """
    every = units()
    at = every.index(unit)
    before = every[at - 1] if at and every[at - 1].part == unit.part else None
    after = every[at + 1] if at + 1 < len(every) and every[at + 1].part == unit.part else None
    said = ("" if before is None else before.shown, "" if after is None else after.shown)
    return _end_of(said[0]), _start_of(said[1])


def _end_of(text: str) -> str:
    return text if len(text) <= _NEARBY else f"… {text[-_NEARBY:].split(' ', 1)[-1]}"


def _start_of(text: str) -> str:
    return text if len(text) <= _NEARBY else f"{text[:_NEARBY].rsplit(' ', 1)[0]} …"


def table(rows: Sequence[Unit]) -> dict[str, list]:
    """The sentences as columns, for a file."""
    why = reasons()
    return {
        "line": [unit.line for unit in rows],
        "part": [unit.part for unit in rows],
        "sentence": [unit.shown for unit in rows],
        "claims": [", ".join(unit.claims) for unit in rows],
        "errata": [", ".join(unit.errata) for unit in rows],
        "not checked because": [why.get(unit.reason, "") for unit in rows],
    }


def answer() -> str:
    """How many there are, and what became of them."""
    every = units()
    claimed = sum(bool(unit.claims) for unit in every)
    only_errata = sum(bool(unit.errata) and not unit.claims for unit in every)
    rest = len(every) - claimed - only_errata
    return (
        f"Of {len(every)} sentences, captions and rows of the paper {claimed} are judged by a "
        f"claim, {only_errata} more by an erratum only; {rest} say nothing that could be checked, "
        "each with its reason."
    )
