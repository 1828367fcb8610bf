"""The paper's source taken apart: its sentences in order, and the numbers that TeX prints.

A sentence is what stands between two full stops of the running text, display formulas included; a
list's item, a caption, a footnote, an algorithm and a row of a table are units of their own.
The source is not part of this software: it is looked for where the machine may have it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lab.paper.tex import without_comments

NAME = "exclusive-sparsity.tex"

# Environments that interrupt a sentence without being part of it, one unit each.
_FLOATS = ("figure", "table*", "algorithm")
# Commands that only lay out the page.
_LAYOUT = re.compile(
    r"\\(?:vspace|bibliography|bibliographystyle|includegraphics|usepackage)(?:\[[^\]]*\])?\{[^}]*\}"
    r"|\\(?:noindent|newpage|maketitle|centering|quad|hline|abovespace|belowspace|nonumber)\b"
    r"|\\(?:begin|end)\{(?:center|document|itemize|abstract|algorithmic|proof|aligned)\}(?:\[[^\]]*\])*"
    r"|(?<=\\begin\{itemize\})\[[^\]]*\]"
)
_HEADING = re.compile(r"\\(section|subsection)(\*?)\{")


@dataclass(frozen=True)
class Sentence:
    """A unit of the source: where it begins (a line, counted from 1), in which part, and its TeX"""

    line: int
    part: str
    text: str


def paper_source() -> str:
    """The text of the source; a test without it is skipped with the reason."""
    chosen = os.environ.get("EXCLUSIVE_SPARSITY_PAPER")
    parents = Path(__file__).resolve().parents
    folders = [Path(chosen)] if chosen else [each / "shared" / "paper" for each in parents]
    for folder in folders:
        if (folder / NAME).is_file():
            return (folder / NAME).read_text(encoding="utf-8")
    pytest.skip("the paper's source is not on this machine")  # in CI a skip is a failure


def squeezed(tex: str) -> str:
    """One blank where the source has any white space, and no comment."""
    return re.sub(r"\s+", " ", without_comments(tex)).strip()


def printed_numbers(tex: str) -> dict[str, str]:
    """By label: what TeX prints for sections, theorems, algorithms, figures, tables, formulas.

    Environments that share a counter are counted together: `\\newtheorem{lemma}[c]{Lemma}`.
    """
    tex = without_comments(tex)
    shared = re.findall(r"\\newtheorem\{(\w+)\}(?:\[(\w+)\])?\{(\w+)\}", tex)
    counters = {name: (counter or name, title) for name, counter, title in shared}
    counters |= {"algorithm": ("algorithm", "Algorithm"), "figure": ("figure", "Figure")}
    counters |= {"table*": ("table", "Table")}
    counts: Counter[str] = Counter()
    numbers: dict[str, str] = {}
    current = ""
    pattern = re.compile(
        r"\\begin\{(equation|align)\}(.*?)\\end\{\1\}|\\begin\{([\w*]+)\}"
        r"|\\(section|subsection)\{|\\(STATE|WHILE|FOR|IF|ENDIF|ENDFOR|ENDWHILE)\b"
        r"|\\label\{([^}]*)\}",
        re.DOTALL,
    )
    for found in pattern.finditer(tex, tex.index(r"\begin{document}")):
        display, inside, environment, heading, step, label = found.groups()
        if display:
            for row in _numbered_rows(display, inside):
                counts["equation"] += 1
                numbers |= {name: f"({counts['equation']})" for name in _LABEL.findall(row)}
        elif environment in counters:
            counter, title = counters[environment]
            counts[counter] += 1
            current = f"{title} {counts[counter]}"
        elif heading == "section":
            counts["section"] += 1
            counts["subsection"] = 0
            current = f"Section {counts['section']}"
        elif heading == "subsection":
            counts["subsection"] += 1
            current = f"Section {counts['section']}.{counts['subsection']}"
        elif environment == "algorithmic":
            counts["step"] = 0
        elif step:
            counts["step"] += 1
            current = f"Step {counts['step']}"
        elif label:
            numbers.setdefault(label, current)
    return numbers


_LABEL = re.compile(r"\\label\{([^}]*)\}")


def _numbered_rows(display: str, inside: str) -> list[str]:
    """The rows of a display that get a number: all but those told not to."""
    if display == "equation":
        return [inside]
    nested = re.compile(r"\\begin\{(cases|aligned)\}.*?\\end\{\1\}", re.DOTALL)
    rows = nested.sub(lambda found: found.group().replace(r"\\", "  "), inside).split(r"\\")
    return [row for row in rows if r"\nonumber" not in row]


def sentences(tex: str) -> list[Sentence]:
    """Every unit of the body, from the abstract to the end of the proofs, in order."""
    start, end = tex.index(r"\begin{abstract}"), tex.index(r"\end{document}")
    return list(_units(tex, start, end))


def _units(tex: str, start: int, end: int) -> Iterator[Sentence]:
    part = "Abstract"
    section, subsection = 0, 0
    for at, piece in _pieces(tex, start, end):
        heading = _HEADING.match(piece)
        if heading:
            level, star = heading.groups()
            if star:
                part = squeezed(piece[heading.end() : piece.rindex("}")])
            elif level == "section":
                section, subsection = section + 1, 0
                part = f"Section {section}"
            else:
                subsection += 1
                part = f"Section {section}.{subsection}"
            continue
        for place, text in _split(piece):
            clean = squeezed(_LAYOUT.sub(" ", text))
            clean = re.sub(r"\\label\{[^}]*\}", "", clean)
            clean = squeezed(clean)
            if re.search(r"[A-Za-z]{2}", clean):
                yield Sentence(tex.count("\n", 0, at + place) + 1, part, clean)


def _pieces(tex: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Headings, floats and what lies between them, each with its place."""
    floats = "|".join(re.escape(name) for name in _FLOATS)
    pattern = re.compile(
        rf"\\begin\{{({floats})\}}.*?\\end\{{\1\}}|\\(?:section|subsection)\*?\{{[^\n]*\}}"
        r"(?:\s*\\label\{[^}]*\})?|\\item\b|\n\s*\n|\\(?:begin|end)\{(?:lemma|theorem)\}"
        r"|\{?\\noindent\s*\{?\s*\\bf(?:[^{}]|\{[^{}]*\})*\}",
        re.DOTALL,
    )
    at = start
    for found in pattern.finditer(tex, start, end):
        yield at, tex[at : found.start()]
        text = found.group()
        if found.group(1):
            yield from _float(found.group(1), found.start(), text)
        elif text.startswith((r"\section", r"\subsection")):
            yield found.start(), text
        at = found.end()
    yield at, tex[at:end]


def _float(kind: str, at: int, text: str) -> Iterator[tuple[int, str]]:
    """An algorithm whole, captions, and a table's rows."""
    if kind == "algorithm":
        yield at, text
        return
    for caption in re.finditer(
        r"\\subfloat\[\]\[(.*?)\]\{|\\caption\{(.*?)\}\s*\n", text, re.DOTALL
    ):
        group = 1 if caption.group(1) else 2
        yield at + caption.start(group), caption.group(group)
    rows = text.find(r"\begin{tabular}")
    if rows >= 0:
        for row in re.finditer(r"[^\n]*&[^\n]*\\\\", text[rows:]):
            yield at + rows + row.start(), row.group()


# A full stop ends a sentence before a blank and a capital, a formula or a command, unless it stands
# in an abbreviation or in a formula.
_STOP = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<!i\.i\.d)(?<!i\.i)(?<!Eq)(?<!Dr)(?<!s\.t)[.?]['’]*\)?"
    r"(?:\\footnote\{[^{}]*\{?[^{}]*\}?[^{}]*\})?(?=\s+(?:[A-Z$\\(`1-9]|\Z)|\Z|\})"
    r"|(?:\\\]|\\end\{(?:equation|align)\*?\})\}?(?=\s+(?:[A-Z]|Eq|\Z))"
)


def _split(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of running text, footnotes after the sentence they hang on."""
    masked = _masked(text)
    at = 0
    for stop in [*(m.end() for m in _STOP.finditer(masked)), len(text)]:
        sentence = text[at:stop]
        notes = list(re.finditer(r"\\footnote\{((?:[^{}]|\{[^{}]*\})*)\}", sentence))
        lead = len(sentence) - len(sentence.lstrip())
        yield at + lead, re.sub(r"\\footnote\{((?:[^{}]|\{[^{}]*\})*)\}", "", sentence)
        for note in notes:
            for place, part in _split(note.group(1)):
                yield at + note.start(1) + place, part
        at = stop


def _masked(text: str) -> str:
    """The same length, with stops inside formulas and footnotes made invisible."""

    def hide(found: re.Match) -> str:
        return re.sub(r"[.?]", "·", found.group())

    text = re.sub(r"\$[^$]*\$", hide, text)
    text = re.sub(r"\\footnote\{((?:[^{}]|\{[^{}]*\})*)\}", hide, text)
    text = re.sub(r"\\cite\w*(?:\[[^\]]*\])?\{[^}]*\}", hide, text)
    display = r"\\\[.*?\\\]|\\begin\{(equation\*?|align\*?)\}.*?\\end\{\1\}"
    return re.sub(display, hide, text, flags=re.DOTALL)
