"""Lecture mode: in the address, carried from page to page, with larger figures."""

from streamlit.testing.v1 import AppTest

from lab.ui import lecture
from tests import driver


def opened(**query) -> AppTest:
    return driver.visited("pages/6_Cone_projections.py", query)


def heights(at: AppTest) -> list[int]:
    return [chart["layout"]["height"] for chart in driver.charts(at)]


def test_it_enlarges_figures_and_links_keep_it():
    plain, large = opened(), opened(lecture="true")
    assert heights(large) == [round(lecture.ENLARGED * height, 1) for height in heights(plain)]
    links = [link.proto.query_string for link in large.get("page_link")]
    assert links and all("lecture=true" in link for link in links)
    assert not any("lecture" in link.proto.query_string for link in plain.get("page_link"))


def test_the_switch_turns_it_on_and_off():
    at = opened()
    at.toggle(key="_lecture_switch:False").set_value(True).run()
    assert lecture.NAME in at.query_params
    at.toggle(key="_lecture_switch:True").set_value(False).run()
    assert lecture.NAME not in at.query_params
