"""The guide and the reference: every example runs, and every public name is there."""

import doctest
import re
from pathlib import Path

import pytest

import solvers
from solvers import grouping

DOCS = Path(__file__).resolve().parents[1] / "docs"
REFERENCE = "".join(path.read_text() for path in sorted((DOCS / "reference").glob("*.md")))
PAGES = [DOCS / "index.md", DOCS / "large_data.md", *sorted((DOCS / "guide").glob("*.md"))]


def blocks(path: Path) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", path.read_text(), re.M | re.S))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_examples_of_the_guide_run(path):
    test = doctest.DocTestParser().get_doctest(blocks(path), {}, path.stem, str(path), 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_page_is_in_the_contents():
    listed = re.findall(
        r"^(?:guide|reference)/\w+$|^large_data$", (DOCS / "index.md").read_text(), re.M
    )
    pages = [path for folder in ("guide", "reference") for path in (DOCS / folder).glob("*.md")]
    assert sorted(listed) == sorted([*(f"{p.parent.name}/{p.stem}" for p in pages), "large_data"])


@pytest.mark.parametrize("name", sorted(set(solvers.__all__) - {"grouping"}))
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"^\.\. auto\w+:: (?:solvers\.\w+\.)?{name}$", REFERENCE, re.M)


def test_the_law_of_random_groups_is_in_the_reference():
    assert ".. automodule:: solvers.grouping" in REFERENCE and grouping.__all__
