"""CONTRIBUTING is followed to the letter: its solver solves, its page opens, its data set loads."""

import importlib
import inspect
import re
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import streamlit as st

from lab.balance import settings
from lab.data import datasets
from lab.own_table import chance
from lab.paper import claims, measured
from lab.ui import frame
from solvers import solve_svm
from solvers.problems import LassoProblem
from solvers.registry import LASSO_METHODS
from solvers.tracking import solve
from tests import driver
from tests.oracles import random_instance

TEXT = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text()
SOLVER, VIEW, PAGE = (
    textwrap.dedent(block) for block in re.findall(r"^ *```python\n(.*?)```", TEXT, re.S | re.M)
)


@pytest.fixture(autouse=True)
def without_navigation(monkeypatch, tmp_path):
    """A script of its own is no part of the app, and Streamlit refuses its links to the pages."""
    monkeypatch.setattr(frame, "ROOT", tmp_path)


def test_the_solver_of_the_text_agrees_with_ours():
    namespace = {}
    exec(SOLVER, namespace)
    method = namespace["METHOD"]
    instance = random_instance("lasso", 0)
    problem = LassoProblem(instance.X, instance.y, instance.groups, *instance.strengths)
    assert method.key not in LASSO_METHODS
    assert method.accepts(problem) is None
    ours = solve(problem, LASSO_METHODS["newton"], tol=1e-9)
    theirs = solve(problem, method, tol=1e-6)
    assert theirs.converged
    assert theirs.objective == pytest.approx(ours.objective, rel=1e-6)
    weight = np.arange(1.0, len(instance.y) + 1.0)
    (lam,) = instance.strengths
    weighted = LassoProblem(
        instance.X, instance.y, instance.groups, lam * weight.mean(), sample_weight=weight
    )
    assert solve(weighted, method, tol=1e-6).converged
    cubed = LassoProblem(instance.X, instance.y, instance.groups, *instance.strengths, exponent=3.0)
    assert "the squared norm only" in method.accepts(cubed)


def test_the_page_of_the_text_opens_and_counts(monkeypatch):
    page = frame.Page("my_page", "pages/9_My.py", "my_", "Use", "Mine", "How many things?")
    monkeypatch.setattr(frame, "PAGES", (*frame.PAGES, page))
    room = ModuleType("lab.my_page.view")
    exec(VIEW, room.__dict__)
    monkeypatch.setitem(sys.modules, "lab.my_page", ModuleType("lab.my_page"))
    monkeypatch.setitem(sys.modules, "lab.my_page.view", room)
    at = driver.scripted(PAGE)
    at.query_params["my_n"] = "7"
    driver.ran(at)
    assert at.title[0].value == "How many things?"
    assert "There are 7 things." in [markdown.value for markdown in at.markdown]


def walks() -> dict[str, list[str]]:
    section = TEXT.split("## Five walks")[1].split("\n## ")[0]
    parts = re.split(r"^\*\*(From .*?)\*\*", section, flags=re.M)[1:]
    steps = [re.findall(r"^\d+\. `([\w.]+)`$", text, re.M) for text in parts[1::2]]
    return dict(zip(parts[::2], steps, strict=True))


def named(dotted: str):
    """What a dotted name stands for; an error if there is no such thing."""
    parts = dotted.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise LookupError(dotted)


@pytest.mark.parametrize("walk", walks())
def test_a_walk_passes_functions_that_exist_each_once(walk):
    steps = walks()[walk]
    assert len(steps) >= 5 and len(set(steps)) == len(steps)
    assert all(callable(named(step)) for step in steps)


def passed(walk: str, go: Callable[[], object]) -> list[str]:
    """The steps of a walk that were passed, in order, as often as they were."""
    codes, found = {}, []
    for step in walks()[walk]:
        step_itself = inspect.unwrap(named(step))
        if inspect.isclass(step_itself):
            step_itself = step_itself.__init__
        codes[step_itself.__code__] = step

    def note(frame, event, _):
        if event == "call" and frame.f_code in codes:
            found.append(codes[frame.f_code])

    threading.setprofile(note)  # a page runs in a thread of its own
    sys.setprofile(note)
    try:
        go()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


def test_the_walk_of_a_solver_is_walked():
    X = np.random.default_rng(0).standard_normal((20, 12))
    walk = "From `solve_svm` to its `Result`"
    steps = passed(walk, lambda: solve_svm(X, np.sign(X[:, 0]), [0, 1, 2, 3] * 3, 0.1, 0.1))
    assert steps == walks()[walk]


def test_the_walk_of_a_slider_is_walked(monkeypatch):
    monkeypatch.setattr(frame, "ROOT", driver.ROOT)
    st.cache_resource.clear()
    walk = "From a slider to its chart"
    steps = passed(walk, lambda: driver.opened("random_grouping", tab=settings.GROUPS))
    assert list(dict.fromkeys(steps)) == walks()[walk]
    again = {step for step in steps if steps.count(step) > 1}
    assert again == {"lab.balance.view.setting.of"} and len(steps) == len(set(steps)) + 1


def test_the_walk_of_an_upload_is_walked(monkeypatch):
    monkeypatch.setattr(frame, "ROOT", driver.ROOT)
    monkeypatch.setattr(chance, "DRAWS", 2)
    rows = [f"{x},{-x},{x % 2},{x % 3},{'yn'[x > 0]}" for x in range(-12, 12)]

    def take_home():
        controls = dict(data="Your file", tab="Take home", folds="3", tuning="By hand")
        at = driver.opened("classify_csv", **controls)
        table = "\n".join(["a_one,a_two,b_one,b_two,y", *rows])
        at.file_uploader(key="csv_uploader").upload("table.csv", table.encode(), "text/csv")
        assert driver.ran(at).get("download_button")

    walk = "From an upload to a model file"
    assert list(dict.fromkeys(passed(walk, take_home))) == walks()[walk]


def test_the_walk_to_a_verdict_is_walked_from_where_the_trials_are():
    """Those are run by processes of their own."""
    walk = "From a trial of Fig. 2(d) to its verdict"
    steps = iter(passed(walk, lambda: claims.judged(measured.read())))
    there = walks()[walk].index("lab.paper.measured.read")
    # Among those of all other claims.
    assert all(step in steps for step in walks()[walk][there:])


def test_there_are_five_walks():
    assert len(walks()) == 5
    with pytest.raises((LookupError, AttributeError)):
        named("lab.balance.law.no_such_thing")


def test_a_data_set_as_described_loads_once(monkeypatch):
    from dataclasses import dataclass

    from solvers import Groups

    made = []

    @dataclass(frozen=True)
    class Tiny:
        seed: int = 0

        def make(self):
            made.append(self)
            X = np.random.default_rng(self.seed).standard_normal((4, 3))
            return datasets.Dataset(X, X[:, 0], "regression", "tiny", Groups.contiguous(3, 1))

    assert datasets.load(Tiny()) is datasets.load(Tiny())
    assert len(made) == 1
