"""Names from files stay words."""

import numpy as np
import pytest

from lab import words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain name", "plain name"),
        ("*bold*", r"\*bold\*"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("[a](b)", r"\[a\]\(b\)"),
        ("$x$", r"\$x\$"),
        (":red[x]", r"\:red\[x\]"),
        ("a|b", r"a\|b"),
        ("a\nb\x00c\u202ed", "a b c d"),
        ("x" * 50, "x" * 39 + "…"),
    ],
)
def test_in_markdown(text, shown):
    assert words.in_markdown(text) == shown


def test_a_bare_address_is_no_link():
    assert "http" not in words.in_markdown("see https://example.org now")
    assert "www" not in words.in_markdown("www.example.org")


def test_in_figures_tags_are_text():
    assert words.in_figure("<b>x</b> & y") == "&lt;b&gt;x&lt;/b&gt; &amp; y"


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "0 %"),
        (0.0002, "0.02 %"),
        (0.5, "50.0 %"),
        (0.6452, "64.5 %"),
        (0.9995, "99.95 %"),
        (0.9997, "99.97 %"),
        (1 - 1e-7, "99.99999 %"),
        (1.0, "100 %"),
        (1 + 2e-16, "100 %"),
        (1 - 1e-16, "100 %"),
    ],
)
def test_shares_are_all_or_nothing_only_where_they_are(share, said):
    assert words.percent(share) == said


def test_fractions_are_1_or_0_only_where_they_are():
    given = [0.0, 0.004, 0.5, 0.994, 0.995, 0.996, 0.9999, 1.0]
    said = ["0", "0.004", "0.50", "0.99", "0.99", "0.996", "0.9999", "1"]
    assert [words.fraction(value) for value in given] == said
    for value in np.random.default_rng(0).uniform(0.9995, 1.0, 200):
        for text in (words.fraction(value), words.percent(value).removesuffix(" %")):
            assert float(text) not in (1.0, 100.0)


def test_lists_and_counts():
    assert words.listed(["a", "b"]) == "a and b" and words.listed(["a"]) == "a"
    assert words.listed("abc") == "a, b and c" and words.listed([]) == ""
    assert words.listed("abcdefg", 3) == "a, b, c and 4 more"
    assert words.listed("abc", 3) == "a, b and c"
    assert words.counted(1, "row") == "1 row"
    assert words.counted(1200, "row") == "1,200 rows"


def test_minus_signs_are_true_ones_but_for_exponents():
    assert words.signed("-1.5 to -2e-08") == "−1.5 to −2e-08"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2930.4, "2,930"),
        (29_304.0, "29,300"),
        (0.0123, "0.0123"),
        (12.34, "12.3"),
        (-1.2e-7, "−1.2 × 10⁻⁷"),
        (3.4567e9, "3.46 × 10⁹"),
        (0.0, "0"),
    ],
)
def test_numbers_as_one_writes_them_by_hand(value, said):
    assert words.plain_number(value) == said


def test_a_number_stays_with_its_unit_and_its_interval():
    text = words.unbroken(
        "after 15 ms, in 15 s (by 1.8 ± 0.8 points, 95 % interval) at m = 8, 3 steps"
    )
    assert text.replace("\u00a0", "_") == (
        "after 15_ms, in 15_s (by 1.8_±_0.8_points, 95_% interval) at m_=_8, 3 steps"
    )
