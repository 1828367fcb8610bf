"""Whatever is set, in whichever tab, is in the address: a reload shows the same screen.

A property of every page: random values in random controls of each tab in turn, then a new visitor
with that address, whose controls, words, figures and code must be those of the first. On the way
every sentence is read.
"""

import random
import re

import pytest
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.norms.view import figure_one
from lab.results import OWN_FOLDER_VARIABLE
from tests import driver
from tests.lab.sentences import faults

PAGES = (ui.HOME, *ui.PAGES)
MOVES = 2  # of the controls of a tab
# Another sample would be another table's fit.
LEFT_ALONE = re.compile("csv_(data|tuning|metric|protocol)$")
# A small table, so that what is set is soon fitted.
STARTS = {"classify_csv": {"csv_data": "Wine", "csv_folds": "3"}}
# A text that means something to the control that takes it.
TEXTS = {
    "cp_group": lambda draw: f"{draw.randint(-60, 60) / 20},{draw.randint(-60, 60) / 20},0.55",
    "cp_point": lambda draw: f"{draw.randint(-60, 60) / 20},{draw.randint(-40, 40) / 20},2.5",
    "cp_place": lambda draw: f"{draw.randint(-60, 60) / 20},-1.5,0.25,{draw.randint(1, 9)},45",
    "cp_vector": lambda draw: ", ".join(str(draw.randint(-30, 30) / 10) for _ in range(3)),
    "np_optimum": lambda draw: f"{draw.randint(-20, 20) / 10},{draw.randint(-20, 20) / 10}",
}
# What a run took differs between two runs.
TIMES = re.compile(r"\d[\d.,]*\s(ms|s|seconds|minutes)\b")


@pytest.fixture(autouse=True)
def own_results(tmp_path, monkeypatch, few_draws):
    monkeypatch.setenv(OWN_FOLDER_VARIABLE, str(tmp_path))
    # Two draws at each press, however fast the machine.
    monkeypatch.setattr(figure_one, "SECONDS_OF_DRAWS", -1.0)


def opened(page: ui.frame.Page, query) -> AppTest:
    return driver.visited(page.file, query)


def movable(at: AppTest, prefix: str) -> list:
    """The controls on show that have more than one value, of the page and not of the frame."""
    kinds = (
        *(at.select_slider, at.selectbox, at.segmented_control, at.slider, at.number_input),
        *(at.toggle, at.multiselect, at.pills, at.text_input),
    )
    return [
        widget
        for kind in kinds
        for widget in kind
        if (widget.key or "_").startswith(prefix)
        and not (widget.key or "_").startswith("_")
        and not LEFT_ALONE.match(widget.key)
        and not widget.disabled
        and (widget.type != "text_input" or widget.key in TEXTS)
        and len(getattr(widget, "options", "ab")) > 1
    ]


def other_value(widget, draw: random.Random):
    if widget.key in TEXTS:
        return TEXTS[widget.key](draw)
    if widget.type == "toggle":
        return not widget.value
    if widget.type in ("slider", "number_input"):
        steps = round((widget.max - widget.min) / widget.step)
        # A few steps off the least: what is asked for must not become a long computation.
        value = widget.min + draw.randint(0, min(steps, 12)) * widget.step
        return round(value, 6) if isinstance(widget.value, float) else int(value)
    if widget.type == "multiselect" or isinstance(widget.value, list):
        return draw.sample(list(widget.options), draw.randint(1, len(widget.options)))
    return draw.choice(list(widget.options))


def screen(at: AppTest, prefix: str) -> dict:
    """All that is on show: what the controls hold, what is said, drawn and offered."""
    said = [*at.title, *at.markdown, *at.caption, *at.error, *at.subheader, *at.code]
    return {
        "controls": {widget.key: widget.value for widget in movable(at, prefix)},
        "words": [TIMES.sub("a time", text.value) for text in said],
        "figures": [element.proto.spec for element in at.get("plotly_chart")],
        "descriptions": [element.proto.alt for element in at.get("plotly_chart")],
        "tables": [table.value.to_csv() for table in at.table],
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.key)
def test_a_reload_shows_the_screen_that_was_left(page):
    draw = random.Random(page.key)
    at = opened(page, STARTS.get(page.key, {}))
    name = f"{page.prefix}tab"
    tabs = [tab.label for tab in at.tabs] if name in at.session_state else [None]
    for tab in tabs:
        address = dict(at.query_params) | ({} if tab is None else {name: tab})
        at = opened(page, address)
        keys = [widget.key for widget in movable(at, page.prefix)]
        for key in draw.sample(keys, min(MOVES, len(keys))):
            widget = next((w for w in movable(at, page.prefix) if w.key == key), None)
            if widget is not None:  # another may have taken it away
                widget.set_value(other_value(widget, draw)).run()
                assert not at.exception, (tab, key)
        again = opened(page, dict(at.query_params))
        seen = screen(at, page.prefix)
        assert screen(again, page.prefix) == seen, (tab, dict(at.query_params))
        spoken = [text.value for text in [*at.markdown, *at.caption, *at.error]]
        assert not faults([*spoken, *seen["descriptions"]]), (tab, dict(at.query_params))
        assert dict(again.query_params) == dict(at.query_params)
