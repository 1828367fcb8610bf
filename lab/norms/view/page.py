"""Norm patterns: the paper's Figure 1 live, its paths, the correlated twins, the unit balls."""

import streamlit as st

from lab import ui
from lab.norms.view.balls import draw_balls
from lab.norms.view.controls import (
    BALLS,
    DEFAULTS,
    FIGURE,
    LIMITS,
    PATHS,
    PRESETS,
    TABS,
    TWINS,
)
from lab.norms.view.figure_one import draw_figure_one
from lab.norms.view.paths import draw_paths
from lab.norms.view.twins import draw_twins


def show() -> None:
    with ui.page(key="norm_patterns"):
        view = ui.View("norm_patterns", DEFAULTS, PRESETS, LIMITS)
        answer = st.empty()
        sections = {
            FIGURE: draw_figure_one,
            PATHS: draw_paths,
            TWINS: draw_twins,
            BALLS: draw_balls,
        }
        export = None
        for tab, draw in zip(view.tabs("tab", TABS), sections.values(), strict=True):
            if tab.open:
                with tab:
                    export = draw(view, answer)
        if export is not None:
            ui.export_row(view, export)
