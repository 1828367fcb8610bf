"""Paper vs measured: every checkable claim beside a measurement, the errata, the figures."""

import streamlit as st

from lab import ui
from lab.paper import claims, errata, measured, tiles
from lab.paper.view.accuracy import draw_accuracy
from lab.paper.view.claims import NONE, draw_claims
from lab.paper.view.common import cached_results, cached_rows
from lab.paper.view.errata import draw_errata
from lab.paper.view.races import draw_races
from lab.paper.view.table import draw_table
from lab.paper.view.theorem import draw_theorem

CLAIMS, RACES, ACCURACY, THEOREM, TABLE, ERRATA = (
    "Claims",
    "Fig. 2(a)–(c)",
    "Fig. 2(d)",
    "Theorem 5",
    "Table 1",
    "Errata",
)

EVERY = tiles.EVERY

DEFAULTS = {
    "tab": CLAIMS,
    "claim": NONE,
    "topic": EVERY,
    "verdict": EVERY,
    "panel": "2(a) E-LASSO, disjoint",
    "measure": "true error",
    "against": "seconds",
    "seed": 0,
    "noise": "independent",
    "n": "5040",
    "m": "8",
    "t": "0.5",
    "protocol": "inverted",
    "preprocessing": "standardise",
    "ties": "weakest",
    "erratum": errata.ERRATA[0].key,
}

PRESETS = {
    "What fails": {"verdict": claims.FAILS},
    "Fig. 2(c) by the paper's measure": {
        "tab": RACES,
        "panel": "2(c) overlapped, α = 1, β = 10",
        "measure": "change of w",
    },
    "Shared noise": {"tab": ACCURACY, "noise": "shared"},
    "Ordinary folds": {"tab": TABLE, "protocol": "ordinary"},
    "LICP's rate": {"tab": ERRATA, "erratum": "licp_rate"},
}


def show() -> None:
    with ui.page(key="paper_vs_measured"):
        # Which claim is open decides what is drawn, its own control too.
        limits = {"claim": (NONE, *claims.BY_KEY)}
        view = ui.View("paper_vs_measured", DEFAULTS, PRESETS, limits)
        signature = measured.signature()
        results = cached_results(signature)
        rows = [claims.Row(claims.BY_KEY[key], found) for key, found in cached_rows(signature)]
        st.markdown(claims.answer(rows))
        drawings = {
            CLAIMS: lambda: draw_claims(view, rows, results),
            RACES: lambda: draw_races(view, results),
            ACCURACY: lambda: draw_accuracy(view, results),
            THEOREM: lambda: draw_theorem(view, results),
            TABLE: lambda: draw_table(view, results),
            ERRATA: lambda: draw_errata(view),
        }
        tabs = view.tabs("tab", drawings)
        opened = next((place for place, tab in enumerate(tabs) if tab.open), 0)
        with tabs[opened]:
            export = list(drawings.values())[opened]()
        view.draw_presets()
        ui.export_row(view, export)
