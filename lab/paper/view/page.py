"""Paper vs measured: every checkable claim beside a measurement, the errata, the figures."""

from collections.abc import Container

import streamlit as st

from lab import ui
from lab.accuracy import NOISES
from lab.paper import bounds, claims, errata, figures, measured, race_figures, tiles
from lab.paper.view.accuracy import draw_accuracy
from lab.paper.view.claims import NONE, draw_claims
from lab.paper.view.common import cached_results, cached_rows
from lab.paper.view.errata import draw_errata
from lab.paper.view.races import MOST_SEED, draw_races
from lab.paper.view.table import draw_table
from lab.paper.view.theorem import draw_theorem
from lab.ui.address import Between

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


def limits(results: measured.Results) -> dict[str, Container]:
    """What every control can be, so that a link is believed of the tabs that are closed too."""
    found = {
        "claim": (NONE, *claims.BY_KEY),
        "topic": (EVERY, *claims.TOPICS),
        "verdict": (EVERY, *claims.VERDICTS),
        "panel": race_figures.PANELS,
        "measure": race_figures.MEASURES,
        "against": race_figures.AGAINST,
        "seed": Between(0, MOST_SEED),
        "noise": NOISES,
        "protocol": measured.PROTOCOLS,
        "preprocessing": figures.PREPROCESSED,
        "ties": measured.RULES,
        "erratum": errata.BY_KEY,
    }
    return found if results.theorem5 is None else found | bounds.theorem_choices(results.theorem5)


def show() -> None:
    with ui.page(key="paper_vs_measured"):
        signature = measured.signature()
        results = cached_results(signature)
        view = ui.View("paper_vs_measured", DEFAULTS, PRESETS, limits(results))
        rows = [claims.Row(claims.BY_KEY[key], found) for key, found in cached_rows(signature)]
        st.markdown(claims.answer(rows))
        drawings = {
            CLAIMS: lambda: draw_claims(view, rows, results),
            RACES: lambda: draw_races(view, results),
            ACCURACY: lambda: draw_accuracy(view, results),
            THEOREM: lambda: draw_theorem(view, results, end),
            TABLE: lambda: draw_table(view, results),
            ERRATA: lambda: draw_errata(view),
        }
        tabs = view.tabs("tab", drawings)
        opened = next((place for place, tab in enumerate(tabs) if tab.open), 0)
        view.draw_presets()
        end = st.container()
        with tabs[opened]:
            export = list(drawings.values())[opened]()
        if export is not None:
            with end:
                ui.export_row(view, export)
