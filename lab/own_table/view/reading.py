"""How a file is read: what was guessed, and what the visitor says instead."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st

from lab.tables import (
    DECIMALS,
    DELIMITERS,
    ENCODINGS,
    FORMATS,
    QUOTES,
    THOUSANDS,
    ReadOptions,
)
from lab.ui.uploads import Choices

# What the controls of `draw_reading_options` say as long as nobody touches them.
ALL_GUESSED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            ("delimiter", "encoding", "decimal", "thousands", "quote", "header"), "auto"
        ),
        "missing": "",
    }
)


def read_choices(choices: Choices) -> dict[str, str]:
    """What the visitor said about how files of this kind are written."""
    return {name: choices.get(name, default) for name, default in ALL_GUESSED.items()}


def chosen_options(choices: Choices, defaults: Mapping[str, str] = ALL_GUESSED) -> ReadOptions:
    """How the visitor wants the file to be read, the label aside; "auto" is a guess."""
    said = {name: choices.get(name, default) for name, default in defaults.items()}
    said["header"] = {"auto": None, "yes": True, "no": False}[said["header"]]
    said["transposed"] = bool(choices.get("transposed", False))
    said["missing"] = tuple(said["missing"].split()) or None
    return ReadOptions(
        format=choices.get("format", "auto"), member=choices.get("member", None), **said
    ).guessing()


def draw_reading_options(
    choices: Choices,
    members: tuple[str, ...],
    used: ReadOptions | None,
    defaults: Mapping[str, str] = ALL_GUESSED,
) -> None:
    """What was guessed about a file, each to be overridden."""
    st.markdown("**How the file is read**")
    lists = {
        "format": ("Format", FORMATS),
        "delimiter": ("Delimiter", DELIMITERS),
        "encoding": ("Encoding", {name: name for name in ENCODINGS}),
        "decimal": ("Decimal sign", DECIMALS),
        "thousands": ("Thousands", THOUSANDS),
        "quote": ("Quote", QUOTES),
        "header": ("First row is a header", {"yes": "yes", "no": "no"}),
    }
    columns = st.columns(4)
    for place, (name, (label, known)) in enumerate(lists.items()):
        guess = None if used is None else getattr(used, name)
        guess = {True: "yes", False: "no"}.get(guess, guess)
        told = f"The guess: {known.get(guess, guess)}. " if guess is not None else ""
        with columns[place % 4]:
            choices.draw(
                st.selectbox,
                name,
                label,
                ("auto", *known),
                default=defaults.get(name, "auto"),
                # A browser holds an option by its words, so they must not follow the guess.
                format_func=lambda key, known=known: known.get(key, "guess"),
                help=f"{told}It stands unless you choose.",
            )
    with columns[3]:
        choices.draw(
            st.text_input,
            "missing",
            "Missing values",
            default=defaults["missing"],
            placeholder="the usual tokens",
            help="Cells that count as missing, separated by spaces, in place of the usual ones.",
        )
    choices.draw(
        st.checkbox,
        "transposed",
        "Features are rows",
        default=False,
        help="Turn the table: genes as rows, samples as columns.",
    )
    if len(members) > 1:
        choices.draw(
            st.selectbox,
            "member",
            "Part of the file",
            members,
            default=used.member if used and used.member in members else members[0],
            help="The file in the archive, the sheet, or the array that holds the features.",
        )


def draw_preview(lines: tuple[str, ...]) -> None:
    if lines:
        st.caption("The first lines, as they are in the file")
        st.code("\n".join(lines[:10]), language=None)
