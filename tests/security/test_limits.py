"""Sizes that an address asks for: a page takes what its controls allow, and nothing beyond."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lab import ui

ROOT = Path(__file__).resolve().parents[2]

BEYOND = {
    "esvm_accuracy": {"features": 10**8, "repeats": 10**6, "inner": 10**4, "seed": -1},
    "solver_race": {"samples": 10**8, "features": 10**8, "groups": 10**8, "budget": 1e9},
    "classify_csv": {"folds": 10**6, "seed": 10**12},
}


@pytest.mark.parametrize("page", BEYOND)
def test_an_address_cannot_ask_for_more_than_the_controls(page):
    info = ui.frame.page_of(page)
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    at.switch_page(info.file)
    for name, value in BEYOND[page].items():
        at.query_params[f"{info.prefix}{name}"] = str(value)
    at.run()
    assert not at.exception
    drawn = {widget.key: widget for widget in (*at.number_input, *at.slider)}
    for name, asked in BEYOND[page].items():
        widget = drawn[f"{info.prefix}{name}"]
        assert widget.min <= widget.value <= widget.max
        assert widget.value != asked
