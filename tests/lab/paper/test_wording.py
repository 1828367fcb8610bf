"""Numbers as sentences write them: one space before a per cent sign, a true minus sign."""

import re

import pytest

from lab.paper import claims, measured, race_figures
from lab.paper.errata import ERRATA
from lab.paper.wording import as_long, missed, percent, power_of_ten, reached, signed
from lab.words import sentence


def test_numbers_are_written_alike():
    assert (percent(1.0), percent(0.3462, 1)) == ("100 %", "34.6 %")
    assert (signed("-0.8 ± 0.7"), signed("+0.1")) == ("−0.8 ± 0.7", "+0.1")
    assert (power_of_ten(-5e-15), power_of_ten(0.0)) == ("−5e-15", "0")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("w* = 1", "w* = 1."),
        ("‖w‖ = 1", "‖w‖ = 1."),
        ("error falls.", "Error falls."),
        ("P goes", "P goes."),
        ("", ""),
    ],
)
def test_a_sentence_has_a_capital_unless_a_symbol_opens_it(text, said):
    assert sentence(text) == said


def test_no_verdict_has_a_bare_per_cent_sign_or_a_hyphen_for_a_minus():
    told = [
        (row.claim.key, text)
        for row in claims.judged(measured.read())
        for text in (row.sentence, row.why, row.judgement.strength, row.judgement.changes)
    ]
    told += [(erratum.key, erratum.demonstrate().finding) for erratum in ERRATA]
    told += [
        (key, race_figures.note(panel, run))
        for key, panel in measured.panels(measured.read().figure2).items()
        for run in panel["runs"]
    ]
    wrong = [pair for pair in told if re.search(r"\d%|(?<![\w⁻])-\d", pair[1])]
    assert wrong == []


INF = float("inf")


def test_a_median_says_in_how_many_draws_it_was_not_reached():
    assert reached((1.0, 3.0, 2.0)) == "2 s"
    assert reached((1.0, INF, 2.0)) == "2 s (not in 1 of 3 draws)"
    assert reached((1.0, INF, INF)) == "not in 2 of 3 draws"
    assert reached((INF, INF, INF)) == "not in any of 3 draws"
    assert reached((INF,)) == "not in the only draw" and missed((1.0,)) == ""


def test_a_factor_has_its_range_and_its_number_of_draws():
    assert as_long((1.0, 2.0, 1.0), (2.0, 8.0, 3.0)) == "3 times as long (2 to 4 over 3 draws)"
    assert as_long((1.0, INF), (2.0, 8.0)) == "2 times as long in one draw"
    assert as_long((INF,), (1.0,)) is None


def test_no_verdict_says_never_of_a_median_or_a_factor_without_its_draws():
    told = [
        (row.claim.key, f"{row.sentence} {row.why}")
        for row in claims.judged(measured.read())
        if row.claim.needs == "figure2"
    ]
    assert len(told) > 5
    for key, text in told:
        assert "never" not in text, key
        ranged = r"times as long (\([\d.]+ (to [\d.]+ over|in each of) \d+ draws\)|in one draw)"
        assert len(re.findall(ranged, text)) == text.count("times as long"), key


def test_no_sentence_leaves_out_what_is_counted():
    """ "8 m" reads as eight metres, and .9 as the end of a sentence."""
    told = [
        text
        for row in claims.judged(measured.read())
        for text in (row.sentence, row.why, row.judgement.strength, row.judgement.changes)
    ]
    told += [erratum.demonstrate().finding for erratum in ERRATA]
    assert [
        text for text in told if re.search(r"\d m\b|[ (=≥]\.\d|\b(at most|other) m\b", text)
    ] == []
