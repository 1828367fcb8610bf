"""The paper's experiments as commands: cheap smoke tests, resuming, and what they keep."""

import json
from itertools import islice

import numpy as np
import pytest

from benchmarks import common, figure2, figure2d, table1, theorem5, trials
from lab.accuracy import Fig2dSpec
from lab.results import OWN_FOLDER_VARIABLE, SHIPPED_FOLDER_VARIABLE, Store, shipped
from solvers import LASSO_METHODS, grouping
from solvers.problems import LassoProblem
from tests.clocks import Counted


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Result files and finished trials go to a folder of the test's own."""
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    monkeypatch.setenv(SHIPPED_FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setenv(OWN_FOLDER_VARIABLE, str(tmp_path / "own"))
    return tmp_path


def test_kong_in_n_by_n_makes_the_same_iterates_as_in_samples():
    problem = figure2.spec_of(figure2.PANELS["2b"], 0, quick=True).build()
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


def test_a_race_is_kept_small_and_is_not_run_twice(results, capsys, monkeypatch):
    monkeypatch.setattr(figure2, "solver_clock", Counted)
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
    least = theorem5._least(lambda s: grouping.theorem_bound(s, 20, 0.5), 20, 0.0)
    assert (
        grouping.theorem_bound(least, 20, 0.5) > 0.0 >= grouping.theorem_bound(least - 1, 20, 0.5)
    )


def test_summary_finds_a_violation():
    rows = [{"exact": 0.95, "theorem": 0.96, "chernoff": -1.0, "union": 0.95}]
    found = theorem5.summary(rows)
    assert found["theorem"]["violations"] == 1
    assert (found["union"]["violations"], found["union"]["likely_and_known"]) == (0, 1)
    assert found["chernoff"]["positive"] == 0


TINY = Fig2dSpec(n_features=40, ms=(8, 12), repeats=2, methods=("svm", "oracle"))


def accuracy_is_the_repeat(spec, trial):
    return {
        "trial": list(trial),
        "accuracy": float(trial[1]),
        "gap": None,
        "nonzeros": 3,
        "seconds": 0.1,
    }


def test_only_what_is_not_known_is_run(results):
    said = []
    tasks = figure2d.tasks([TINY])
    options = dict(call=accuracy_is_the_repeat, report=said.append, also=[Store()])
    assert trials.run("tiny", tasks[:3], shipped(), **options) == "done"
    assert set(shipped().load(TINY)) == {trial for _, trial in tasks[:3]}
    # A visitor has run one more.
    visitors = {**accuracy_is_the_repeat(*tasks[3]), "accuracy": 0.25}
    Store().add(TINY, visitors, {"date": "2020-02-02"})
    said.clear()
    assert trials.run("tiny", tasks, shipped(), seconds=0.0, **options) == "dry"
    assert said == ["tiny: 4 of 8 trials to do"]
    assert trials.run("tiny", tasks, shipped(), **options) == "done"
    found = shipped().load(TINY)
    assert set(found) == set(TINY.trials())
    copied = found[tasks[3][1]]
    assert (copied["accuracy"], copied["made"]) == (0.25, {"date": "2020-02-02"})
    said.clear()
    assert trials.run("tiny", tasks, shipped(), **options) == "done"
    assert said == ["tiny: 0 of 8 trials to do"]


def test_trials_of_other_settings_do_not_count(results, capsys):
    Store().add(Fig2dSpec(seed=5), accuracy_is_the_repeat(None, (112, 0, "svm")))
    options = ["--dry", "--ms", "112", "--repeats", "1", "--methods", "svm"]
    figure2d.main([*options, "--noise", "independent"])
    assert "Fig. 2(d): 1 of 1 trials to do" in capsys.readouterr().out
    Store().add(Fig2dSpec(), accuracy_is_the_repeat(None, (112, 0, "svm")))
    figure2d.main([*options, "--noise", "independent"])
    assert "Fig. 2(d): 0 of 1 trials to do" in capsys.readouterr().out


def test_cheap_settings_come_first_and_dear_ones_are_not_left_to_the_end():
    specs = [Fig2dSpec(ms=(112, 2520), repeats=10, methods=("svm",))]
    order = [trial[:2] for _, trial in figure2d.tasks(specs)]
    assert order[0] == (112, 0)
    assert order.index((112, 9)) < order.index((2520, 1))


def test_table_1_has_the_papers_folds_by_both_rules(results, capsys):
    rules = ["weakest", "strongest"]
    tasks = table1.tasks(["allaml", "leu"], ["inverted"], ["standardise"], rules, ["svm"])
    numbers = {}
    for spec, (_, fold, _) in tasks:
        numbers.setdefault((spec.data.name, spec.protocol.ties), []).append(fold)
    assert numbers == {
        **{("leu", ties): list(range(5)) for ties in rules},
        **{("allaml", ties): list(range(9)) for ties in rules},
    }
    assert [spec.data.name for spec, _ in tasks] == ["leu"] * 10 + ["allaml"] * 18
    table1.main(["--dry", "--sets", "leu", "--scalings", "standardise"])
    assert "Table 1: 100 of 100 trials to do" in capsys.readouterr().out


def test_all_rules_of_a_fold_come_before_the_next_fold():
    tasks = table1.tasks(["leu"], ["ordinary"], ["standardise"], ["weakest", "strongest"], ["svm"])
    assert [fold for _, (_, fold, _) in tasks] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
