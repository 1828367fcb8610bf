"""Races that were run before: kept whole, found by id, bounded, or shipped with the source."""

import gzip
import json
import os
from dataclasses import replace

import numpy as np
import pytest

from lab import races
from lab.paper import measured
from lab.races import Race, RaceSpec, recorded
from lab.races.known import Known
from lab.races.panels import PANELS
from lab.results import for_files, made_here, shipped_folder
from lab.results.provenance import NOT_RECORDED

SMALL = RaceSpec(n_samples=20, n_features=40, n_groups=4, lam=30.0, budget=5.0, repeats=2)


@pytest.fixture(scope="module")
def race():
    race = Race(SMALL)
    race.advance()
    return race


def test_a_kept_race_is_found_with_all_that_it_measured(race, tmp_path):
    assert recorded.keep(race, tmp_path)
    again = recorded.find(race.ticket, tmp_path)
    assert again.ticket == race.ticket and not again.cancelled
    assert again.spec == race.spec and again.finished and not again.advancing
    before, after = races.podium(race), races.podium(again)
    assert before == after
    for measure in races.MEASURES:
        for old, new in zip(
            races.curves(race, measure, "seconds"),
            races.curves(again, measure, "seconds"),
            strict=True,
        ):
            np.testing.assert_array_equal(old.y, new.y)
    told = for_files(again.made)
    assert told == for_files(made_here()) and NOT_RECORDED not in told.values()
    assert races.document(again) == {**races.document(race), "made": again.made}


def test_a_cancelled_race_is_kept_as_what_it_is(tmp_path):
    """Without a certificate by then, in the second of its draws, and with a reason."""
    race = Race(replace(SMALL, lam=1e-3, tol=1e-8, methods=("pcp", "locp"), budget=0.02))
    while len(race.heats) < 2 or not race.heats[1].begun:
        race.advance(0.001)
    race.cancel()
    assert race.cancelled
    race.trouble = "The process has ended."
    assert recorded.keep(race, tmp_path)
    again = recorded.find(race.ticket, tmp_path)
    assert again.finished and again.cancelled and again.trouble == race.trouble
    assert races.document(again) == {**races.document(race), "made": again.made}
    standings = races.podium(again)
    assert standings == races.podium(race)
    told = races.headline(again, standings, example=False)
    assert told == races.headline(race, standings, example=False)
    assert "when the race was cancelled in draw 2 of 2" in told


def test_a_race_of_which_nothing_was_measured_is_not_kept(tmp_path):
    race = Race(SMALL)
    race.cancel()
    assert not recorded.keep(race, tmp_path) and not list(tmp_path.iterdir())


def test_few_races_that_are_on_are_known_the_oldest_dropped():
    known, those = Known(most=2), [Race(SMALL) for _ in range(3)]
    for each in those:
        known.add(each)
    assert [known.get(each.ticket) for each in those] == [None, *those[1:]]
    known.drop(those[1].ticket)
    known.drop("nobody")
    assert known.get(those[1].ticket) is None and known.get(those[2].ticket) is those[2]


def test_the_oldest_are_dropped(race, tmp_path, monkeypatch):
    monkeypatch.setattr(recorded, "MOST_KEPT", 2)
    for name in ("000000000001", "000000000002"):
        path = tmp_path / f"{name}.json.gz"
        path.write_bytes(b"")
        # Older than anything written now, the first one the oldest.
        moment = int(name)

        os.utime(path, (moment, moment))
    assert recorded.keep(race, tmp_path)
    left = {path.name.split(".")[0] for path in tmp_path.iterdir()}
    assert left == {"000000000002", race.ticket}


@pytest.mark.parametrize("text", ["", "../../etc/passwd", "0" * 11, "x" * 12])
def test_what_is_no_id_is_not_looked_for(text, tmp_path):
    assert recorded.find(text, tmp_path) is None


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", gzip.compress(b"{}"), gzip.compress(json.dumps({"spec": 1, "runs": []}).encode())],
    ids=("empty", "not compressed", "nothing in it", "no spec"),
)
def test_a_damaged_file_is_no_race(content, tmp_path):
    (tmp_path / f"{'a' * 12}.json.gz").write_bytes(content)
    assert recorded.find("a" * 12, tmp_path) is None


def test_a_folder_that_cannot_be_written_keeps_nothing(race, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert not recorded.keep(race, blocked / "races")


@pytest.mark.parametrize("label", races.PAPER)
def test_the_papers_races_come_with_the_source(label):
    spec = races.PAPER[label]
    race = recorded.shipped(spec)
    assert race is not None and race.spec == spec
    assert len(race.heats) == spec.repeats and race.made["processor"]
    standings = races.podium(race)
    assert {standing.key for standing in standings} == set(spec.methods)
    assert standings[0].seconds_to[spec.tol] < spec.budget
    assert recorded.shipped(replace(spec, seed=5)) is None


@pytest.mark.parametrize(("seed", "repeats"), [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2)])
def test_some_seeds_of_a_shipped_race_are_those_of_the_whole(seed, repeats):
    for panel in PANELS.values():
        spec, whole = panel.spec, recorded.shipped(panel.spec)
        part = recorded.shipped(replace(spec, seed=seed, repeats=repeats))
        assert part.spec.repeats == len(part.heats) == repeats
        for heat, other in zip(part.heats, whole.heats[seed:], strict=False):
            assert heat.bound == other.bound
            for runner, same in zip(heat.runners, other.runners, strict=True):
                np.testing.assert_array_equal(runner.history["gap"], same.history["gap"])
        for seeds in (dict(seed=seed, repeats=4 - seed), dict(seed=3, repeats=1)):
            assert recorded.shipped(replace(spec, **seeds)) is None


@pytest.mark.parametrize("label", races.PAPER)
def test_a_shipped_race_says_who_made_it_and_invents_nothing(label):
    race = recorded.shipped(races.PAPER[label])
    told = for_files(race.made)
    written = json.loads((shipped_folder() / "figure2.json").read_text(encoding="utf-8"))
    runs = [run for panel in written["panels"].values() for run in panel["runs"]]
    noted = [written["environment"], *runs]
    for name in ("date", "commit", "processor"):
        assert told[name] in {each.get(name, NOT_RECORDED) for each in noted}
    libraries = {", ".join(each.get("blas", ())) or NOT_RECORDED for each in noted}
    assert told["BLAS"] in libraries
    assert "numpy" in told["versions"] or told["versions"] == NOT_RECORDED
    (lane,) = [lane for name, lane in runs[0]["lanes"].items() if name == "ours"]
    noted = lane["history"].get("nonzeros", [np.nan] * len(lane["history"]["gap"]))
    first = recorded.shipped(PANELS["2a"].spec).heats[0].runners[0]
    np.testing.assert_array_equal(first.history["nonzeros"], noted)  # none that nobody counted


def test_what_another_day_recorded_is_not_told_of_a_run():
    environment = {"date": "2026-01-02", "processor": "abacus", "commit": "1234567"}
    run = {"date": "2026-01-02", "processor": "abacus"}
    assert recorded._made(run, environment)["commit"] == "1234567"
    for other in ({**run, "date": "2026-01-01"}, {**run, "processor": "another"}, {}):
        assert "commit" not in recorded._made(other, environment)
    assert recorded._made({**run, "commit": "7654321"}, environment)["commit"] == "7654321"
    assert for_files({}) == dict.fromkeys(for_files({}), NOT_RECORDED)


@pytest.mark.parametrize("key", PANELS)
def test_the_podium_and_paper_vs_measured_tell_the_same_times(key):
    """Of one recorded race: to every level, by either accuracy, seed by seed and by the median."""
    panel = json.loads((shipped_folder() / "figure2.json").read_text(encoding="utf-8"))["panels"][
        key
    ]
    for standing in races.podium(recorded.shipped(PANELS[key].spec)):
        lane = "ours" if standing.key == "newton" else standing.key
        for level in (1e-2, 1e-4, 1e-6):
            for told, median, measure in (
                (standing.each_seconds_to, standing.seconds_to, "gap"),
                (standing.each_true_seconds_to, standing.true_seconds_to, "suboptimality"),
            ):
                assert list(told[level]) == measured.seconds_by_seed(panel, lane, level, measure)
                assert median[level] == measured.seconds_to(panel, lane, level, measure)


def test_what_was_noted_is_told_rather_than_the_next_row_that_was_kept():
    rows = {"seconds": [0.0, 1.0, 2.0, 4.0], "iteration": [0, 10, 20, 41]}
    times = {"gap": {"1e-02": 2.0, "1e-04": 3.0, "1e-06": None}}
    lane = {"history": rows, "times": times, "when_change_reached": {"1e-02": {"seconds": 1.5}}}
    assert races.noted(lane, "gap", 1e-2) == (2.0, 20.0)
    assert races.noted(lane, "gap", 1e-4) == (3.0, 30.5)  # half-way between two rows
    assert races.noted(lane, "gap", 1e-6) == races.NEVER
    assert races.noted(lane, "gap", 1e-8) is None
    assert races.noted(lane, "change", 1e-2) == (1.5, 15.0)
    assert (
        races.noted({**lane, "when_change_reached": {"1e-02": None}}, "change", 1e-2) == races.NEVER
    )
