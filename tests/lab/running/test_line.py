"""Who computes next: newcomers in order, long work in slices, nobody forgotten."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import lecture_hall
from lab.results import shipped_folder
from lab.running import line
from lab.running.line import Place


def old(number, waiting_since=0.0, last_turn=line.SLICE_SECONDS):
    return Place(number, waiting_since, served=10 * line.NEWCOMER_SECONDS, last_turn=last_turn)


def test_newcomers_come_in_the_order_of_their_arrival():
    assert line.first_of([Place(3, 0.0), Place(2, 5.0)], 9.0).number == 2


def test_a_newcomer_passes_long_work():
    assert line.first_of([old(1), Place(2, 0.0)], 1.0).number == 2


def test_long_work_takes_turns():
    assert line.first_of([old(1, waiting_since=4.0), old(2, waiting_since=3.0)], 5.0).number == 2


def test_long_work_gets_its_share_however_many_newcomers_come():
    share = line.NEWCOMERS_SHARE * line.SLICE_SECONDS
    assert line.first_of([old(1), Place(2, 0.0)], share - 1.0).number == 2
    assert line.first_of([old(1), Place(2, 0.0)], share).number == 1


def test_two_long_ones_have_one_share_between_them():
    just_had = old(1, waiting_since=1000.0)
    assert line.first_of([just_had, old(2), Place(3, 0.0)], 1001.0).number == 3


def test_a_newcomer_is_not_disturbed_but_long_work_gives_way_to_it():
    waiting = [Place(2, 0.0)]
    assert not line.gives_way(Place(1, 0.0), line.NEWCOMER_SECONDS - 1.0, waiting, 29.0)
    assert line.gives_way(Place(1, 0.0), line.NEWCOMER_SECONDS, waiting, 30.0)
    assert line.gives_way(old(1), 0.1, waiting, 1.0)


def test_long_work_that_was_owed_its_share_has_a_slice_of_it():
    """A newcomer took it away after one call, of perhaps a fifth of a second."""
    owed = line.NEWCOMERS_SHARE * line.SLICE_SECONDS
    for seconds in (0.2, line.SLICE_SECONDS - 0.1):
        assert not line.gives_way(old(1), seconds, [Place(2, 0.0)], owed + seconds)
        left = line.undisturbed(old(1), seconds, [Place(2, 0.0)], owed + seconds)
        assert left == pytest.approx(line.SLICE_SECONDS - seconds)
    assert line.gives_way(old(1), line.SLICE_SECONDS, [Place(2, 0.0)], owed + line.SLICE_SECONDS)


def test_who_is_interrupted_at_once_has_not_waited_for_nothing():
    place = old(1)
    place.serve(0.0, 100.0)
    assert place.waiting_since == 0.0
    place.serve(line.SLICE_SECONDS / 2.0, 100.0 + line.SLICE_SECONDS / 2.0)
    assert place.waiting_since == 100.0 + line.SLICE_SECONDS / 2.0 - 50.0
    place.serve(line.SLICE_SECONDS, 300.0)
    assert place.waiting_since == 300.0


def test_long_work_gives_way_to_other_long_work_after_a_slice():
    assert not line.gives_way(old(1), line.SLICE_SECONDS - 1.0, [old(2)], 29.0)
    assert line.gives_way(old(1), line.SLICE_SECONDS, [old(2)], 30.0)
    assert not line.gives_way(old(1), 1e6, [], 1e6)


def test_the_expected_wait_counts_who_goes_first():
    places = [Place(1, 0.0), Place(2, 0.0), old(3)]
    left = {1: 12.0, 2: 8.0, 3: 500.0}
    assert line.expected_wait(places[0], places, left, 0.0) == 0.0
    assert line.expected_wait(places[1], places, left, 0.0) == 12.0
    assert line.expected_wait(places[2], places, left, 0.0) == 20.0


def test_the_expected_wait_behind_a_long_newcomer_is_what_newcomers_are_given():
    places = [Place(1, 0.0), Place(2, 0.0)]
    assert line.expected_wait(places[1], places, {1: 1e4, 2: 5.0}, 0.0) == line.NEWCOMER_SECONDS


@given(
    left=st.lists(st.floats(0.1, 300.0), min_size=2, max_size=6),
    served=st.lists(st.floats(0.0, 300.0), min_size=6, max_size=6),
)
def test_the_expected_wait_is_never_more_than_all_the_others_need(left, served):
    places = [Place(k, 0.0, served=served[k]) for k in range(len(left))]
    guesses = dict(enumerate(left))
    for mine in places:
        wait = line.expected_wait(mine, places, guesses, 0.0)
        assert 0.0 <= wait <= sum(left) - guesses[mine.number] + 1e-6


@pytest.mark.parametrize("spread", lecture_hall.GUESSES.values(), ids=lecture_hall.GUESSES)
def test_in_a_lecture_hall_short_work_does_not_wait_for_long_work(spread):
    found = {
        name: lecture_hall.measure(kind, draws=5, spread=spread)
        for name, kind in lecture_hall.KINDS.items()
    }
    ours = found["newcomers first, then slices (ours)"]
    # Half an hour of everybody's sweeps comes within five minutes; 44 minutes of others' do not.
    assert ours["short_p95_seconds"] < 450.0
    assert ours["short_p95_seconds"] < 0.1 * found["first come, first served"]["short_p95_seconds"]
    assert ours["long_worst_slowdown"] < 3.0


def test_the_rule_was_chosen_since_it_needs_no_guesses():
    """What the line's own text says, read from what the simulation wrote."""
    kinds = json.loads((shipped_folder() / "lecture_hall.json").read_text())["kinds"]
    known, badly, unknown = lecture_hall.GUESSES
    ours, other = (kinds[k] for k in ("newcomers first, then slices (ours)", _SHORTEST))
    for name in ("short_median_seconds", "short_p95_seconds"):
        assert 0.6 * ours[known][name] < other[known][name] < ours[known][name]
        assert other[unknown][name] > 1.4 * ours[unknown][name]
    assert other[badly]["short_worst_seconds"] > 3600.0 > 5.0 * ours[badly]["short_worst_seconds"]


_SHORTEST = "shortest first, ageing"


@pytest.mark.parametrize("kind", lecture_hall.KINDS.values(), ids=lecture_hall.KINDS)
def test_every_kind_of_line_serves_everybody(kind):
    jobs = lecture_hall.lecture(lecture_hall.np.random.default_rng(1), 0.6)
    lecture_hall.simulate(jobs, kind)
    assert all(job.ended >= job.arrives + job.alone - 1e-9 for job in jobs)
