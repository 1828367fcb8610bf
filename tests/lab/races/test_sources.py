"""Problems from elsewhere: the peers' generator, real sets, a table of the visitor's own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lab import races
from lab.data.datasets import Dataset, load
from lab.races import code
from lab.races.race import Race
from lab.races.remote import RaceHost, RemoteRace
from solvers import Groups, solve_lasso

ROOT = Path(__file__).resolve().parents[3]


def table_of(task="regression", groups=None) -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 12))
    y = X[:, 0] - X[:, 5] + 0.1 * rng.standard_normal(30)
    y = y if task == "regression" else np.where(y > 0, 1.0, -1.0)
    groups = Groups.contiguous(12, 4) if groups is None else groups
    return Dataset(X, y, task, "a table", groups=groups)


@pytest.mark.parametrize("label", races.ELSEWHERE)
def test_presets_from_elsewhere_go_through_the_controls_unchanged(label):
    spec = races.ELSEWHERE[label]
    assert races.spec_of({**races.default_controls(), **races.controls_of(spec)}) == spec
    assert races.refusal(spec) is None
    assert len(spec.methods) >= 4 and not set(spec.methods) & set(races.refused_by(spec))
    assert label in races.PRESET_WORDS and races.presets()[label]["data"]
    assert spec.repeats >= 3  # one draw does not tell who is faster


def test_the_peers_problems_have_their_sizes_and_strength():
    """N × n, 20 groups, and λ: their λ‖w‖_e² with .1 is our λ/2‖w‖_e² with .2."""
    sizes = {
        "Correlated, 2,000 features": ("lasso", 200, 2000),
        "Correlated, 10,000 features": ("lasso", 200, 10_000),
        "Correlated, logistic": ("logistic", 200, 4000),
    }
    for label, (problem, n_samples, n_features) in sizes.items():
        spec = races.ELSEWHERE[label]
        assert (spec.problem, spec.n_samples, spec.n_features) == (problem, n_samples, n_features)
        assert (spec.source, spec.n_groups, spec.lam) == ("peers", 20, pytest.approx(2 * 0.1))


@pytest.mark.parametrize("kind", ["lasso", "logistic", "svm"])
@pytest.mark.parametrize("source", ["peers", "digits", "breast_cancer"])
def test_each_problem_can_be_raced_on_each_source(kind, source):
    controls = {
        **races.default_controls(),
        "problem": races.PROBLEMS[kind],
        "data": races.SOURCES[source],
        "samples": 40,
        "features": 60,
        "groups": 6,
        "budget": 0.2,
        "repeats": 1,
        "tol": "1e-2",
    }
    spec = replace(races.spec_of(controls), methods=("newton",))
    assert races.refusal(spec) is None
    data = load(spec.data(0))
    assert (spec.n_samples, spec.n_features) == data.X.shape
    assert data.groups.n_groups == spec.n_groups == 6
    race = Race(spec)
    race.advance()
    assert race.heats[0].runners[0].result.status in ("converged", "time_budget")
    assert source.replace("_", " ").split()[0] in spec.description


def test_what_other_data_cannot_do_is_refused_in_a_sentence():
    real = replace(races.ELSEWHERE["Digits"], problem="lasso", lam=None, methods=("newton",))
    assert "needs true weights" in races.refusal(real)
    peers = races.ELSEWHERE["Correlated, 2,000 features"]
    assert "does not divide" in races.refusal(replace(peers, n_groups=7))
    assert "by the paper's generator only" in races.refusal(replace(peers, problem="overlapped"))
    assert "at most 400 groups" in races.refusal(replace(peers, n_groups=500))
    digits = replace(races.ELSEWHERE["Digits"], n_groups=65)
    assert "at most as many groups" in races.refusal(digits)


def test_a_table_is_raced_as_it_is():
    table = table_of()
    controls = {**races.default_controls(), **races.controls_for(table)}
    spec = replace(races.spec_of(controls, table), methods=("newton", "pcp"), repeats=2, budget=5.0)
    assert (spec.n_samples, spec.n_features, spec.n_groups) == (30, 12, 4)
    assert spec.source == "own" and races.refusal(spec) is None and spec.lam is not None
    race = Race(spec, table)
    race.advance()
    exact = solve_lasso(table.X, table.y, table.groups, spec.lam, tol=1e-9)
    for heat in race.heats:
        for runner in heat.runners:
            assert runner.result.objective == pytest.approx(exact.objective, rel=1e-5)
    standings = races.podium(race)
    assert "2 repeats" in races.headline(race, standings, example=False)
    # Without the table the controls mean drawn data, never somebody else's table.
    assert races.spec_of(controls).source == "paper"


def test_another_table_is_another_race():
    groups = Groups.from_lists([[0, 1, 2, 3, 4, 5], [5, 6, 7, 8, 9, 10, 11]], 12)
    one, other = table_of("classification"), table_of("classification", groups)
    controls = {**races.default_controls(), **races.controls_for(one)}
    first, second = races.spec_of(controls, one), races.spec_of(controls, other)
    assert first.problem == "svm" and first.table != second.table
    assert second.overlapping and races.refused_by(second) != races.refused_by(first)


def test_a_table_goes_to_the_process_that_races_it_and_its_script_reproduces_it(tmp_path):
    table = table_of()
    controls = {**races.default_controls(), **races.controls_for(table), "repeats": 1}
    spec = replace(races.spec_of(controls, table), methods=("newton",))
    host = RaceHost()
    try:
        race = RemoteRace(spec, host, table)
        while not race.finished:
            race.advance()
    finally:
        host.close()
    assert not race.trouble
    objective = race.heats[0].runners[0].result.objective
    (tmp_path / code.TABLE_FILE).write_bytes(code.table_file(table))
    script = tmp_path / "race.py"
    script.write_text(code.snippet(spec), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"objective {objective!r}" in ran.stdout
