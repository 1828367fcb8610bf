"""On the pages that explain, what is taken home is what is on show: in every tab and preset.

Headline, title, figure, table, caption and download of one screen come from one spec: the figure
offered has the title and the lines of the one on show, the data offered are of the settings in the
address, and so is the code, which other tests run.
"""

import json

import pytest

from lab import exports, ui
from lab.balance import settings as balance
from lab.cones.view import controls as cones
from lab.norms.view import controls as norms
from tests import driver

SCREENS = [
    ("home", {}, None),
    ("home", {"zeta": "40"}, None),
    *(("norm_patterns", {"np_tab": tab}, None) for tab in norms.TABS),
    ("norm_patterns", {"np_tab": norms.BALLS, "np_shape": norms.SPACE}, None),
    ("norm_patterns", {"np_tab": norms.PATHS, "np_drawn": norms.F1}, None),
    *(("norm_patterns", {}, preset) for preset in norms.PRESETS),
    *(("random_grouping", {"rg_tab": tab, "rg_n": "600"}, None) for tab in balance.TABS),
    *(("random_grouping", {}, preset) for preset in balance.PRESETS),
    *(
        ("cone_projections", {"cp_tab": tab}, None)
        for tab in (
            *(cones.GROUP, cones.PLANE, cones.PLAY, cones.SPACE),
            *(cones.SEARCH, cones.MOREAU, cones.ERRATA),
        )
    ),
    *(("cone_projections", {"cp_tab": cones.ERRATA}, preset) for preset in cones.PRESETS),
]


def said_by(figure: dict) -> tuple[set[str], list]:
    """The words of a figure, wherever its lines are broken, and what its lines are called."""
    notes = [note.get("text", "") for note in figure["layout"].get("annotations", [])]
    words = [figure["layout"].get("title", {}).get("text", ""), *notes]
    said = {text.replace("<br>", " ") for text in words if text}
    return said, [trace.get("name") for trace in figure["data"]]


@pytest.mark.parametrize(
    ("key", "query", "preset"), SCREENS, ids=lambda part: str(part) if part else "as it is"
)
def test_what_is_taken_home_is_what_is_on_show(key, query, preset, monkeypatch):
    offered = []
    offer = ui.ExportRow.offer
    monkeypatch.setattr(
        ui.ExportRow, "offer", lambda row, export: (offered.append(export), offer(row, export))[1]
    )
    page = ui.frame.page_of(key)
    at = driver.visited(page.file, query)
    if preset is not None:
        driver.ran(at.button(key=f"{page.prefix}preset_{preset}").click())
    export = offered[-1]
    assert exports.script(export.code).strip() in [code.value.strip() for code in at.code]

    shown = [json.loads(element.proto.spec) for element in at.get("plotly_chart")]
    words, lines = said_by(json.loads(export.figure().to_json()))
    for figure in shown:
        said, names = said_by(figure)
        assert said <= words and set(names) <= set(lines)
    assert len(lines) == sum(len(figure["data"]) for figure in shown)
    columns = export.data()
    assert columns and len({len(column) for column in columns.values()}) == 1
