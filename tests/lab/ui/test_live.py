"""A live figure in a page, where its scripts are trusted."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lab.ui import live
from tests import browser
from tests.clocks import PATIENCE

PAGE = Path(browser.__file__).resolve().parent / "live_page.py"


@pytest.fixture
def trusted(monkeypatch):
    monkeypatch.setattr(live, "_works", lambda key: True)


def places(block, path=()) -> dict[str, tuple[int, ...]]:
    """Where each sentence stands: its number in its container, and so on upwards."""
    found = {}
    for number, part in getattr(block, "children", {}).items():
        if part.type == "markdown":
            found[part.value] = (*path, number)
        found |= places(part, (*path, number))
    return found


def test_sentences_keep_their_places_when_the_figures_have_come_to_life(trusted):
    """One that moves stands at its old place too, until the run is over: a visitor sees it twice"""
    at = AppTest.from_file(PAGE, default_timeout=PATIENCE).run()
    before = places(at.main)
    at.session_state[live._ALIVE] = True
    at.run()
    assert not at.exception and "tiles says 10" in before
    assert places(at.main) == before
