"""A live figure in a page: trusted where a browser is, and still where our scripts do not come."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lab.ui import scripts
from tests import browser
from tests.clocks import PATIENCE

PAGE = Path(browser.__file__).resolve().parent / "live_page.py"


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(scripts, "_in_a_browser", lambda: True)
    return AppTest.from_file(PAGE, default_timeout=PATIENCE).run()


def kinds(page) -> list[str]:
    """Which control each figure has: one in the browser, or one of the server's."""
    return [type(widget).__name__ for widget in (*page.select_slider, *page.text_input)]


def test_without_our_scripts_a_press_makes_all_figures_still_and_late_ones_undo_it(page):
    assert not page.exception and kinds(page) == []
    assert len(page.get("bidi_component")) == 5
    page.button(key="still_pictures").click().run()
    assert not page.exception and kinds(page) == 4 * ["SelectSlider"] + ["TextInput"]
    (listener,) = page.get("bidi_component")
    assert '"figure": null' in listener.proto.json
    assert "still_pictures" not in [button.key for button in page.button]
    page.session_state[scripts._SILENT] = False  # as the listener tells
    page.run()
    assert not page.exception and kinds(page) == []


def test_what_the_figures_set_outlasts_the_change(page):
    page.button[0].click().run()
    assert [text.value for text in page.markdown if "tiles" in text.value] == ["tiles says 20"]
    page.button(key="still_pictures").click().run()
    assert [text.value for text in page.markdown if "tiles" in text.value] == ["tiles says 20"]
