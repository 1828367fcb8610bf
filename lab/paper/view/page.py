"""Paper vs measured: every checkable claim beside a measurement, the errata, the figures."""

import streamlit as st

from lab import ui
from lab.paper import charts, claims, code, errata, measured, tiles
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
        view = ui.View("paper_vs_measured", DEFAULTS, PRESETS)
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
        export = None
        for tab, draw in zip(view.tabs("tab", drawings), drawings.values(), strict=True):
            if tab.open:
                with tab:
                    export = draw()
        view.draw_presets()
        ui.export_row(
            view,
            export
            or ui.Export(
                name="claims",
                data=lambda: claims.table(rows),
                figure=lambda: charts.verdict_tiles(
                    tiles.tiles(rows, rows),
                    claims.TOPICS,
                    claims.VERDICTS,
                    title=tiles.tiles_title(rows),
                    mode="light",
                ),
                code=code.claims(EVERY, EVERY),
            ),
        )
