"""E-SVM accuracy: the paper's Fig. 2(d) and Table 1 as sweeps to run, watch and resume."""

import streamlit as st

from lab import accuracy, ui, words
from lab.accuracy import settings
from lab.accuracy.view.controls import draw_controls
from lab.accuracy.view.running import draw_starter, known
from lab.accuracy.view.shown import Places, draw_rest, live
from lab.results import Store
from lab.running import jobs


def show() -> None:
    with ui.page(key="esvm_accuracy"):
        draw_page()


def draw_page():
    view = ui.View("esvm_accuracy", settings.DEFAULTS, settings.presets())
    store = Store()
    follow_address(view, store)
    tabs = view.tabs("tab", (settings.GENERATED, settings.WHEN, settings.REAL))
    with next((tab for tab in tabs if tab.open), tabs[0]):
        left, right = ui.figure_and_controls()
        with left:
            place, under, notes = st.container(), st.container(), st.empty()
        with right:
            starter = st.container()
            upload = draw_controls(view, under)
        try:
            spec = settings.spec_of(view.values(), upload.spec if upload else None)
        except ValueError as error:
            with place:
                ui.problem(words.in_markdown(error, 400))
                view.draw_presets()
            return
        with starter:
            # Asked once: a sweep that ends while the page is drawn must not leave its Cancel there.
            active = draw_starter(view, store, known(store, spec), upload)
    write_address(spec, store)
    places = Places(notes, *draw_rest(view, spec))
    with place:
        st.fragment(live, run_every=1.0 if active else None)(
            places, store, spec, view["show"], active, None if upload is None else upload.y
        )


def follow_address(view, store):
    """A link that holds a sweep's id and nothing else shows that sweep."""
    address = dict(st.query_params)
    if set(address) == {"acc_sweep"} and ui.entered():
        spec = accuracy.started(store, address["acc_sweep"])
        if spec is not None and spec.id != settings.spec_of(settings.DEFAULTS).id:
            view.set(settings.values_of(spec))


def write_address(spec, store):
    """The id of a sweep that was run here, so that a reload or another browser finds it."""
    known = spec.may_be_kept and bool(
        jobs.shared_queue().get(spec.id) is not None or store.load(spec)
    )
    if known and st.query_params.get("acc_sweep") != spec.id:
        st.query_params["acc_sweep"] = spec.id
    elif not known and "acc_sweep" in st.query_params:
        del st.query_params["acc_sweep"]
