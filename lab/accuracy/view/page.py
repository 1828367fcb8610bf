"""E-SVM accuracy: the paper's Fig. 2(d) and Table 1 as sweeps to run, watch and resume."""

from dataclasses import dataclass

import streamlit as st

from lab import accuracy, ui, words
from lab.accuracy import settings
from lab.accuracy.view.controls import draw_controls, draw_main, draw_shown, limits
from lab.accuracy.view.running import draw_starter, is_active, job_of, look_at
from lab.accuracy.view.shown import draw_found, draw_rest, draw_said, fill
from lab.results import Store


def show() -> None:
    with ui.page(key="esvm_accuracy"):
        draw_page()


def draw_page():
    view = ui.View("esvm_accuracy", settings.DEFAULTS, settings.presets(), limits())
    store = Store()
    follow_address(view, store)
    tabs = view.tabs("tab", (settings.GENERATED, settings.WHEN, settings.REAL))
    # Close together, so that answer, figure and main slider are one screen.
    with next((tab for tab in tabs if tab.open), tabs[0]), st.container(gap="xsmall"):
        said = st.empty()  # over both columns: a long sentence beside the controls hides the figure
        left, right = ui.figure_and_controls()
        with right:
            upload = draw_controls(view)
    spec, _ = described(view, upload)
    drawn = outline(view, spec)
    view.draw_presets()
    places = None if spec is None else draw_rest(view, spec)
    with left:
        # What the controls under the figure change is drawn anew, and nothing else.
        sweep = st.fragment(draw_sweep, run_every=1.0 if drawn.active else None)
        sweep(view, store, upload, said, places, drawn)


@dataclass(frozen=True)
class Outline:
    """What the whole page depends on: another one has it drawn as a whole."""

    possible: bool
    active: bool
    folds: int  # of a visitor's own table, which has to have samples for all of them


def outline(view, spec) -> Outline:
    own = view["tab"] == settings.REAL and view["data"] == settings.OWN_FILE
    active = spec is not None and is_active(job_of(spec)[1])
    return Outline(spec is not None, active, view["folds"] if own else 0)


def described(view, upload):
    """The sweep that the controls describe, or None and what is wrong with them."""
    try:
        return settings.spec_of(view.values(), upload.spec if upload else None), ""
    except ValueError as error:
        return None, words.sentence(str(error))


def draw_sweep(view, store, upload, said, places, drawn):
    """Answer, figure, what is right under it and all that is said of it, by one look at what is
    known; while a sweep runs, once a second."""
    with st.container(gap="xsmall"):
        place = st.container()
        under, starter = st.columns([3, 2], gap="medium")
    with under:
        draw_main(view)
    draw_shown(view)
    notes = st.empty()
    spec, trouble = described(view, upload)
    if outline(view, spec) != drawn:
        st.rerun()
    if spec is None:
        with place:
            ui.problem(words.in_markdown(trouble, 400))
        return
    look, show = look_at(store, spec, None if upload is None else upload.y), view["show"]
    if look.job is not None:
        look.job.touch()
    with starter:
        draw_starter(view, store, look, upload)
    write_address(look.found)
    with said.container(gap="xsmall"):
        draw_said(look, show)
    with place:
        draw_found(look, show)
    notes.caption(words.unbroken(look.found.notes(show)))
    fill(places, look, show)


def follow_address(view, store):
    """A link that holds a sweep's id and nothing else shows that sweep."""
    address = dict(st.query_params)
    if set(address) == {"acc_sweep"} and ui.entered():
        spec = accuracy.started(store, address["acc_sweep"])
        if spec is not None and spec.id != settings.spec_of(settings.DEFAULTS).id:
            view.set(settings.values_of(spec))


def write_address(found):
    """The id of a sweep that was run here, so that a reload or another browser finds it."""
    known = found.spec.may_be_kept and found.run_here
    if known and st.query_params.get("acc_sweep") != found.spec.id:
        st.query_params["acc_sweep"] = found.spec.id
    elif not known and "acc_sweep" in st.query_params:
        del st.query_params["acc_sweep"]
