"""The controls of a page: in the address, remembered, reset and preset; and the export row."""

import pytest
from streamlit.testing.v1 import AppTest

from lab.ui import frame, memory


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
            {"n": 50, "on": False, "names": ["a"], "strength": "1", "tab": "One", "hidden": 3},
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
    at = AppTest.from_function(script, default_timeout=30)
    for key, value in query.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


def values(at: AppTest) -> dict:
    return eval(at.text[0].value)


DEFAULTS = {"n": 50, "on": False, "names": ["a"], "strength": "1", "tab": "One", "hidden": 3}


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

    at = AppTest.from_function(script, default_timeout=30).run()
    assert at.exception  # a visitor reads no details, so the log must have them
    assert "preset 'Wrong' sets unknown controls ['m']" in caplog.text


@pytest.mark.parametrize(
    ("value", "texts"),
    [(True, ["true"]), (False, ["false"]), (3, ["3"]), (0.5, ["0.5"]), (["b", "c"], ["b", "c"])],
)
def test_values_are_written_as_the_address_has_them(value, texts):
    assert memory._as_texts(value) == texts


def test_export_row_shows_the_code_and_offers_files():
    at = opened()
    assert "print('hello')\n" in [code.value.rstrip("\n") + "\n" for code in at.code]
    labels = [button.proto.label for button in at.get("download_button")]
    assert labels == ["Data (CSV)", "Figure (HTML)", "Code (Python)"]
