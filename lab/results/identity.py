"""What a result is known by: the content of its spec, never the place where it was made."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Any, Protocol

import numpy as np

Trial = tuple[int, int, str]


class Spec(Protocol):
    """What the store asks of a spec."""

    @property
    def family(self) -> str: ...

    @property
    def id(self) -> str: ...

    @property
    def may_be_kept(self) -> bool: ...

    def trials(self) -> list[Trial]: ...

    def as_dict(self) -> dict[str, Any]: ...


class Named:
    """Names from content: the id of a sweep, and that of the family whose trials it shares.

    Sweeps that differ only in which trials they want (`_EXTENT`) are of one family: a trial of one
    is a trial of the other, so that asking for more repeats continues where fewer ended.
    """

    _EXTENT: tuple[str, ...] = ()

    @cached_property
    def family(self) -> str:
        content = {key: value for key, value in self.as_dict().items() if key not in self._EXTENT}
        return digest(content, 10)

    @cached_property
    def id(self) -> str:
        content = self.as_dict()
        extent = {name: content[name] for name in self._EXTENT}
        return f"{self.family}-{digest(extent, 6)}"

    @property
    def may_be_kept(self) -> bool:
        """Whether results may be written to disk."""
        return True

    def as_dict(self) -> dict[str, Any]:
        """The spec as plain JSON values."""
        raise NotImplementedError


def digest(content, length: int) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def plain(value):
    """A spec's value as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value
