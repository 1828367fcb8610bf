"""The frame of the pages: which pages exist, what each says, and that all of it is drawn."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import solvers
from lab import ui
from lab.ui import frame
from tests import driver
from tests.clocks import PATIENCE

ROOT = Path(__file__).resolve().parents[3]


def run(script) -> AppTest:
    return driver.ran(driver.scripted(script))


def test_every_page_has_its_own_key_file_and_question():
    pages = (ui.HOME, *ui.PAGES)
    for field in ("key", "file", "prefix", "label", "question"):
        assert len({getattr(page, field) for page in pages}) == len(pages)
    for page in pages:
        assert page.question.endswith("?")
    assert {page.section for page in ui.PAGES} == set(frame.SECTIONS)


def test_every_file_in_pages_is_in_the_table():
    listed = {page.file for page in ui.PAGES}
    present = {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    assert present <= listed


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty folder that the frame takes for the app's own."""
    (tmp_path / "pages").mkdir()
    monkeypatch.setattr(frame, "ROOT", tmp_path)
    return tmp_path


def test_only_pages_whose_file_exists_are_offered(elsewhere):
    assert ui.existing_pages() == []
    for page in (ui.PAGES[3], ui.PAGES[1]):
        (elsewhere / page.file).touch()
    (elsewhere / "pages" / "9_Unknown.py").touch()
    assert ui.existing_pages() == [ui.PAGES[1], ui.PAGES[3]]


def test_frame_draws_title_notation_and_citation(elsewhere):
    def script():
        import streamlit as st

        from lab import ui

        with ui.page(key="solver_race"):
            st.write("the content")

    at = run(script)
    assert [title.value for title in at.title] == ["Which solver gets there first?"]
    assert [expander.label for expander in at.expander] == ["Notation", "Cite"]
    notation = at.expander[0].markdown[0].value
    for symbol in ("$n$", "$N$", "$m$", "$s$", r"$\lambda$", r"$\alpha,\ \beta$"):
        assert f"| {symbol} |" in notation
    assert "a paper preset passes twice" in notation
    paper, software = at.expander[1].code[0].value.split("\n\n")
    assert "1510.07925" in paper
    assert software.startswith("@software{exclusive_sparsity,")
    assert f"version = {{{solvers.__version__}}}" in software
    assert "the content" in [markdown.value for markdown in at.markdown]
    assert any("Yijun Huang and Ji Liu" in caption.value for caption in at.caption)


def test_footer_stands_when_the_content_stops_early(elsewhere):
    def script():
        import streamlit as st

        from lab import ui

        with ui.page(key="home", title="Another question?"):
            st.stop()

    at = run(script)
    assert at.title[0].value == "Another question?"
    assert [expander.label for expander in at.expander] == ["Notation", "Cite"]


def test_unknown_page_key_is_refused():
    with pytest.raises(ValueError, match="no page 'nowhere'; the keys are home, norm_patterns"):
        ui.page(key="nowhere")


def test_badge_tells_certified_from_not_converged():
    def script():
        from lab import ui

        for gap in (0.0, 3e-8, 2e-3):
            ui.certificate(gap)

    texts = [markdown.value for markdown in run(script).markdown]
    assert "green" in texts[0] and "certified: relative gap below 1e-15" in texts[0]
    assert "green" in texts[1] and "certified: relative gap 3e-08" in texts[1]
    assert "orange" in texts[2] and "not converged: relative gap 2e-03" in texts[2]


def test_navigation_and_doors_link_to_the_pages_there_are(elsewhere):
    """Two pages of the table exist; a link that Streamlit does not know would raise."""
    two = (ui.PAGES[0], ui.PAGES[3])
    for page in two:
        (elsewhere / page.file).touch()
    home = elsewhere / "app.py"
    home.write_text("from lab import ui\nwith ui.page(key='home'):\n    pass\n")

    at = driver.ran(AppTest.from_file(str(home), default_timeout=PATIENCE))
    navigation = [link.proto.label for link in at.sidebar.get("page_link")]
    doors = [link.proto.label.strip("*") for link in at.main.get("page_link")]
    assert navigation == ["Home", "Norm patterns", "Solver race"]
    assert doors == ["Norm patterns", "Norm patterns", "Solver race"]  # the first is the tour's
    assert [caption.value for caption in at.sidebar.caption] == ["Understand", "Compare"]
    headings = [heading.value for heading in at.subheader]
    assert headings == ["Start here: the tour", "Understand", "Compare"]
    questions = [caption.value for caption in at.main.caption]
    assert all(page.question in questions for page in two)


def test_every_page_leads_on_and_the_tour_has_about_five_stops():
    stops, key = [], "home"
    for _ in ui.PAGES:
        stops.append(key := frame.following(key).key)
    assert tuple(stops[: len(frame.TOUR)]) == frame.TOUR and 4 <= len(frame.TOUR) <= 6
    assert sorted(stops) == sorted(page.key for page in ui.PAGES)  # all pages are come to
    assert frame.following(key).key == "classify_csv"


@pytest.mark.parametrize("page", (ui.HOME, *ui.PAGES), ids=lambda page: page.key)
def test_the_foot_of_every_page_leads_to_another(elsewhere, page):
    for other in ui.PAGES:
        (elsewhere / other.file).touch()
    script = elsewhere / "app.py"
    script.write_text(f"from lab import ui\nwith ui.page(key={page.key!r}):\n    pass\n")
    at = driver.ran(AppTest.from_file(str(script), default_timeout=driver.PATIENCE))
    foot = at.main.get("page_link")[0].proto
    to = frame.following(page.key)
    assert to.key != page.key and foot.label.strip("*") == to.label
    assert any(caption.value.startswith(to.question) for caption in at.main.caption)
