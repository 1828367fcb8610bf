"""The random grouping page's findings against enumeration, scipy.stats and exact integers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from lab import balance, balance_draw, balance_phase
from lab.charts import balance as charts
from solvers import grouping
from tests.solvers.test_grouping import enumerated_ratio_law, integer_probability

# ---------------------------------------------------------------- settings


def test_controls_offer_what_defaults_presets_and_the_paper_need():
    steps = {
        "s": balance.TRUE_STEPS,
        "m": balance.GROUP_STEPS,
        "t": balance.T_STEPS,
        "trials": balance.TRIAL_STEPS,
        "c": balance.C_STEPS,
        "target": balance.TARGET_STEPS,
    }
    for settings in (balance.DEFAULTS, *balance.PRESETS.values()):
        merged = {**balance.DEFAULTS, **settings}
        for name, allowed in steps.items():
            assert merged[name] in allowed
        assert balance.impossible(merged["n"], int(merged["s"]), int(merged["m"])) is None
    for s in balance.PAPER_TRUE:
        assert str(s) in balance.TRUE_STEPS
        assert str(balance.paper_groups(s)) in balance.GROUP_STEPS
    for texts in (balance.TRUE_STEPS, balance.GROUP_STEPS, balance.TRIAL_STEPS):
        numbers = [int(text) for text in texts]
        assert numbers == sorted(set(numbers))


def test_rule_of_the_paper():
    assert [balance.paper_groups(s) for s in (112, 504)] == [24, 81]
    assert balance.paper_groups(504, 0.25) == 20
    assert balance.paper_groups(2, 2.0) == 2  # 2·2/log 2 = 5.8 groups for two features
    assert balance.paper_groups(5, 0.1) == 1


@pytest.mark.parametrize(
    ("n", "s", "m", "words"),
    [
        (100, 200, 5, ["s = 200", "n = 100", "raise n to at least 200"]),
        (100, 20, 50, ["m = 50", "s = 20", "at most 20 groups"]),
        (100, 20, 20, None),
    ],
)
def test_impossible_settings_are_named_with_the_way_out(n, s, m, words):
    message = balance.impossible(n, s, m)
    assert (message is None) == (words is None)
    for word in words or []:
        assert word in message


# ---------------------------------------------------------------- P(balanced) against m


@pytest.mark.parametrize(("n", "s", "t"), [(60, 24, 0.5), (61, 30, 0.2), (5040, 40, 0.8)])
def test_curve_is_the_exact_law_and_finds_the_largest_m(n, s, t):
    exact_t = Fraction(str(t))
    law = {m: float(integer_probability(n, s, m, exact_t)) for m in range(1, s + 1)}
    found = balance.curve(n, s, t, target=0.6, c=1.0)
    np.testing.assert_allclose(found.exact, [law[m] for m in found.m.tolist()], rtol=1e-9)
    assert found.largest == max(m for m, p in law.items() if p >= 0.6)
    assert found.paper == balance.paper_groups(s)
    assert found.at_paper == pytest.approx(law[found.paper], rel=1e-9)
    assert {found.largest, found.paper} <= set(found.m.tolist())
    assert set(found.to_simulate.tolist()) <= set(found.m.tolist())


@pytest.mark.parametrize(("n", "s", "t"), [(5040, 504, 0.5), (100_000, 5000, 0.5), (500, 30, 0.1)])
def test_bounds_end_where_they_turn_vacuous(n, s, t):
    found = balance.curve(n, s, t, target=0.95, c=1.0)
    laws = {
        "union": lambda m: grouping.union_bound(n, s, m, t),
        "closed": lambda m: grouping.chernoff_bound(s, m, t),
        "theorem": lambda m: grouping.theorem_bound(s, m, t),
    }
    for name, law in laws.items():
        bound = getattr(found, name)
        assert (bound.values >= 0).all() and (np.diff(bound.m) > 0).all()
        assert (bound.values[:-1] > 0).all()
        expected = [law(m) for m in bound.m.tolist()]
        if bound.vacuous_from is None:
            np.testing.assert_array_equal(bound.values, expected)
            assert bound.m[-1] == found.m[-1]
        else:
            np.testing.assert_array_equal(bound.values[:-1], expected[:-1])
            assert expected[-1] <= 0 == bound.values[-1]
            assert bound.m[-1] == bound.vacuous_from
        # The union bound wavers with divisibility; of the other two this m is the very first.
        if name != "union" and bound.vacuous_from is not None:
            first = next(m for m in range(1, s + 1) if law(m) <= 0)
            assert bound.vacuous_from == first


def test_names_of_bounds_say_where_they_are_vacuous():
    def note(vacuous_from, **options):
        curve = balance.BoundCurve(np.array([1]), np.array([0.5]), vacuous_from)
        return balance.vacuous_note(curve, **options)

    assert note(None) == ""
    assert note(1) == " (vacuous)"
    assert note(17) == " (vacuous from m = 17)"
    assert note(1700, about=True) == " (vacuous from m ≈ 1,700)"


def test_curve_where_every_feature_is_true():
    found = balance.curve(300, 300, 0.9, 0.95, 1.0)
    assert found.largest == 300 == found.m[-1]  # one feature a group
    assert (found.exact[300 % found.m == 0] == 1).all()


def test_curve_at_the_largest_problem_stays_small():
    found = balance.curve(1_000_000, 5000, 0.5, 0.95, 1.0)
    assert found.largest == 138
    assert len(found.m) <= 45
    assert len(found.to_simulate) <= 8


# ---------------------------------------------------------------- simulation


@pytest.mark.parametrize(
    ("hits", "trials"), [(0, 100), (1, 100), (37, 100), (100, 100), (973, 1000)]
)
def test_interval_is_clopper_pearson(hits, trials):
    expected = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")
    assert balance.Share(hits, trials).interval == pytest.approx(tuple(expected), abs=1e-12)


def test_simulation_is_reproducible_and_bounded():
    first, again = (balance.extremes(5040, 500, 20, 1000, 3) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert (np.array(first) != np.array(balance.extremes(5040, 500, 20, 1000, 4))).any()
    smallest, largest = balance.extremes(1_000_000, 5000, 5000, 10_000, 0)
    assert len(smallest) == len(largest) == balance.MOST_COUNTS // 5000


@pytest.mark.parametrize(("n", "s", "m", "t"), [(5040, 112, 24, 0.8), (500, 60, 8, 0.5)])
def test_simulated_share_agrees_with_the_exact_law(n, s, m, t):
    share = balance.balanced_share(*balance.extremes(n, s, m, 5000, 0), t)
    p = float(integer_probability(n, s, m, Fraction(str(t))))
    assert stats.binomtest(share.hits, share.trials, p).pvalue > 1e-3


def test_balance_is_decided_in_integers():
    # R = 1.2/0.8 is 1.4999… in floats, and 3/2 is balanced.
    smallest, largest = np.array([2, 2, 0, 4]), np.array([3, 4, 0, 6])
    assert balance.balanced_share(smallest, largest, 0.2).hits == 2


# ---------------------------------------------------------------- the law of max/min


def test_ratio_law_is_the_enumerated_one():
    n, s, m, t = 14, 8, 3, 0.5
    law = enumerated_ratio_law(n, s, m)
    found = balance.ratio_law(n, s, m, t, *balance.extremes(n, s, m, 2000, 0))
    assert 3.0 in found.r
    for r, p in zip(found.r, found.exact, strict=True):
        expected = sum(w for ratio, w in law.items() if ratio is not None and ratio <= r)
        assert p == pytest.approx(float(expected), rel=1e-9, abs=1e-15)
    never = sum(w for ratio, w in law.items() if ratio is not None)
    assert found.never_empty == pytest.approx(float(never), rel=1e-9)


def test_simulated_ratio_law_covers_the_exact_one_and_passes_p_balanced():
    n, s, m, t = 5040, 500, 20, 0.5
    smallest, largest = balance.extremes(n, s, m, 2000, 0)
    found = balance.ratio_law(n, s, m, t, smallest, largest)
    ratios = largest / smallest
    at_limit = int(np.flatnonzero(found.r == 3.0)[0])
    assert found.exact[at_limit] == pytest.approx(grouping.balance_probability(n, s, m, t))
    assert found.simulated[at_limit] == balance.balanced_share(smallest, largest, t).value
    np.testing.assert_allclose(found.simulated, [(ratios <= r).mean() for r in found.r])
    covered = (found.low <= found.exact) & (found.exact <= found.high)
    assert covered.mean() > 0.8
    assert found.median == pytest.approx(np.quantile(ratios, 0.5, method="inverted_cdf"))


def test_ratio_law_where_most_splits_leave_a_group_empty():
    found = balance.ratio_law(5040, 30, 25, 0.5, *balance.extremes(5040, 30, 25, 500, 0))
    assert found.median == math.inf
    assert found.never_empty < 0.01
    assert "leave a group empty" in balance.ratio_prose(25, 0.5, 0.0, found)


# ---------------------------------------------------------------- over n


def test_law_over_n_begins_perfect_and_settles():
    found = balance.over_n(500, 20, 0.5)
    assert (found.n % 20 == 0).all() and found.n[0] == 500 and found.n[-1] == 1_000_000
    assert found.exact[0] == 1
    for n, p in zip(found.n.tolist(), found.exact, strict=True):
        assert p == grouping.balance_probability(n, 500, 20, 0.5)
    many = found.exact[found.n >= 5000]
    assert np.ptp(many) < 0.02
    spread = np.ptp(found.exact[found.n >= 5000])
    assert f"moves by {spread:.3f}" in balance.over_n_title(500, found)
    union, closed, theorem = found.bounds
    assert (union.values[~np.isnan(union.values)] > 0).all()
    assert closed.name.endswith("(vacuous)") and np.isnan(closed.values).all()
    assert theorem.name.endswith("(vacuous)") and np.isnan(theorem.values).all()


def test_largest_m_over_n():
    found = balance.largest_over_n(40, 0.5, 0.9)
    assert list(found) == [80, 400, 1_000_000]
    for n, m in found.items():
        curve = grouping.balance_curve(n, 40, range(1, 41), 0.5)
        assert m == np.flatnonzero(curve >= 0.9)[-1] + 1


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "1e-300 or less"),
        (8.12e-6, "8.1e-6"),
        (1.6e-25, "1.6e-25"),
        (0.0067, "0.007"),
        (0.9813, "0.981"),
        (0.99951, "above 0.9995"),
        (1.0, "1"),
    ],
)
def test_probabilities_in_words(p, text):
    assert balance.probability_text(p) == text


def test_bounds_in_words():
    assert balance.bound_text(-36.2) == "vacuous"
    assert balance.bound_text(0.0) == "vacuous"
    assert balance.bound_text(0.8631) == "≥ 0.863"


@pytest.mark.parametrize(
    ("s", "m", "t", "text"),
    [
        (112, 24, 0.5, "0.007"),
        (504, 81, 0.5, "8.1e-6"),
        (112, 24, 0.8, "0.610"),
        (504, 81, 0.8, "0.400"),
    ],
)
def test_answer_states_how_the_rule_of_the_paper_fares(s, m, t, text):
    found = balance.curve(5040, s, t, 0.9, 1.0)
    sentence = balance.answer(5040, s, t, 0.9, 1.0, found)
    assert f"m = s/log s = {m} does so with probability {text}." in sentence
    assert f"s = {s} true features among n = 5,040, **m = {found.largest}** is" in sentence


def test_table_repeats_the_curve():
    found = balance.curve(5040, 112, 0.5, 0.95, 1.0)
    shares = {m: balance.Share(m, 100) for m in found.to_simulate.tolist()}
    table = balance.table(found, shares)
    assert {len(column) for column in table.values()} == {len(found.m)}
    for row, m in enumerate(table["m"].tolist()):
        bound = grouping.union_bound(5040, 112, m, 0.5)
        stated = table["union bound"][row]
        assert stated == bound if bound > 0 else math.isnan(stated)
        simulated = table["P simulated"][row]
        assert simulated == shares[m].value if m in shares else math.isnan(simulated)


# ---------------------------------------------------------------- one draw


@pytest.mark.parametrize(
    ("n", "s", "m", "unit"),
    [
        (5040, 500, 20, "feature"),
        (5041, 500, 37, "feature"),
        (1_000_000, 5000, 138, "true feature"),
        (1_000_000, 5000, 2, "true feature"),
        (20_000, 4500, 900, "true feature"),
        (1_000_000, 5000, 5000, "group"),
    ],
)
def test_picture_marks_every_true_feature_once(n, s, m, unit):
    draw = balance_draw.draw(n, s, m, seed=1)
    assert draw.counts.sum() == s and draw.sizes.sum() == n and draw.n_groups == m
    picture = balance_draw.picture(draw, 0.5, seed=1)
    assert picture.unit == unit
    assert picture.tiles.size <= 40_000
    tiles = np.bincount(picture.tiles.ravel(), minlength=4)
    outside = draw.outside(0.5)
    inside_true, outside_true = draw.counts[~outside].sum(), draw.counts[outside].sum()
    if unit == "group":
        inside_true, outside_true = (~outside).sum(), outside.sum()
    assert tiles[balance_draw.TRUE_INSIDE] == inside_true
    assert tiles[balance_draw.TRUE_OUTSIDE] == outside_true
    assert tiles[balance_draw.OTHER] == (n - s if unit == "feature" else 0)


def test_picture_puts_each_group_in_its_own_cell():
    draw = balance_draw.Draw(9, sizes=np.full(4, 9), counts=np.array([1, 2, 6, 0]))
    tiles = balance_draw.picture(draw, 0.5, seed=0).tiles
    assert tiles.shape[1] % 4 == 3  # cells of three tiles with one blank between them
    cells = [
        tiles[i : i + 3, j : j + 3]
        for i in range(0, tiles.shape[0], 4)
        for j in range(0, tiles.shape[1], 4)
    ]
    true = [int((cell >= balance_draw.TRUE_INSIDE).sum()) for cell in cells]
    assert true == [1, 2, 6, 0]


def test_draw_says_whether_it_is_balanced():
    def draw(*counts):
        return balance_draw.Draw(sum(counts), np.full(len(counts), 50), np.array(counts))

    assert balance_draw.title(draw(3, 9, 6), 0.5) == (
        "Balanced: the largest is 3.00 ≤ 3 times the smallest"
    )
    assert balance_draw.title(draw(3, 10, 6), 0.5).startswith("Not balanced: the largest is 3.33 >")
    assert balance_draw.title(draw(0, 4, 5), 0.5) == "Not balanced: one group holds no true feature"
    assert balance_draw.title(draw(0, 0, 5), 0.5).endswith("2 groups hold no true feature")
    # (1 ± 0.2)·10 = 8 to 12 exactly, which floats would put at 12.0 and 7.9999….
    np.testing.assert_array_equal(draw(8, 12, 7, 13).outside(0.2), [False, False, True, True])
    prose = balance_draw.prose(draw(8, 12, 7, 13), 0.2, "feature")
    assert "2 groups lie outside the band (1 ± 0.2)·s/m = 8 to 12, in orange." in prose
    assert "orange" not in balance_draw.prose(draw(8, 12), 0.2, "feature")


# ---------------------------------------------------------------- phase diagram


def test_committed_phase_table_is_the_exact_law():
    rng = np.random.default_rng(0)
    for t_text in balance.T_STEPS:
        phase = balance_phase.phase(t_text)
        np.testing.assert_array_equal(phase.s, balance_phase.TRUE)
        np.testing.assert_array_equal(phase.m, balance_phase.GROUPS)
        possible = phase.m[:, None] <= phase.s[None, :]
        np.testing.assert_array_equal(np.isnan(phase.probability), ~possible)
        unsure = np.argwhere((phase.probability > 1e-3) & (phase.probability < 0.999))
        for i, j in rng.permutation(unsure)[:4]:
            exact = grouping.balance_probability(
                balance_phase.N_FEATURES, int(phase.s[j]), int(phase.m[i]), float(t_text)
            )
            assert phase.probability[i, j] == pytest.approx(exact, rel=1e-5)


def test_boundary_and_rule():
    s, m = balance_phase.boundary(100_000, 0.5, 0.95)
    assert s[0] == 10 and s[-1] == 5000
    assert m[-1] == grouping.recommend_n_groups(100_000, 5000, 0.5, 0.95)
    rule_s, rule_m = balance_phase.rule_curve(0.5)
    np.testing.assert_allclose(rule_s, 4 * rule_m * np.log(rule_m))
    assert rule_s.max() <= 5000
    constant = balance_phase.constant_needed(5000, int(m[-1]), 0.5)
    assert constant * 4 * m[-1] * math.log(m[-1]) == pytest.approx(5000)
    assert f"C = {constant:.2g}" in balance_phase.title(0.5, 0.95, s, m)


def test_phase_says_so_where_no_two_groups_are_balanced():
    s, m = balance_phase.boundary(60, 0.1, 0.99)
    assert m[-1] == 1
    assert "fill no two groups" in balance_phase.title(0.1, 0.99, s, m)
    assert "never leaves one group" in balance_phase.prose(60, 0.1, 0.99, s, m)


# ---------------------------------------------------------------- charts


def every_figure(mode):
    n, s, m, t = 5040, 500, 20, 0.5
    curve = balance.curve(n, s, t, 0.95, 1.0)
    pair = balance.extremes(n, s, m, 200, 0)
    shares = {k: balance.Share(k, 500) for k in curve.to_simulate.tolist()}
    law = balance.ratio_law(n, s, m, t, *pair)
    over = balance.over_n(s, m, t)
    phase = balance_phase.phase("0.5")
    draw = balance_draw.draw(n, s, m, 0)
    crowd = balance_draw.draw(1_000_000, 5000, 5000, 0)
    bounds = [
        charts.Bound(name, bound.m, bound.values, "dash")
        for name, bound in (("a", curve.union), ("b", curve.closed), ("c", curve.theorem))
    ]
    common = dict(title="finding", mode=mode)
    yield charts.probability_curve(
        curve.m,
        curve.exact,
        bounds,
        charts.Band("simulated", *balance.band(shares)),
        chosen=(20, 0.98),
        largest=curve.largest,
        paper=curve.paper,
        paper_name="rule",
        target=0.95,
        **common,
    )
    band = charts.Band("simulated", law.r, law.simulated, law.low, law.high)
    yield charts.ratio_law(law.r, law.exact, band, limit=3.0, at_limit=0.98, **common)
    lines = [charts.Bound(b.name, over.n, b.values, "dash") for b in over.bounds]
    yield charts.over_features(over.n, over.exact, lines, chosen=(n, 0.98), **common)
    yield charts.phase_diagram(
        phase.s,
        phase.m,
        phase.probability,
        rule=balance_phase.rule_curve(t),
        boundary=(np.array([10, 100]), np.array([1, 7])),
        boundary_name="P = 95%",
        chosen=(s, m),
        **common,
    )
    for found in (draw, crowd):
        yield charts.draw_picture(balance_draw.picture(found, t, 0).tiles, **common)
        yield charts.draw_counts(found.counts, found.outside(t), ideal=found.ideal, t=t, **common)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_figures_ship_small_typed_arrays_and_no_negative_probability(mode):
    figures = list(every_figure(mode))
    for figure in figures:
        assert figure.layout.title.text == "finding"
        for trace in figure.data:
            for values in (trace.x, trace.y):
                assert values is None or isinstance(values, np.ndarray)
                assert values is None or len(values) <= 2000
    for figure in figures[:3]:
        for trace in figure.data:
            assert not (np.asarray(trace.y, dtype=float) < 0).any()


def test_counts_are_bars_while_they_can_be_told_apart():
    few, many = (figure for figure in list(every_figure("light"))[5::2])
    assert [trace.type for trace in few.data] == ["bar"]
    assert [trace.type for trace in many.data] == ["scatter"]
    assert (np.diff(many.data[0].y) >= 0).all()
