"""CONTRIBUTING is followed to the letter: its solver solves, its page opens, its data set loads."""

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import datasets
from lab.ui import frame
from solvers.problems import LassoProblem
from solvers.registry import LASSO_METHODS
from solvers.tracking import solve
from tests.oracles import random_instance

TEXT = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text()
SOLVER, PAGE = (
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
    weighted = LassoProblem(
        instance.X, instance.y, instance.groups, *instance.strengths, sample_weight=weight
    )
    assert solve(weighted, method, tol=1e-6).converged
    cubed = LassoProblem(instance.X, instance.y, instance.groups, *instance.strengths, exponent=3.0)
    assert "the squared norm only" in method.accepts(cubed)


def test_the_page_of_the_text_opens_and_counts(monkeypatch):
    page = frame.Page("my_page", "pages/9_My.py", "my_", "Use", "Mine", "How many things?")
    monkeypatch.setattr(frame, "PAGES", (*frame.PAGES, page))
    at = AppTest.from_string(PAGE, default_timeout=30)
    at.query_params["my_n"] = "7"
    at.run()
    assert not at.exception
    assert at.title[0].value == "How many things?"
    assert "There are 7 things." in [markdown.value for markdown in at.markdown]


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
