"""What OpenML says of a data set before it is downloaded: its size."""

from __future__ import annotations

import json
import urllib.request
from urllib.parse import quote

# As for uploads (`lab.tables.LIMITS`): a visitor names the set, the server has to hold it.
MOST_COLUMNS, MOST_CELLS = 50_000, 2 * 10**7

_LIST = "https://www.openml.org/api/v1/json/data/list/data_name/{}/limit/2/{}"
_TIMEOUT_SECONDS, _LONGEST_ANSWER = 10, 10**6


def refuse_too_large(name: str, version: int | str = "active") -> None:
    """A sentence instead of a download that would not fit; silence where the size is not told."""
    size = announced_size(name, version)
    if size is None:
        return
    samples, columns = size
    if columns > MOST_COLUMNS or samples * columns > MOST_CELLS:
        raise ValueError(
            f"{name!r} is too large: OpenML lists {samples:,} samples × {columns:,} columns, and "
            f"at most {MOST_COLUMNS:,} columns and {MOST_CELLS:,} numbers are loaded; choose a "
            "smaller set, or upload a part of it."
        )


def announced_size(name: str, version: int | str = "active") -> tuple[int, int] | None:
    """Samples and columns of the version that scikit-learn would load, or None."""
    which = "status/active/" if version == "active" else f"data_version/{version}"
    address = _LIST.format(quote(name.lower(), safe=""), which)
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT_SECONDS) as answer:
            found = json.loads(answer.read(_LONGEST_ANSWER))["data"]["dataset"][0]
        told = {each["name"]: int(float(each["value"])) for each in found["quality"]}
        return told["NumberOfInstances"], told["NumberOfFeatures"]
    # No network, no such set, or an answer of another form: the download itself tells of those.
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return None
