"""Sizes that an address asks for: a page takes what its controls allow, and nothing beyond."""

import pytest

from lab import ui
from tests import driver

BEYOND = {
    "esvm_accuracy": {"features": 10**8, "repeats": 10**6, "inner": 10**4, "seed": -1},
    "solver_race": {"samples": 10**8, "features": 10**8, "groups": 10**8, "budget": 1e9},
    "classify_csv": {"folds": 10**6, "seed": 10**12},
}


@pytest.mark.parametrize("page", BEYOND)
def test_an_address_cannot_ask_for_more_than_the_controls(page):
    info = ui.frame.page_of(page)
    at = driver.opened(page, **BEYOND[page])
    drawn = {widget.key: widget for widget in (*at.number_input, *at.slider)}
    for name, asked in BEYOND[page].items():
        widget = drawn[f"{info.prefix}{name}"]
        assert widget.min <= widget.value <= widget.max
        assert widget.value != asked
