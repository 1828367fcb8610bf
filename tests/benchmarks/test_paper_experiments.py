"""The paper's experiments as commands: cheap smoke tests, resuming, and what they keep."""

import json
import shutil
from itertools import islice

import numpy as np
import pytest

from benchmarks import cells, common, figure2, figure2d, table1, theorem3
from lab.sweeps.store import FOLDER_VARIABLE
from solvers import LASSO_METHODS, grouping
from solvers.problems import LassoProblem


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Result files and finished trials go to a folder of the test's own."""
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "trials"))
    return tmp_path


def test_kong_in_n_by_n_makes_the_same_iterates_as_in_samples():
    problem, _, _ = figure2.lasso(0, True, overlapped=True)
    assert isinstance(problem, LassoProblem)
    small = LASSO_METHODS["kong_smoothed"].run(problem, None)
    full = figure2.KONG_FULL.run(problem, None)
    next(full)  # it begins at 0, the other one at the ridge solution
    for one, other in islice(zip(small, full, strict=False), 4):
        w, v = one().w, other().w
        np.testing.assert_allclose(v, w, atol=1e-6 * np.abs(w).max())


def test_log_spaced_keeps_both_ends_and_few_points():
    seconds = np.cumsum(np.full(5000, 1e-3))
    kept = figure2.log_spaced(seconds, 120)
    assert kept[0] == 0 and kept[-1] == 4999 and 80 <= kept.size <= 120
    assert np.all(np.diff(kept) > 0)
    gaps = np.diff(np.log(seconds[kept]))
    assert gaps[-20:].max() < 2.0 * np.median(gaps[-20:])
    assert figure2.log_spaced([0.1, 0.2], 120).tolist() == [0, 1]


def test_a_race_is_kept_small_and_is_not_run_twice(results, capsys):
    options = ["--quick", "--only", "2c_disjoint_100_100", "--seconds", "0.5"]
    figure2.main(options)
    content = json.loads((results / "figure2-quick.json").read_text())
    (run,) = content["panels"]["2c_disjoint_100_100"]["runs"]
    assert set(run["lanes"]) == {"ours", "licp", "licp_block", "admm"}
    ours = run["lanes"]["ours"]
    assert ours["status"] == "converged" and ours["gap"] <= 1e-6
    assert run["blas_threads"] == 1 and len(run["load_average"]) == 2
    assert run["reference"]["gap"] <= 1e-8
    for lane in run["lanes"].values():
        lengths = {len(column) for column in lane["history"].values()}
        assert len(lengths) == 1 and lengths.pop() <= figure2.HISTORY_POINTS
        best = min(gap for gap in lane["history"]["gap"])
        for target, seconds in lane["times"]["gap"].items():
            assert (seconds is None) == (best > float(target))
    capsys.readouterr()
    figure2.main(options)
    assert "there already" in capsys.readouterr().out


def test_least_s_at_which_a_bound_says_something():
    least = theorem3._least(lambda s: grouping.theorem_bound(s, 20, 0.5), 20, 0.0)
    assert (
        grouping.theorem_bound(least, 20, 0.5) > 0.0 >= grouping.theorem_bound(least - 1, 20, 0.5)
    )


def test_summary_finds_a_violation():
    rows = [{"exact": 0.95, "theorem": 0.96, "chernoff": -1.0, "union": 0.95}]
    found = theorem3.summary(rows)
    assert found["theorem"]["violations"] == 1
    assert (found["union"]["violations"], found["union"]["likely_and_known"]) == (0, 1)
    assert found["chernoff"]["positive"] == 0


def result(trial, accuracy):
    return {
        "trial": list(trial),
        "accuracy": accuracy,
        "gap": None,
        "nonzeros": 3,
        "seconds": 0.1,
    }


def test_trials_resume_where_they_were_stopped(results, monkeypatch, capsys):
    ran = []

    def fake(spec, trial):
        if len(ran) == 5:
            raise KeyboardInterrupt
        ran.append(trial)
        return result(trial, 0.5 + 0.01 * trial[1]), 0.0

    monkeypatch.setattr(cells, "run_alone", fake)
    options = ["--ms", "8", "--repeats", "3", "--noise", "independent", "--methods", "svm", "esvm"]
    with pytest.raises(KeyboardInterrupt):
        figure2d.main(options)
    first = list(ran)
    ran.clear()
    figure2d.main(options)
    assert len(first) == 5 and len(ran) == 1
    # Without the result file the trials come from the folder that the app shares.
    (results / "figure2d.json").unlink()
    figure2d.main(["--dry", *options])
    assert "6 of 6 trials are there" in capsys.readouterr().out
    ran.clear()
    figure2d.main(options)
    assert not ran
    content = json.loads((results / "figure2d.json").read_text())
    done = {(c["method"], n) for c in content["cells"] for n in c["number"]}
    assert done == {(method, n) for method in ("svm", "esvm") for n in range(3)}


def test_trials_of_other_settings_do_not_count(results, monkeypatch):
    options = ["--ms", "8", "--repeats", "1", "--noise", "independent", "--methods", "svm"]
    monkeypatch.setattr(cells, "run_alone", lambda spec, trial: (result(trial, 0.5), 0.0))
    figure2d.main(options)
    path = results / "figure2d.json"
    content = json.loads(path.read_text())
    content["cells"][0]["family"] = "another"
    path.write_text(json.dumps(content))
    shutil.rmtree(results / "trials")
    monkeypatch.setattr(cells, "run_alone", lambda spec, trial: (result(trial, 0.9), 0.0))
    figure2d.main(options)
    assert json.loads(path.read_text())["cells"][0]["accuracy"] == [0.9]


def test_cheap_cells_come_first_and_dear_ones_are_not_left_to_the_end():
    specs = [figure2d.Fig2dSpec(ms=(112, 2520), repeats=10, methods=("svm",))]
    order = [(task.trial[0], task.number) for task in figure2d.tasks(specs)]
    assert order[0] == (112, 0)
    assert order.index((112, 9)) < order.index((2520, 1))


def test_table_1_has_the_papers_folds_by_both_rules():
    rules = ["weakest", "strongest"]
    tasks = table1.tasks(["allaml", "leu"], ["inverted"], ["standardise"], rules, ["svm"])
    numbers = {}
    for task in tasks:
        cell = dict(task.cell)
        numbers.setdefault((cell["data"], cell["ties"]), []).append(task.number)
        assert task.spec.protocol.ties == cell["ties"]
    assert numbers == {
        **{("leu", ties): list(range(5)) for ties in rules},
        **{("allaml", ties): list(range(9)) for ties in rules},
    }
    assert [task.spec.data.name for task in tasks] == ["leu"] * 10 + ["allaml"] * 18


def test_all_rules_of_a_fold_come_before_the_next_fold():
    tasks = table1.tasks(["leu"], ["ordinary"], ["standardise"], ["weakest", "strongest"], ["svm"])
    assert [task.number for task in tasks] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
