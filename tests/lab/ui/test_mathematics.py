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


# A row of more signs than this is cut off on a phone, and with it the end of what it says.
MOST_SIGNS = 36


def signs(row: str) -> int:
    """About how many signs a row of a formula shows; those of a fraction count twice."""
    row = re.sub(r"\\(begin|end)\{\w+\}", "", row)
    row = re.sub(r"\\(text|operatorname)\{([^}]*)\}", r"\2", row)
    row = row.replace(r"\qquad", "....").replace(r"\quad", "..")
    return len(re.sub(r"[\s{}&_^]|\\[,;! ]", "", re.sub(r"\\[a-zA-Z]+", "x", row)))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_rows_of_display_mathematics_fit_a_phone(path):
    formulas = re.findall(r"\$\$\n(.*?)\n\s*\$\$", path.read_text(encoding="utf-8"), re.DOTALL)
    rows = [row for formula in formulas for row in formula.split(r"\\")]
    assert [row for row in rows if signs(row) > MOST_SIGNS] == []
