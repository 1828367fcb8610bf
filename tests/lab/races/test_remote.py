"""Races in a process of their own: the same numbers, still when unwatched, never orphaned."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from lab import races
from lab.races import Race, RaceHost, RaceSpec, RemoteRace
from lab.races.remote import Order
from lab.races.worker import Stable
from tests.clocks import PATIENCE, until
from tests.lab.running.test_jobs import alive

SMALL = RaceSpec(n_samples=30, n_features=60, n_groups=6, lam=30.0, budget=5.0)
# Millions of iterations from its end: still running on any machine, whenever a test looks.
ENDLESS = replace(SMALL, lam=1e-6, tol=1e-12, methods=("pcp", "locp"), budget=1e6)


@pytest.fixture(scope="module")
def host():
    host = RaceHost()
    yield host
    host.close()


def finished(race: RemoteRace) -> RemoteRace:
    while not race.finished:
        race.advance()
    assert not race.trouble
    return race


def test_a_remote_race_ends_like_one_in_this_process(host):
    spec = replace(SMALL, methods=("newton", "pcp"), repeats=2)
    far, near = finished(RemoteRace(spec, host)), Race(spec)
    near.advance()
    assert len(far.heats) == 2
    for there, here in zip(far.heats, near.heats, strict=True):
        for one, other in zip(there.runners, here.runners, strict=True):
            assert (one.key, one.result.status) == (other.key, "converged")
            assert one.result.objective == pytest.approx(other.result.objective, rel=1e-5)
        # Every iterate of a Newton method is measured, so its runs are the same to the bit.
        np.testing.assert_array_equal(there.runners[0].result.w, here.runners[0].result.w)
    assert [standing.key for standing in races.podium(far)]
    assert races.table(far)["gap"].size == sum(far.version[2:])


def test_it_runs_elsewhere_with_less_priority_until_its_budget_of_solver_time(host):
    race = finished(RemoteRace(replace(ENDLESS, budget=0.2), host))
    assert host.process_id != os.getpid()
    assert os.getpriority(os.PRIO_PROCESS, host.process_id) > os.nice(0)
    for runner in race.heats[0].runners:
        assert runner.result.status == "time_budget" and runner.seconds >= 0.2
        assert runner.history["seconds"][-1] == runner.seconds


def test_between_looks_it_goes_on_as_long_as_it_was_granted_and_no_longer():
    """The worker's part, without a process and with a clock that stands still."""
    now = [100.0]
    stable = Stable(clock=lambda: now[0])
    first = copied(stable.carry_out(Order("advance", "a", ENDLESS, 2.0, 0, ())).heats[0].runners)
    now[0] = 101.9
    for _ in range(3):
        assert stable.work()
    now[0] = 102.0
    assert not stable.work()
    after = stable.carry_out(Order("hold", "a", None, 0.0, 0, ())).heats[0].runners
    assert sum(len(runner.history) for runner in after) > sum(
        len(runner.history) for runner in first
    )


def copied(runners):
    """As they arrive on the other side of a pipe."""
    return pickle.loads(pickle.dumps(runners))


def test_one_race_runs_at_a_time_and_paused_ones_keep_their_place(host):
    first, second = RemoteRace(ENDLESS, host), RemoteRace(replace(ENDLESS, seed=1), host)
    first.advance()
    first.pause()
    version = first.version
    second.advance()
    second.advance()
    first.advance()
    assert first.version == version and not first.finished
    first.resume()
    while first.version == version:
        first.advance()
    for race in (first, second):
        race.cancel()
        assert race.finished and not race.trouble


def test_a_race_that_nobody_holds_is_forgotten(host):
    stable = Stable()
    stable.carry_out(Order("advance", "a", ENDLESS, 0.0, 0, ()))
    assert stable.carry_out(Order("hold", "b", SMALL, 0.0, 0, ("a",))).trouble == ""
    assert "has ended" in stable.carry_out(Order("hold", "a", None, 0.0, 0, ())).trouble
    race = RemoteRace(ENDLESS, host)
    ticket = race.ticket
    race.advance()
    del race
    gc.collect()
    assert ticket in host._forgotten


def test_an_error_is_told_to_its_race_and_the_others_go_on(monkeypatch):
    def fails(self, repeat=0, table=None):
        raise MemoryError

    stable = Stable()
    stable.carry_out(Order("hold", "good", ENDLESS, 0.0, 0, ()))
    with monkeypatch.context() as changed:
        changed.setattr(RaceSpec, "build", fails)
        report = stable.carry_out(Order("advance", "bad", ENDLESS, 1.0, 0, ()))
    assert report.trouble == "There was not enough memory for this race: lower samples or features."
    report = stable.carry_out(Order("advance", "good", None, 1.0, 0, ()))
    assert report.heats[0].begun and not report.trouble


def test_a_killed_process_costs_its_races_and_no_other():
    host = RaceHost()
    race = RemoteRace(ENDLESS, host)
    race.advance()
    seen = race.version
    os.kill(host.process_id, signal.SIGKILL)
    race.advance()
    assert "has ended" in race.trouble and race.finished
    assert race.version[2:] == seen[2:], "what was reported is gone"
    again = finished(RemoteRace(SMALL, host))
    assert not again.trouble
    host.close()


def test_a_process_that_does_not_answer_is_ended_and_the_next_race_runs():
    host = RaceHost(patience=PATIENCE)
    race = RemoteRace(ENDLESS, host)
    race.advance()
    seen, hung = race.version, host.process_id
    os.kill(hung, signal.SIGSTOP)
    host._patience = 0.2
    race.advance()
    assert "has ended" in race.trouble and race.finished
    until(lambda: not alive(hung))
    assert race.version[2:] == seen[2:], "what was reported is gone"
    host._patience = PATIENCE
    assert not finished(RemoteRace(SMALL, host)).trouble
    host.close()


SERVER = """
import sys
from lab.races import RaceSpec, RemoteRace, the_host
race = RemoteRace(RaceSpec(lam=1e-6, tol=1e-12, budget=1e6))
race.advance(600.0)
print(the_host().process_id, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["ends", "is killed"])
def test_the_process_leaves_with_its_server_also_in_the_middle_of_its_work(how):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    worker = int(server.stdout.readline())
    if how == "is killed":
        server.kill()
    server.communicate()
    until(lambda: not alive(worker))
