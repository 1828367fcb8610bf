"""What a visit has on the table: results of all settings tried, and the jobs under way."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

import streamlit as st

from lab.own_table.work import MOST_PLACES, Ledger
from lab.running.jobs import shared_queue

Made = TypeVar("Made")


@dataclass
class Desk:
    """`jobs` under way by kind, `paths` found so far by their key."""

    ledger: Ledger = field(default_factory=Ledger)
    jobs: dict = field(default_factory=dict)
    paths: dict = field(default_factory=dict)


def mine() -> Desk:
    """The desk of this session."""
    return st.session_state.setdefault("_csv_desk", Desk())


def _let_go(ids) -> None:
    for id in ids:
        job = shared_queue().get(id)
        if job is not None:
            job.let_go()


@st.cache_resource(scope="session", on_release=_let_go, show_spinner=False)
def watched_here() -> set:
    """The jobs that this visit started; when the tab closes, they end soon unless told to stay."""
    return set()


def kept(of: str, key: Hashable, make: Callable[[], Made], most: int = MOST_PLACES) -> Made:
    """What was made for this key, in this session, of the last few keys.

    Every move asks for all steps of an analysis. Streamlit's own cache looks at the signature and
    hashes the arguments each time, which costs more than these steps' drawing.
    """
    held = st.session_state.setdefault(f"_csv_kept:{of}", {})
    found = held.pop(key) if key in held else make()
    held[key] = found
    while len(held) > most:
        del held[next(iter(held))]
    return found
