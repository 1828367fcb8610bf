"""One at a time, and a short race is not stuck behind a long one."""

from itertools import pairwise

from lab.running import line
from lab.running.turnstile import Turnstile


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def hall(steps: int, arrivals: dict[int, tuple[str, float]]):
    """Seconds pass one by one; who arrives asks each second until it has had what it needs.

    Gives the turns, second by second, and when each was done.
    """
    clock = Clock()
    turnstile = Turnstile(patience=5.0, clock=clock)
    left: dict[str, float] = {}
    turns, done = [], {}
    for second in range(steps):
        clock.now = float(second)
        if second in arrivals:
            ticket, needs = arrivals[second]
            left[ticket] = needs
        for ticket in left:
            with turnstile.turn(ticket, left[ticket]):
                pass
        had = turnstile.queue[0] if left else None
        if had is not None:
            left[had] -= 1.0
            if left[had] <= 0.0:
                del left[had]
                done[had] = second
                turnstile.leave(had)
        turns.append(had)
    return turns, done


def test_a_newcomer_passes_a_race_that_has_had_long_and_the_long_one_goes_on():
    turns, done = hall(400, {0: ("long", 200.0), 100: ("short", 5.0)})
    assert done["short"] <= 110
    assert turns.count("long") == 200 and done["long"] == 204


def test_long_races_take_turns_in_slices():
    turns, done = hall(400, {0: ("a", 100.0), 1: ("b", 100.0)})
    assert set(done) == {"a", "b"} and max(done.values()) == 199
    changes = [second for second in range(1, 200) if turns[second] != turns[second - 1]]
    assert len(changes) >= 4
    slices = [after - before for before, after in pairwise(changes)]
    assert min(slices[:-1]) >= line.SLICE_SECONDS  # the last is what was left


def test_first_come_first_served_among_newcomers():
    _, done = hall(60, {0: ("a", 10.0), 1: ("b", 5.0), 2: ("c", 2.0)})
    assert list(done) == ["a", "b", "c"]


def test_the_wait_is_what_those_ahead_need_at_most():
    clock = Clock()
    turnstile = Turnstile(clock=clock)
    for ticket, needs in (("a", 12.0), ("b", 500.0), ("c", 3.0)):
        with turnstile.turn(ticket, needs):
            pass
    assert turnstile.wait_of("a") == 0.0
    assert turnstile.wait_of("b") == 12.0
    # A newcomer gives way after a while, however much it needs.
    assert turnstile.wait_of("c") == 12.0 + line.NEWCOMER_SECONDS
    assert turnstile.wait_of() == 12.0 + line.NEWCOMER_SECONDS + 3.0
    assert turnstile.queue == ("a", "b", "c")


def test_a_long_race_has_its_slices_however_many_newcomers_come():
    """It had a single second of every two minutes, where it was owed thirty."""
    arrivals = {0: ("long", 120.0)} | {40 + 5 * k: (f"short {k}", 5.0) for k in range(150)}
    turns, done = hall(800, arrivals)
    assert done["long"] < 800 and turns.count("long") == 120
    later = [second for second in range(41, 800) if turns[second] == "long"]
    slices = 1 + sum(b > a + 1 for a, b in pairwise(later))
    assert len(later) / slices > 0.6 * line.SLICE_SECONDS  # the last is what was left


def test_the_wait_counts_the_rest_of_a_slice_that_was_owed():
    clock = Clock()
    turnstile = Turnstile(patience=1e9, clock=clock)

    def ask(*tickets):
        for ticket, needs in tickets:
            with turnstile.turn(ticket, needs):
                pass

    ask(("long", 500.0))
    clock.now = 40.0
    ask(("long", 460.0), ("first", 1e3))
    assert turnstile.wait_of("first") == 0.0 and turnstile.wait_of("long") == 1e3
    ask(("first", 1e3), ("long", 460.0))
    assert turnstile.queue[0] == "first"
    assert turnstile.wait_of() == line.NEWCOMER_SECONDS + line.SLICE_SECONDS
