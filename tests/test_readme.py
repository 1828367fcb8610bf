"""The README keeps its word: its example runs, its picture is computed, its commands exist."""

import re
from pathlib import Path

import pytest

from docs import make_picture
from lab import shrinkage

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_there_is_an_example():
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example):
    exec(compile(example, "README.md", "exec"), {"__name__": "readme"})


def test_picture_is_what_the_home_page_computes():
    assert "docs/shrinkage.svg" in README
    assert make_picture.PATH.read_text(encoding="utf-8") == make_picture.picture()


def test_the_sentence_below_the_picture_is_computed():
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, float(shrinkage.DEFAULT_ZETA))
    lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
    assert shrinkage.answer(exclusive, lasso) in " ".join(README.split())


def test_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake (?:[A-Z]+=\S+ )*([a-z]+)\b", README))
    assert {"run", "test"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target
