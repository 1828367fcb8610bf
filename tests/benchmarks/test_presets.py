"""The paper's races as they were run in the app."""

import json
from dataclasses import asdict

import pytest

from benchmarks import common
from lab import races


def test_the_papers_races_were_run_to_the_end_in_the_app():
    """What is committed is of the presets as they are: full size, full budget, every lane ended."""
    found = common.read("presets")["presets"]
    assert set(found) == set(races.PAPER)
    for label, spec in races.PAPER.items():
        run = found[label]
        assert not run["cancelled"] and run["spec"] == json.loads(json.dumps(asdict(spec)))
        assert [lane["method"] for lane in run["lanes"]] == list(spec.methods)
        for lane in run["lanes"]:
            if lane["status"] == "converged":
                assert lane["gap"] <= spec.tol and lane["seconds"] < spec.budget
            else:
                assert lane["status"] == "time_budget" and lane["seconds"] >= spec.budget
            shown = run["podium"][lane["label"]]
            assert float(shown["final certificate"]) == pytest.approx(lane["gap"], rel=0.06)
            assert shown["status"] == lane["status_in_words"]
