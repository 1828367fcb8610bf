"""Quotation marks stand around the paper's words only, and titles of claims are our own."""

import ast
import re
from pathlib import Path

import pytest

from lab.norms import claims as norm_claims
from lab.paper import claims, errata, measured, sentences
from lab.paper.tex import bare, plain
from lab.races.view import page as race_page
from tests.lab.paper.paper_source import paper_source, printed_numbers

ROOM = Path(__file__).resolve().parents[3] / "lab" / "paper"
QUOTED = re.compile(r"“([^”]*)”")


@pytest.fixture(scope="module")
def words() -> str:
    """The letters and digits of the whole source, numbers of formulas as they print."""
    source = paper_source()
    return bare(plain(source[source.index(r"\begin{abstract}") :], printed_numbers(source)))


def is_said(quote: str, words: str) -> bool:
    """Whether the parts between ellipses are in the source, in that order."""
    at = 0
    for part in quote.split("…"):
        found = words.find(bare(part), at)
        if found < 0:
            return False
        at = found + len(bare(part))
    return True


@pytest.mark.parametrize("claim", claims.CLAIMS, ids=lambda claim: claim.key)
def test_claims_quote_the_paper(claim, words):
    assert is_said(claim.quote, words)


@pytest.mark.parametrize("claim", claims.CLAIMS, ids=lambda claim: claim.key)
def test_a_quote_stands_in_one_of_its_sentences(claim, words):
    """So that its context is the right one; formulas are left out of the list."""
    first = max(re.split(r"…|\[formula\]", claim.quote), key=len)
    listed = "".join(bare(unit.text) for unit in sentences.of_claim(claim.key))
    assert bare(first)[:25] in listed or bare(first)[-25:] in listed or len(bare(first)) < 25


def shown_texts() -> list[tuple[str, str]]:
    """Everything that judges and demonstrations say of the committed results."""
    found = []
    for row in claims.judged(measured.read()):
        judgement = row.judgement
        for text in (judgement.measured, judgement.why, judgement.strength, judgement.changes):
            found.append((row.claim.key, text))
    for erratum in errata.ERRATA:
        found += [(erratum.key, t) for t in (erratum.printed, erratum.right, erratum.where)]
        found.append((erratum.key, erratum.demonstrate().finding))
    return found


def test_what_is_shown_quotes_only_the_paper(words):
    quotes = [(key, quote) for key, text in shown_texts() for quote in QUOTED.findall(text)]
    assert len(quotes) > 10
    for key, quote in quotes:
        assert is_said(plain(quote), words), (key, quote)


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: path.stem)
def test_no_string_of_the_room_quotes_anything_else(path, words):
    """Also what no committed result brings up; f-strings are compared up to their gaps."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for quote in QUOTED.findall(node.value):
                assert is_said(plain(quote), words), quote


def test_other_pages_quote_the_paper_too(words):
    """The rules of Figure 1's ticks, what stands over its panels, and the notes on the races."""
    quoted = QUOTED.findall(norm_claims.RULES)
    assert len(quoted) == len(norm_claims.SENTENCES) == 4
    for quote, short in zip(quoted, norm_claims.SENTENCES.values(), strict=True):
        assert is_said(plain(quote), words), quote
        # Cut to fit: its words are the sentence's own, in their order.
        assert is_said("…".join(re.findall(r"\w+", short)), bare(quote)), short
    noted = re.findall(r'"([^"]*)"', race_page.PAPER_NOTES)
    assert "overlapped" in noted
    for quote in noted:
        assert is_said(plain(quote), words), quote


def test_the_comparison_can_fail(words):
    assert is_said("the E-SVM outperforms other three algorithms", words)
    assert is_said("The E-SVM(R) is … still superior to SVM", words)
    assert not is_said("still superior to SVM … The E-SVM outperforms nobody", words)
    assert not is_said("E-SVM(R) is much better", words)
