"""The controls of a page: in the address, remembered, reset and preset; and the export row."""

import pytest
from streamlit.testing.v1 import AppTest

from lab.ui import address, frame
from tests import driver


@pytest.fixture(autouse=True)
def without_navigation(monkeypatch, tmp_path):
    """A script of its own is no part of the app, and Streamlit refuses its links to the pages."""
    monkeypatch.setattr(frame, "ROOT", tmp_path)


def page_with_controls():
    import streamlit as st

    from lab import ui

    with ui.page(key="random_grouping"):
        view = ui.View(
            "random_grouping",
            {"n": 50, "on": False, "names": ["a"], "strength": "1", "hidden": 3},
            {"Paper": {"n": 7, "names": ["b", "a"]}},
        )
        view.draw_presets()
        view.slider("n", "n", 0, 100, help="how many")
        view.toggle("on", "on", help="whether")
        view.several("names", "names", ["a", "b", "c"], help="which")
        view.scale("strength", "strength", ["1", "2", "10"], help="how strong")
        if view["on"]:
            view.number("hidden", "hidden", 0, 10, help="only where on")
        st.text(repr(view.values()))
        ui.export_row(
            view,
            ui.Export("numbers", lambda: {"a": [1]}, lambda: None, "print('hello')\n"),
        )


def opened(script=page_with_controls, **query) -> AppTest:
    at = driver.scripted(script)
    for key, value in query.items():
        at.query_params[key] = value
    return driver.ran(at)


def values(at: AppTest) -> dict:
    return eval(at.text[0].value)


DEFAULTS = {"n": 50, "on": False, "names": ["a"], "strength": "1", "hidden": 3}


def test_defaults_without_an_address():
    assert values(opened()) == DEFAULTS


def test_the_address_sets_controls_and_its_nonsense_is_ignored():
    at = opened(rg_n="7", rg_on="true", rg_strength="plenty", n="3")
    assert values(at) == DEFAULTS | {"n": 7, "on": True}


def test_a_preset_resets_what_it_does_not_name_and_reset_resets_all():
    at = opened()
    at.slider(key="rg_n").set_value(90)
    at.toggle(key="rg_on").set_value(True).run()
    at.button(key="rg_preset_Paper").click().run()
    assert values(at) == DEFAULTS | {"n": 7, "names": ["b", "a"]}
    at.button(key="rg_export_reset").click().run()
    assert values(at) == DEFAULTS


def test_a_control_that_is_not_drawn_keeps_its_value():
    at = opened()
    at.toggle(key="rg_on").set_value(True).run()
    at.number_input(key="rg_hidden").set_value(8).run()
    at.toggle(key="rg_on").set_value(False).run()
    assert values(at)["hidden"] == 8
    at.toggle(key="rg_on").set_value(True).run()
    assert at.number_input(key="rg_hidden").value == 8


def test_reset_reaches_a_control_that_only_the_address_knows():
    at = opened(rg_hidden="8")
    at.button(key="rg_export_reset").click().run()
    at.toggle(key="rg_on").set_value(True).run()
    assert at.number_input(key="rg_hidden").value == 3


def test_a_link_keeps_what_it_says_of_a_control_that_is_not_drawn_yet():
    at = opened(rg_hidden="8")
    at.slider(key="rg_n").set_value(20).run()
    at.toggle(key="rg_on").set_value(True).run()
    assert at.number_input(key="rg_hidden").value == 8


def test_a_view_rejects_a_preset_of_unknown_controls(caplog):
    def script():
        from lab import ui

        with ui.page(key="random_grouping"):
            ui.View("random_grouping", {"n": 1}, {"Wrong": {"m": 2}})

    at = driver.scripted(script).run()
    assert at.exception  # a visitor reads no details, so the log must have them
    assert "preset 'Wrong' sets unknown controls ['m']" in caplog.text


@pytest.mark.parametrize(
    ("value", "texts"),
    [(True, ["true"]), (False, ["false"]), (3, ["3"]), (0.5, ["0.5"]), (["b", "c"], ["b", "c"])],
)
def test_values_are_written_as_the_address_has_them(value, texts):
    assert address.texts_of(value) == texts
    assert address.value_of(texts, value) == value


def test_export_row_shows_the_code_and_offers_files():
    at = opened()
    assert "print('hello')\n" in [code.value.rstrip("\n") + "\n" for code in at.code]
    labels = [button.proto.label for button in at.get("download_button")]
    assert labels == ["Data (CSV)", "Figure (HTML)", "Code (Python)"]


def page_with_tabs():
    import streamlit as st

    from lab import ui
    from lab.ui.address import Between

    with ui.page(key="random_grouping"):
        view = ui.View(
            "random_grouping",
            {"tab": "One", "n": 5, "m": 3, "names": ["a"]},
            limits={"n": Between(0, 9)},
        )
        one, two = view.tabs("tab", ("One", "Two"))
        if one.open:
            view.slider("n", "n", 0, 9, help="in the first tab")
            view.several("names", "names", ["a", "b"], help="which")
        if two.open:
            view.slider("m", "m", 0, 9, help="in the second tab")
        st.text(repr(view.values()))
        view.draw_reset("reset")


def open_tab(at: AppTest, label: str) -> AppTest:
    at.session_state["rg_tab"] = label
    return at.run()


def said(at: AppTest) -> dict:
    """The address: a list of texts for each name, whichever way Streamlit gives them."""
    found = dict(at.query_params)
    return {key: [texts] if isinstance(texts, str) else texts for key, texts in found.items()}


def test_the_address_says_all_in_every_tab_and_a_reload_finds_it():
    at = opened(page_with_tabs)
    at.slider(key="rg_n").set_value(8).run()
    at.multiselect(key="rg_names").set_value([]).run()
    open_tab(at, "Two").slider(key="rg_m").set_value(7).run()
    assert said(at) == {"rg_m": ["7"], "rg_n": ["8"], "rg_names": [""], "rg_tab": ["Two"]}
    again = opened(page_with_tabs, **said(at))
    # What has limits counts in a tab where it is not drawn; the others when they are.
    assert values(again) == {"tab": "Two", "n": 8, "m": 7, "names": ["a"]}
    assert said(again) == said(at)
    assert values(open_tab(again, "One")) == {"tab": "One", "n": 8, "m": 7, "names": []}


def test_reset_is_for_the_open_tab_which_stays_open():
    at = opened(page_with_tabs)
    at.slider(key="rg_n").set_value(8).run()
    open_tab(at, "Two").slider(key="rg_m").set_value(7).run()
    at.button(key="reset").click().run()
    assert values(at) == {"tab": "Two", "n": 8, "m": 3, "names": ["a"]}
    assert at.button(key="reset").help == "The controls of this tab to their defaults."
    assert said(at) == {"rg_n": ["8"], "rg_tab": ["Two"]}


def test_nonsense_leaves_the_address_when_its_control_is_drawn():
    at = opened(page_with_tabs, rg_n="12", rg_names="c", rg_m="x")
    assert values(at) == {"tab": "One", "n": 5, "m": 3, "names": ["a"]}
    assert said(at) == {"rg_m": ["x"]}


def test_reset_leaves_what_a_link_says_of_tabs_that_were_not_opened():
    """Of controls without limits too, which are believed only once they are drawn."""
    at = opened(page_with_tabs, rg_n="8", rg_names="b", rg_m="7", rg_tab="Two")
    at.button(key="reset").click().run()
    assert said(at) == {"rg_n": ["8"], "rg_names": ["b"], "rg_tab": ["Two"]}
    assert values(open_tab(at, "One")) == {"tab": "One", "n": 8, "m": 3, "names": ["b"]}
    at.button(key="reset").click().run()
    assert said(at) == {}
