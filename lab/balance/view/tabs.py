"""The steps of the story: a figure each, its words, and what of it can be taken home.

Each is drawn by a fragment, so that a step of its slider redraws nothing else.
"""

from collections.abc import Callable

import streamlit as st

from lab import ui
from lab.balance import charts, code, draws, law, over_n, phase, settings, words
from lab.balance.law import Setting
from lab.balance.view import setting
from lab.balance.view.controls import draw_groups_control

NAME = "random_grouping"


def draw_step(view: ui.View, at: Setting) -> ui.Export:
    figure_place = st.container()
    m = draw_groups_control(view)
    seed = int(view["seed"])
    with figure_place:
        shown = int(
            view.live(
                "draws",
                setting.live_draws(at, m, seed),
                still=lambda text: setting.still_draws(at, m, seed, int(text), ui.mode()),
                help="The buckets show the last of them, the histogram all.",
            )
        )
    found = setting.drawn(at.n, at.s, m, seed)
    st.markdown(words.draw_prose(found, at.t, setting.exact_text(at, m)))
    return ui.Export(
        name=NAME,
        data=lambda: draws.table(found, at.t, shown),
        figure=lambda: setting.still_draws(at, m, seed, shown, "light"),
        code=code.draws(at, m, seed, shown),
    )


def curve_step(view: ui.View, at: Setting) -> ui.Export:
    found = setting.curve(at)

    def still(text: str, mode: str | None = None):
        return charts.still_curve(at, int(text), found, mode or ui.mode())

    text = view.live(
        "m", setting.live_curve(at), still=still, help="Into how many groups the features go."
    )
    m = int(text)
    st.markdown(words.curve_prose(at, m, found.by_m[m], found))
    return ui.Export(
        name=NAME,
        data=lambda: law.curve_table(found),
        figure=lambda: still(text, "light"),
        code=code.curve(at, m),
    )


def bounds_step(view: ui.View, at: Setting) -> ui.Export:
    found, proven = setting.curve(at), setting.bounds(at)

    def still(text: str, mode: str | None = None):
        return charts.still_bounds(at, int(text), found, proven, mode or ui.mode())

    text = view.live(
        "m", setting.live_bounds(at), still=still, help="Into how many groups the features go."
    )
    m = int(text)
    st.markdown(words.bounds_prose(at, m, proven))
    return ui.Export(
        name=NAME,
        data=lambda: law.bounds_table(found, proven),
        figure=lambda: still(text, "light"),
        code=code.bounds(at, m),
    )


def phase_step(view: ui.View, at: Setting) -> ui.Export:
    found = setting.phases(at.n, at.t, at.target)
    text = view.live(
        "m",
        setting.live_phase(at),
        still=lambda text: setting.still_phase(at, int(text), ui.mode()),
        help="Into how many groups the features go.",
    )
    st.markdown(words.phase_prose(at, found))
    return ui.Export(
        name=NAME,
        data=lambda: phase.table(found),
        figure=lambda: setting.still_phase(at, int(text), "light"),
        code=code.phase(at, found.s.tolist(), found.m.tolist()),
    )


def over_n_step(view: ui.View, at: Setting) -> ui.Export:
    figure_place = st.container()
    m = draw_groups_control(view)
    found, here = setting.of_sizes(at.s, m, at.t), setting.curve(at).by_m[m]

    def still(text: str, mode: str | None = None):
        return charts.still_sizes(at, m, here, found, int(text), mode or ui.mode())

    with figure_place:
        text = view.live(
            "instead",
            setting.live_sizes(at, m),
            still=still,
            help="The same true features among fewer or more others.",
        )
    largest = setting.largest_over_n(at.s, at.t, at.target)
    st.markdown(words.over_n_prose(at, m, found, largest))
    return ui.Export(
        name=NAME,
        data=lambda: over_n.table(found),
        figure=lambda: still(text, "light"),
        code=code.over_n(at, m, found.n.tolist()),
    )


STEPS: dict[str, Callable[[ui.View, Setting], ui.Export]] = {
    settings.DRAW: draw_step,
    settings.GROUPS: curve_step,
    settings.BOUNDS: bounds_step,
    settings.PHASES: phase_step,
    settings.OVER_N: over_n_step,
}


@st.fragment
def draw_open_tab(view: ui.View, row: ui.ExportRow) -> None:
    row.offer(STEPS[view["tab"]](view, setting.of(view)))
