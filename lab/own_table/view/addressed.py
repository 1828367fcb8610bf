"""What was chosen about a table's columns, in the address: the label, what is left out, …

A visitor's names are nobody else's business, so a column is said by its place, a class by its place
among the sorted ones, and a file by the beginning of its digest: whoever opens the link brings the
file again, and finds the screen as it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from lab import words
from lab.own_table.setup import class_names
from lab.own_table.view.controls import NOBODY
from lab.tables import Table
from lab.ui import frame, history, memory
from lab.ui.uploads import Choices

_COLUMNS = ("left_out", "as_categories", "logs", "covariates", "at_least", "at_most")
_CLASS = ("positive", "path_class")
_SEEN = "_csv_choices_seen"
SHORT = 12  # characters of a digest


def _said_now(view) -> dict[str, Any] | None:
    """What the address says, where that is news: at the first run, or after Back and Forward."""
    text = view["choices"]
    if text == st.session_state.get(_SEEN, ""):
        return None
    try:
        said = json.loads(text) if text else {}
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def follow_reading(view, choices: Choices, token: str) -> None:
    """Read the file as the address says."""
    said = _said_now(view)
    if said is not None and said.get("of") == token[:SHORT]:
        read = said.get("read", {})
        if isinstance(read, dict):
            choices.put({name: value for name, value in read.items() if _plain(value)})


def follow(view, choices: Choices, token: str, table: Table) -> None:
    """Choose the columns that the address says; before any of their controls is drawn."""
    said = _said_now(view)
    if said is None:
        return
    if said.get("of") == token[:SHORT]:
        choices.put(_as_names(said, table))
    elif not said and (history.is_followed() or not frame.entered()):
        choices.put({})


def show(view, choices: Choices, token: str, table: Table, *, sample: bool) -> None:
    """Say in the address what is chosen now. A file of one's own is named even where nothing is."""
    said = _as_places(choices.said(), table, choices.get("label", table.options.label))
    read = {} if sample else {k: v for k, v in choices.of_file().said().items() if k in _READING}
    said |= {"read": read} if read else {}
    text = ""
    if said or not sample:
        text = json.dumps({"of": token[:SHORT], **said}, separators=(",", ":"), sort_keys=True)
    st.session_state[_SEEN] = text
    view.set({"choices": text})
    memory.drawn_in(view.prefix, "Data").add(view.key("choices"))  # to be reset there


_READING = (
    *("format", "delimiter", "encoding", "decimal", "thousands", "quote", "header", "missing"),
    *("transposed", "member"),
)


def asked_for(view, token: str | None) -> str:
    """Which file a link is about, where it is not the one that is here; empty if there is none."""
    said = _said_now(view) or {}
    wanted = said.get("of")
    if not isinstance(wanted, str) or (token or "")[:SHORT] == wanted:
        return ""
    name = f"the file whose SHA-256 begins with {words.in_markdown(wanted[:SHORT])}"
    if token is None:
        return f"This link is about {name}: choose it above, and its settings come back."
    return f"The link was about {name}, and this is another; its choice of columns is not used."


def _plain(value) -> bool:
    return isinstance(value, (str, bool))


def _as_places(left: Mapping[str, Any], table: Table, label: str) -> dict[str, Any]:
    """The choices made for this label, names as places; what has no place is left out."""
    # A wide table has tens of thousands of names: looked at only where something was chosen.
    places = {name: place for place, name in enumerate(table.names)} if left else {}
    said: dict[str, Any] = {}
    if left.get("label") in places:
        said["label"] = places[left["label"]]
    for key, value in left.items():
        name, _, of = key.partition(" ")
        if of != label:
            continue
        if name == "subjects" and (value in places or value == NOBODY):
            said[name] = places.get(value, -1)
        elif name in _COLUMNS:
            said[name] = [places[each] for each in value if each in places]
        elif name == "left_out_typed":
            lines = [line.strip() for line in value.splitlines()]
            said[name] = [places[line] for line in lines if line in places]
        elif name == "distinct":
            said[name] = bool(value)
        elif name in _CLASS:
            classes = class_names(table, label)
            if value in classes:
                said[name] = classes.index(value)
    return said


def _as_names(said: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """The other way round; a place that is none is passed over."""

    def named(places) -> list[str]:
        known = places if isinstance(places, list) else []
        return [table.names[k] for k in known if type(k) is int and 0 <= k < len(table.names)]

    chosen: dict[str, Any] = {}
    label = table.options.label
    if named([said.get("label")]):
        chosen["label"] = label = named([said["label"]])[0]
    for name in _COLUMNS:
        if name in said:
            chosen[f"{name} {label}"] = named(said[name])
    if "left_out_typed" in said:
        chosen[f"left_out_typed {label}"] = "\n".join(named(said["left_out_typed"]))
    if "subjects" in said:
        chosen[f"subjects {label}"] = next(iter(named([said["subjects"]])), NOBODY)
    if "distinct" in said:
        chosen[f"distinct {label}"] = said["distinct"] is True
    for name in _CLASS:
        classes = class_names(table, label) if name in said else ()
        if type(said.get(name)) is int and 0 <= said[name] < len(classes):
            chosen[f"{name} {label}"] = classes[said[name]]
    return chosen
