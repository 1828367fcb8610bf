"""Display mathematics: KaTeX prints its source in red where $$ shares a line with other text."""

import re

import pytest

from lab.ui.frame import ROOT

SOURCES = [*sorted((ROOT / "lab").rglob("*.py")), *sorted((ROOT / "pages").glob("*.py"))]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_display_mathematics_stands_on_lines_of_its_own(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    shared = [line for line in lines if "$$" in line and not re.fullmatch(r"\s*\$\$\s*", line)]
    # One formula alone on one line is fine too.
    assert [line for line in shared if not re.fullmatch(r"\s*\$\$[^$]+\$\$\s*", line)] == []
