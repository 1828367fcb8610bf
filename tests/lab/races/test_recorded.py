"""Races that were run before: kept whole, found by id, bounded, or shipped with the source."""

import gzip
import json
import os
from dataclasses import replace

import numpy as np
import pytest

from lab import races
from lab.races import Race, RaceSpec, recorded
from lab.races.panels import PANELS

SMALL = RaceSpec(n_samples=20, n_features=40, n_groups=4, lam=30.0, budget=5.0, repeats=2)


@pytest.fixture(scope="module")
def race():
    race = Race(SMALL)
    race.advance()
    return race


def test_a_kept_race_is_found_with_all_that_it_measured(race, tmp_path):
    id = recorded.keep(race, tmp_path)
    again = recorded.find(id, tmp_path)
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
    for key in ("date", "processor", "blas", "packages", "commit"):
        assert key in again.made
    written, rewritten = races.document(race), races.document(again)
    assert recorded.identity(written) == recorded.identity(rewritten) == id


def test_the_oldest_are_dropped(race, tmp_path, monkeypatch):
    monkeypatch.setattr(recorded, "MOST_KEPT", 2)
    for name in ("000000000001", "000000000002"):
        path = tmp_path / f"{name}.json.gz"
        path.write_bytes(b"")
        # Older than anything written now, the first one the oldest.
        moment = int(name)

        os.utime(path, (moment, moment))
    id = recorded.keep(race, tmp_path)
    left = {path.name.split(".")[0] for path in tmp_path.iterdir()}
    assert left == {"000000000002", id}


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
    assert recorded.keep(race, blocked / "races") is None


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


def test_a_shipped_race_stands_as_the_benchmark_counted():
    """Times to a level and final gaps of the committed file, to the digits it has."""
    from lab.results.places import shipped_folder

    written = json.loads((shipped_folder() / "figure2.json").read_text(encoding="utf-8"))
    runs = written["panels"]["2a"]["runs"]
    standings = {one.key: one for one in races.podium(recorded.shipped(PANELS["2a"].spec))}
    for key, lane in (("newton", "ours"), ("locp", "locp"), ("pls_dn", "pls_dn")):
        for level in (1e-2, 1e-4, 1e-6):
            times = [run["lanes"][lane]["times"]["gap"][f"{level:.0e}"] for run in runs]
            expected = np.median([np.inf if time is None else time for time in times])
            assert standings[key].seconds_to[level] == pytest.approx(expected, rel=0.02)
