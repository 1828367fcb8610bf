"""Names from files stay words."""

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


def test_lists_and_counts():
    assert words.listed(["a", "b"]) == "a and b" and words.listed(["a"]) == "a"
    assert words.listed("abc") == "a, b and c" and words.listed([]) == ""
    assert words.listed("abcdefg", 3) == "a, b, c and 4 more"
    assert words.listed("abc", 3) == "a, b and c"
    assert words.counted(1, "row") == "1 row"
    assert words.counted(1200, "row") == "1,200 rows"
