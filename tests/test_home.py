"""The home page as Streamlit runs it: its numbers, its charts, its address."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.home import shrinkage
from tests import driver
from tests.driver import charts


def home(**query) -> AppTest:
    return driver.visited(ui.HOME.file, query)


def answer(at: AppTest) -> str:
    return next(markdown.value for markdown in at.markdown if markdown.value.startswith("Yes: "))


def counts_by_hand(zeta: float) -> tuple[int, int, int]:
    """Nonzeros of ℓe from the sorted magnitudes, one group at a time, and what the others empty."""
    c, groups = shrinkage.example_input()
    kept = 0
    for members in groups.lists():
        magnitudes = sorted(np.abs(c[members]), reverse=True)
        sums = np.cumsum(magnitudes)
        kept += sum(
            magnitudes[j] > zeta * sums[j] / (1 + zeta * (j + 1)) for j in range(len(magnitudes))
        )
    largest = np.argsort(-np.abs(c))[:kept]
    emptied = groups.n_groups - np.unique(groups.labels[largest]).size
    return kept, emptied, groups.n_groups - max(1, kept // shrinkage.GROUP_SIZE)


def test_home_opens_with_its_question_and_the_computed_answer():
    at = home()
    assert at.title[0].value == ui.HOME.question
    kept, emptied, dropped = counts_by_hand(float(shrinkage.DEFAULT_ZETA))
    assert answer(at) == (
        f"Yes: the exclusive norm ℓe keeps {kept} of 96 weights and all 8 groups; "
        f"ℓ1 with as many weights leaves {emptied} groups empty, "
        f"and the group lasso leaves {dropped} groups empty."
    )
    [chart] = charts(at)
    assert chart["layout"]["title"]["text"].replace("<br>", " ") == (
        f"At ζ = 1, ℓe hears 8 of 8 groups with {kept} weights; "
        f"ℓ1 silences {emptied} and the group lasso silences {dropped}"
    )


@pytest.mark.parametrize("zeta_text", ["0.02", "10", "100"])
def test_slider_recomputes_the_numbers(zeta_text):
    at = home()
    before = answer(at)
    at.select_slider(key="zeta").set_value(zeta_text).run()
    assert not at.exception
    kept, emptied, dropped = counts_by_hand(float(zeta_text))
    assert answer(at) != before
    assert int(re.search(r"keeps (\d+) of", answer(at)).group(1)) == kept
    title = charts(at)[0]["layout"]["title"]["text"].replace("<br>", " ")
    assert (
        f"ℓ1 silences {emptied or 'none'} and the group lasso silences {dropped or 'none'}" in title
    )


def test_address_sets_the_slider():
    at = home(zeta="10")
    assert at.select_slider(key="zeta").value == "10"
    assert f"keeps {counts_by_hand(10.0)[0]} of" in answer(at)


def test_the_figure_describes_itself_to_screen_readers_with_its_numbers():
    at = home()
    [element] = at.get("plotly_chart")
    assert answer(at).removeprefix("Yes: ") in element.proto.alt


def test_home_links_only_to_pages_that_exist():
    linked = {link.proto.label.strip("*") for link in home().get("page_link")}
    there = {page.label for page in ui.existing_pages()}
    assert linked == (there | {ui.HOME.label} if there else set())
