"""Every sentence of the page, over presets and extremes."""

import re
from itertools import product

import numpy as np
import pytest

from lab.balance import draws, law, over_n, phase, settings, words
from lab.balance.law import Setting
from lab.data.paper_numbers import N_FEATURES

# "1 groups", "1 true features", "1 of 1", a number printed as one or zero that is neither.
WRONG = re.compile(
    r"(?<![\d.,/=] )(?<![\d.,])\b1 (groups|draws|buckets|true features|features)\b"
    r"|\b1 of 1\b|\b1\.000\b|\bnan\b|\binf\b|None\)|\[\]|\b0\.000\b|  "
)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "less than one in a trillion"),
        (5e-324, "less than one in a trillion"),
        (9.99e-13, "less than one in a trillion"),
        (1e-12, "one in about 1 trillion"),
        (1.004e-12, "one in about 1 trillion"),
        (3.7e-11, "one in about 27 billion"),
        (1.001e-9, "one in about 1 billion"),
        (4.2e-8, "one in about 24 million"),
        (1.02e-6, "one in about 980,000"),
        (1.002e-6, "one in about 1 million"),
        (9.1e-6, "one in about 110,000"),
        (8.12e-6, "one in about 120,000"),
        (0.00099, "one in about 1,000"),
        (0.0067, "one in about 150"),
        (0.009999, "one in about 100"),
        (0.01, "0.010"),
        (0.9813, "0.981"),
        (0.99949, "0.999"),
        (0.9995, "0.9995 or more"),
        (0.99951, "0.9995 or more"),
        (1 - 1e-15, "0.9995 or more"),
        (1.0, "0.9995 or more"),
    ],
)
def test_probabilities_in_words(p, text):
    assert words.probability_text(p) == text


def test_a_chance_after_a_verb():
    told = {p: words.with_chance(words.probability_text(p)) for p in (0.0, 9.1e-6, 0.98, 0.99999)}
    assert told == {
        0.0: "with a chance of less than one in a trillion",
        9.1e-6: "with a chance of one in about 110,000",
        0.98: "with probability 0.980",
        0.99999: "with probability 0.9995 or more",
    }
    assert words.with_chance(words.probability_text(1.0, certain=True)) == "with probability 1"


def test_only_what_is_certain_has_probability_one():
    assert words.probability_text(1.0, certain=True) == "1"
    assert words.probability_text(0.0, certain=True) == "0"
    at = Setting(1_000_000, 5000, 0.9)
    assert words.chance(at, 1, 1.0) == "1"
    assert words.chance(at, 2, 1.0) == "0.9995 or more"


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (-36.2, "says nothing"),
        (0.0, "says nothing"),
        (1e-5, "P > 0"),
        (0.8639, "P ≥ 0.863"),
        (0.99949, "P ≥ 0.999"),
        (0.99999, "P ≥ 0.9995"),
        (1.0, "P ≥ 0.9995"),
    ],
)
def test_bounds_are_rounded_down(bound, text):
    assert words.bound_text(bound) == text


@pytest.mark.parametrize(
    ("s", "m", "t", "text"),
    [
        (112, 24, 0.5, "with a chance of one in about 150"),
        (504, 81, 0.5, "with a chance of one in about 120,000"),
        (112, 24, 0.8, "with probability 0.610"),
        (504, 81, 0.8, "with probability 0.400"),
    ],
)
def test_answer_states_how_the_rule_of_the_paper_fares(s, m, t, text):
    at = Setting(5040, s, t, 0.9)
    found = law.curve(at)
    sentence = words.answer(at, found)
    assert f"the paper's s/log s = {m} groups do so {text}." in sentence
    assert sentence.startswith(f"**At most {found.largest}** random groups share s = {s} true")


def test_answer_where_not_even_two_groups_will_do_and_where_the_rule_gives_one():
    at = Setting(50, 5, 0.1, 0.99, 0.1)
    sentence = words.answer(at, law.curve(at))
    assert sentence.startswith("**Not even two**")
    assert "the paper's 0.1·s/log s = 1 group does so with probability 1." in sentence


def test_only_what_the_proof_covers_is_called_proven():
    at = Setting(n=100_000, s=5_000, t=0.5)
    proven = law.bounds(at)
    for m, covered in ((20, True), (22, False)):
        assert min(proven.at(m).values()) > 0.0 and (at.n % m == 0) is covered
        title = words.bounds_title(at, m, 0.99, proven.at(m))
        assert title.count("(") == (3 if covered else 1) and words.NAMES["union"] in title
        prose = words.bounds_prose(at, m, proven)
        assert prose.count(f"At m = {m} it proves") == (3 if covered else 1)
        assert prose.count("does not divide") == (0 if covered else 2)


def every_sentence(at: Setting, m: int) -> list[str]:
    curve, proven = law.curve(at), law.bounds(at)
    exact = curve.by_m[m]
    text = words.chance(at, m, exact)
    found = draws.draw(at.n, at.s, m, 0)
    sizes = over_n.over_n(at.s, m, at.t)
    said = [
        words.answer(at, curve),
        words.draw_label(found),
        words.curve_title(at, m, exact),
        words.curve_alt(at, m, exact, curve),
        words.curve_prose(at, m, exact, curve),
        words.bounds_title(at, m, exact, proven.at(m)),
        words.bounds_alt(at, m, exact, proven.at(m)),
        words.bounds_prose(at, m, proven),
        words.over_n_prose(at, m, sizes, {at.n: curve.largest}),
        *(words.over_n_title(at, m, exact, n, p) for n, p in sizes.by_n.items()),
        *(words.over_n_alt(at, m, exact, n, p, sizes) for n, p in sizes.by_n.items()),
    ]
    for shown in (1, 2, 1000):
        told = (found, at.t, shown, text)
        said += [
            words.draw_title(*told),
            words.draw_alt(*told),
            words.draw_prose(found, at.t, told[-1]),
        ]
    return said


EXTREMES = [
    (Setting(n, s, t, target, c), m)
    for (n, s), t, (target, c) in product(
        [(5, 5), (50, 5), (5040, 30)], (0.1, 0.9), [(0.5, 0.1), (0.99, 2.0)]
    )
    for m in (1, 2, s)
    if str(m) in settings.groups_up_to(s)
]
PRESETS = [
    (
        Setting(
            merged["n"], int(merged["s"]), float(merged["t"]), settings.target_of(merged["target"])
        ),
        int(merged["m"]),
    )
    for merged in ({**settings.DEFAULTS, **changes} for changes in settings.PRESETS.values())
    if merged["n"] == N_FEATURES
]


@pytest.mark.parametrize(("at", "m"), [*EXTREMES, *PRESETS], ids=str)
def test_no_sentence_of_presets_and_extremes_is_ill_formed(at, m):
    for sentence in every_sentence(at, m):
        assert not WRONG.search(sentence), sentence
        assert sentence.strip() == sentence and sentence


@pytest.mark.parametrize("n", [5, 50])
def test_sentences_of_the_phase_diagram(n):
    at = Setting(n, 5, 0.1, 0.99)
    found = phase.phase(at.n, at.t, at.target)
    for sentence in (words.phase_alt(at, found), words.phase_prose(at, found)):
        assert not WRONG.search(sentence), sentence


def test_the_check_would_have_caught_what_was_said_before():
    for sentence in ("1 groups at most reach", "1 of 1 draw balanced", "P ≥ 1.000", "s/m = nan"):
        assert WRONG.search(sentence)


def test_a_probability_next_to_the_wanted_one_shows_its_side():
    at = Setting(5040, 500, 0.5, 0.95)
    assert words.curve_title(at, 20, 0.9498).startswith(
        "m = 20: balanced with probability 0.94980, which misses"
    )


def test_a_draw_is_told_with_its_reason():
    def one(*counts):
        low, high = np.array([min(counts)]), np.array([max(counts)])
        found = draws.Draws(90, sum(counts), len(counts), low, high, np.array([counts]))
        return words.one_draw(found, 0.5, 1)

    assert one(3, 9, 6) == "Draw 1 is balanced: fullest 9, emptiest 3, ratio 3.00 ≤ 3"
    assert one(3, 10, 6) == "Draw 1 is not balanced: fullest 10, emptiest 3, ratio 3.33 > 3"
    assert one(0, 4, 5) == "Draw 1 is not balanced: fullest 5, emptiest 0"
    assert one(4) == "Draw 1 is balanced: the only group holds all 4"


def test_two_draws_are_both_or_neither():
    even, uneven = draws.draw(5040, 500, 1, 0), draws.draw(5040, 5, 5, 0)
    assert words.so_far(even, 0.5, 2) == "Both draws so far balanced"
    assert words.so_far(even, 0.5, 3) == "All 3 draws so far balanced"
    assert words.so_far(uneven, 0.1, 2) == "Neither of 2 draws so far balanced"


def test_what_stands_below_the_draws_is_true_while_they_come():
    """The browser adds draws before the server knows: only the title, which it has, counts them."""
    at = Setting(5040, 500, 0.5, 0.95)
    found = draws.draw(at.n, at.s, 20, 0)
    prose = words.draw_prose(found, at.t, "0.971")
    assert "so far" not in prose and "interval" not in prose
    assert "One draw says little, *1,000 draws* say more; the exact law" in prose
    for shown in (2, 42, 1000):
        low, high = found.so_far(shown, at.t).interval
        title = words.draw_title(found, at.t, shown, "0.971")
        assert f"(95 % interval {words.interval_text(low, high)});" in title
