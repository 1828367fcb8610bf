"""Display mathematics: KaTeX prints its source in red where $$ shares a line with other text."""

import re

from lab.ui.frame import ROOT

FILES = [*sorted((ROOT / "lab").rglob("*.py")), *sorted((ROOT / "pages").glob("*.py"))]
SOURCES = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in FILES}


def test_display_mathematics_stands_on_lines_of_its_own():
    """On the line of its signs alone, or one formula alone on one line."""
    found = [
        (name, line) for name in SOURCES for line in SOURCES[name].splitlines() if "$$" in line
    ]
    assert found
    alone = re.compile(r"\s*\$\$([^$]+\$\$)?\s*")
    assert [each for each in found if not alone.fullmatch(each[1])] == []


# A row of more signs than this is cut off on a phone, and with it the end of what it says.
MOST_SIGNS = 36


def signs(row: str) -> int:
    """About how many signs a row of a formula shows; those of a fraction count twice."""
    row = re.sub(r"\\(begin|end)\{\w+\}", "", row)
    row = re.sub(r"\\(text|operatorname)\{([^}]*)\}", r"\2", row)
    row = row.replace(r"\qquad", "....").replace(r"\quad", "..")
    return len(re.sub(r"[\s{}&_^]|\\[,;! ]", "", re.sub(r"\\[a-zA-Z]+", "x", row)))


def test_rows_of_display_mathematics_fit_a_phone():
    rows = [
        (name, row)
        for name, source in SOURCES.items()
        for formula in re.findall(r"\$\$\n(.*?)\n\s*\$\$", source, re.DOTALL)
        for row in formula.split(r"\\")
    ]
    assert rows
    assert [(name, row) for name, row in rows if signs(row) > MOST_SIGNS] == []
