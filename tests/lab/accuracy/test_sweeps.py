"""Accuracy sweeps: the protocol, the trials, the store, resuming, Dask, and the words."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC

from benchmarks import sweep as benchmark
from lab import exports, tables
from lab.accuracy import (
    LABELS,
    QUANTITIES,
    Fig2dSpec,
    Protocol,
    RealSpec,
    UploadSpec,
    WhenSpec,
    from_dict,
    run_trial,
    settings,
    summarise,
    summary,
    titles,
    uploads,
)
from lab.accuracy import words as findings
from lab.accuracy.found import Found
from lab.accuracy.panels import (
    SMALLEST,
    columns_of,
    expected_seconds,
    leads_of,
    panel_of,
    status_of,
)
from lab.accuracy.shortcuts import RowSpace, l1_path
from lab.accuracy.specs import count_groups
from lab.accuracy.summary import looks_of
from lab.accuracy.trials import outer_fold, scaled, separate_seed
from lab.accuracy.tuning import grid, inner_folds, tune_and_fit
from lab.accuracy.view.shown import draw, how_to_read
from lab.accuracy.words import Done
from lab.data import paper_numbers
from lab.data.datasets import MAT_FILES, BundledSpec, ESVMSpec, MatSpec, OpenMLSpec, load
from lab.data.paper_numbers import FIG2D_MS, FIG2D_REPEATS
from lab.paper.judges.looks import Looks
from lab.results import shipped
from lab.running import jobs
from solvers import ExclusiveSVC, Groups
from solvers.comparisons import CLASSIFIERS, make_classifier
from solvers.grouping import balance_probability
from tests.clocks import PATIENCE, until
from tests.lab.paper.paper_source import paper_source
from tests.lab.running.test_jobs import ended

ROOT = Path(__file__).resolve().parents[3]
TINY = Fig2dSpec(n_features=40, ms=(8, 12), repeats=2, methods=("svm", "esvm", "oracle"))


@pytest.fixture(scope="module")
def tiny_results():
    return {trial: run_trial(TINY, trial) for trial in TINY.trials()}


def fitted(key, X, y, **changes):
    options = dict(groups=None, n_random_groups=4, fit_intercept=False, seed=1) | changes
    return tune_and_fit(key, X, y, Protocol(), **options)


# -- the protocol --------------------------------------------------------------------------


def test_choosing_is_what_scikit_learns_grid_search_finds():
    data = load(ESVMSpec(n_features=60, n_groups=30))
    ours = fitted("svm", data.X, data.y, groups=data.groups)
    largest = max(data.y * (data.X @ (data.X.T @ data.y)))
    values = grid(largest, 12, Protocol())
    search = GridSearchCV(
        LinearSVC(loss="hinge", fit_intercept=False, tol=1e-4, random_state=1, max_iter=10_000),
        {"C": list(1.0 / values)},
        cv=inner_folds(data.y, Protocol(), 1),
    ).fit(data.X, data.y)
    assert ours.chosen["alpha"] == pytest.approx(1.0 / search.best_params_["C"])
    assert ours.inner_accuracy == pytest.approx(search.best_score_)
    assert not ours.missed and ours.gap is None


def test_scales_are_where_the_penalty_takes_over():
    data = load(ESVMSpec(n_features=60, n_groups=30))
    X, y = data.X, data.y
    alpha = max(y * (X @ (X.T @ y)))
    w = [
        make_classifier("svm", alpha=a, fit_intercept=False, tol=1e-9).fit(X, y)
        for a in (alpha, 10 * alpha, 0.1 * alpha)
    ]
    direction = [model.coef_[0] / np.linalg.norm(model.coef_) for model in w]
    assert direction[0] == pytest.approx(direction[1], abs=1e-6)
    assert np.abs(direction[0] - direction[2]).max() > 1e-3
    for key, slope in (("sparse_svm", 2.0), ("logistic_l1", 0.5)):
        edge = slope * np.abs(X.T @ y).max()
        empty, not_empty = (
            make_classifier(key, lam=f * edge, fit_intercept=False, tol=1e-8).fit(X, y)
            for f in (1.001, 0.9)
        )
        assert not empty.coef_.any() and not_empty.coef_.any()


@pytest.mark.parametrize("key", ["sparse_svm", "kong", "esvm", "esvm_r", "logistic_l1"])
def test_every_method_is_fitted_at_its_own_choice(key):
    data = load(ESVMSpec(n_features=48, n_groups=24))
    found = fitted(key, data.X, data.y, groups=data.groups)
    groups = data.groups if key in ("kong", "esvm") else Groups.random(48, 4, 1)
    if key == "esvm_r":
        model = ExclusiveSVC(**found.chosen, groups=groups, fit_intercept=False, tol=1e-4)
    else:
        model = make_classifier(
            key, groups=groups, fit_intercept=False, random_state=1, **found.chosen
        )
    model.fit(data.X, data.y)
    assert found.model.coef_ == pytest.approx(model.coef_, abs=1e-9)
    if key.startswith("esvm"):
        assert found.gap <= 1e-4
    assert 0.0 <= found.inner_accuracy <= 1.0


@pytest.mark.parametrize("shape", [(24, 60), (60, 24)])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_an_svm_in_the_span_of_its_samples_is_the_svm_of_all_features(shape, fit_intercept):
    rng = np.random.default_rng(0)
    X = rng.standard_normal(shape)
    y = np.where(X[:, 0] + rng.standard_normal(shape[0]) > 0, 1, 2)
    options = dict(fit_intercept=fit_intercept, tol=1e-10, random_state=1)
    space = RowSpace(X)
    assert space.samples.shape[1] == min(shape)
    narrow = make_classifier("svm", alpha=3.0, **options).fit(space.samples, y)
    wide = make_classifier("svm", alpha=3.0, **options).fit(X, y)
    found = space.widened(narrow)
    assert found.coef_ == pytest.approx(wide.coef_, abs=1e-7)
    assert found.decision_function(X) == pytest.approx(wide.decision_function(X), abs=1e-7)


@pytest.mark.parametrize("key", ["sparse_svm", "logistic_l1"])
@pytest.mark.parametrize("classes, fit_intercept, as_sparse", [(2, False, False), (3, True, True)])
def test_an_l1_path_on_few_features_is_that_of_all(key, classes, fit_intercept, as_sparse):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 150)) * (rng.random((40, 150)) < (0.2 if as_sparse else 1.0))
    y = np.argmax(X[:, :classes] + 0.3 * rng.standard_normal((40, classes)), axis=1)
    if as_sparse:
        X = sparse.csr_array(X)
    options = dict(fit_intercept=fit_intercept, tol=1e-7, random_state=1)
    lams = np.geomspace(1.0, 0.05, 4) * np.abs(X.T @ np.where(y > 0, 1.0, -1.0)).max()
    models = list(l1_path(key, X, y, lams, **options))
    for lam, model in zip(lams, models, strict=True):
        wanted = make_classifier(key, lam=lam, **options).fit(X, y)
        assert model.coef_ == pytest.approx(wanted.coef_, abs=2e-4)
        assert model.predict(X).tolist() == wanted.predict(X).tolist()
    assert len(models) == 4 and models[-1].coef_.any() and not models[-1].coef_.all()


@pytest.mark.parametrize("ties", ["strongest", "weakest"])
def test_ties_go_where_the_protocol_says(ties):
    X = np.vstack([np.eye(6) * 50 + 100, np.eye(6) * 50 - 100])  # every setting is right
    y = np.repeat([1.0, -1.0], 6)
    for key, name in (("svm", "alpha"), ("esvm", "beta"), ("esvm", "alpha")):
        options = dict(groups=Groups.contiguous(6, 2), n_random_groups=2, fit_intercept=False)
        values = [
            tune_and_fit(key, X, y, Protocol(ties=each), seed=1, **options).chosen[name]
            for each in (ties, "strongest")
        ]
        assert (values[0] == values[1]) == (ties == "strongest")


def test_few_samples_of_a_class_mean_fewer_folds_or_the_strongest_setting():
    y = np.array([1, 1, 1, 1, 2, 2])
    assert len(inner_folds(y, Protocol(inner_folds=3), 0)) == 2
    assert inner_folds(np.array([1, 1, 2]), Protocol(), 0) == []
    X = np.random.default_rng(0).standard_normal((3, 5))
    for key in ("svm", "kong", "esvm_r"):
        found = fitted(key, X, np.array([1.0, 1.0, -1.0]), n_random_groups=2, fit_intercept=True)
        assert found.inner_accuracy is None


def test_the_protocol_is_said_and_checked():
    words = Protocol(inner_folds=4, weakest=0.02).in_words()
    assert "12 settings" in words and "4-fold" in words and "from 1 to 0.02" in words
    assert "weakest penalty wins" in RealSpec().protocol.in_words()
    with pytest.raises(ValueError, match="strongest must lie above weakest"):
        Protocol(weakest=0.1, strongest=0.05)
    with pytest.raises(ValueError, match="no ties 'none'"):
        Protocol(ties="none")
    with pytest.raises(ValueError, match="inner_folds must be at least 2"):
        Protocol(inner_folds=1)
    with pytest.raises(ValueError, match="there is no method 'magic'"):
        fitted("magic", np.eye(2), np.array([1, -1]))


# -- trials --------------------------------------------------------------------------------


def test_a_trial_is_what_its_parts_give(tiny_results):
    oracle = tiny_results[(12, 1, "oracle")]
    data = load(ESVMSpec(n_features=40, n_groups=12, seed=1))
    right = np.sign(data.test.X @ data.true_weights) == data.test.y
    assert oracle["accuracy"] == right.mean()
    assert oracle["nonzeros"] == 12
    esvm = tiny_results[(12, 1, "esvm")]
    model = ExclusiveSVC(**esvm["chosen"], groups=data.groups, fit_intercept=False)
    model.fit(data.X, data.y)
    assert esvm["accuracy"] == model.score(data.test.X, data.test.y)
    assert esvm["nonzeros"] == np.count_nonzero(model.coef_)
    assert esvm["gap"] <= 1e-4
    assert run_trial(TINY, (12, 1, "esvm"))["accuracy"] == esvm["accuracy"]
    assert json.loads(json.dumps(esvm)) == esvm


def test_seeds_of_groups_and_folds_are_not_those_of_the_data():
    seeds = [separate_seed(*parts) for parts in ((0, 0), (0, 1), (1, 0), (1, 1))]
    assert len({*seeds, 0, 1}) == 6
    assert separate_seed(1) == separate_seed(1)


def test_inverted_folds_train_on_one_and_ordinary_ones_test_on_one():
    y = load(BundledSpec("wine")).y
    spec = RealSpec(data=BundledSpec("wine"), folds=6, fold_kind="inverted")
    inverted = [outer_fold(spec, y, 0, k) for k in range(6)]
    ordinary = [outer_fold(replace(spec, fold_kind="ordinary"), y, 0, k) for k in range(6)]
    for (train, test), (most, one) in zip(inverted, ordinary, strict=True):
        assert np.array_equal(train, one) and np.array_equal(test, most)
    assert np.array_equal(np.sort(np.concatenate([t for t, _ in inverted])), np.arange(y.size))
    assert not np.array_equal(outer_fold(spec, y, 1, 0)[0], inverted[0][0])
    with pytest.raises(ValueError, match="class 2 has 48 samples, fewer than the 50 folds"):
        outer_fold(replace(spec, folds=50), y, 0, 0)


def test_real_trials_take_many_classes_and_a_visitors_own_data():
    data = load(BundledSpec("iris"))
    spec = RealSpec(data=BundledSpec("iris"), folds=3, methods=("svm", "esvm_r"))
    result = run_trial(spec, (0, 1, "esvm_r"))
    assert result["accuracy"] > 0.8 and result["gap"] <= 1e-4
    assert (result["n_train"], result["n_test"]) == (100, 50)
    own = replace(spec, data=UploadSpec("mine", "d1"))
    given = run_trial(own, (0, 1, "svm"), (data.X, data.y))
    assert given["accuracy"] == run_trial(spec, (0, 1, "svm"))["accuracy"]
    with pytest.raises(ValueError, match="a quantity to predict, not classes"):
        run_trial(replace(spec, data=BundledSpec("diabetes")), (0, 0, "svm"))


def test_scaling_is_learnt_on_the_training_part():
    train, test = np.array([[1.0, 0.0], [3.0, 4.0]]), np.array([[2.0, 8.0]])
    a, b = scaled("standardise", train, test)
    assert a.mean(axis=0) == pytest.approx([0, 0]) and b == pytest.approx(np.array([[0.0, 3.0]]))
    assert np.linalg.norm(scaled("unit length", train, test)[1]) == pytest.approx(1.0)
    assert scaled("none", train, test)[0] is train


def test_group_rules():
    assert count_groups("m/log m", 5040, 504, 9) == round(504 / np.log(504)) == 81
    assert count_groups("as many as m", 100, 30, 9) == 30
    assert count_groups("fixed", 100, 30, 9) == 9
    assert count_groups("fixed", 5, 30, 9) == 5
    exact = count_groups("exact law", 500, 60, 9)
    chances = [balance_probability(500, 60, m, 0.5) for m in range(exact, 61)]
    assert chances[0] >= 0.95 > max(chances[1:])


# -- specs, ids, settings ------------------------------------------------------------------


def test_ids_follow_content_and_families_share_trials():
    more = replace(TINY, repeats=5, ms=(8, 12, 16))
    assert more.family == TINY.family and more.id != TINY.id
    assert set(TINY.trials()) <= set(more.trials())
    assert replace(TINY, seed=1).family != TINY.family
    assert replace(TINY, n_random_groups=7).id == TINY.id  # not used by this rule
    for spec in (TINY, RealSpec(), RealSpec(data=OpenMLSpec("x")), RealSpec(data=MatSpec("leu"))):
        again = from_dict(json.loads(json.dumps(spec.as_dict())))
        assert again == spec and again.id == spec.id
    older = replace(RealSpec(), protocol=Protocol(weakest=0.001))
    assert older.as_dict()["protocol"] == {"inner_folds": 3, "weakest": 0.001}
    assert older.family != RealSpec().family and from_dict(older.as_dict()) == older
    with pytest.raises(ValueError, match="another version"):
        from_dict({**TINY.as_dict(), "version": 0})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ms": ()}, "list of m is empty"),
        ({"ms": (50,)}, "between 4 and the number of features, 40; got 50"),
        ({"repeats": 0}, "repeats must be at least 1"),
        ({"noise": "pink"}, "no noise 'pink'"),
        ({"methods": ()}, "no method is chosen"),
        ({"methods": ("tree",)}, "no method 'tree'"),
        ({"bayes_error": 0.5}, "between 0 and ½"),
        ({"group_rule": "?"}, "no group_rule"),
    ],
)
def test_bad_specs_are_named(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        replace(TINY, **changes)


def test_controls_and_specs_are_one_to_one():
    for changes in settings.presets().values():
        values = {**settings.DEFAULTS, **changes}
        spec = settings.spec_of(values)
        assert settings.spec_of({**settings.DEFAULTS, **settings.values_of(spec)}) == spec
    assert settings.parse_ms(" 96;48, 48\n192") == (48, 96, 192)
    with pytest.raises(ValueError, match="holds 'many'; write whole numbers"):
        settings.parse_ms("48, many")
    real = {**settings.DEFAULTS, "tab": settings.REAL}
    with pytest.raises(ValueError, match="name of a data set on openml"):
        settings.spec_of({**real, "data": settings.BY_NAME, "openml": " "})
    with pytest.raises(ValueError, match="Choose a file"):
        settings.spec_of({**real, "data": settings.OWN_FILE})
    assert settings.spec_of(settings.DEFAULTS) == Fig2dSpec()  # the page opens with the paper's


def test_settings_for_files_fit_a_column_each():
    for spec in (TINY, RealSpec(data=MatSpec("leu"))):
        flat = settings.for_files(spec)
        assert all(isinstance(value, str | int | float) for value in flat.values())
        assert flat["sweep"] == spec.id and flat["protocol inner_folds"] == 3
    assert settings.for_files(TINY)["ms"] == "8, 12"
    rows = exports.csv_bytes({"a": [1.0, 2.0]}, settings.for_files(TINY)).decode().splitlines()
    assert len(rows) == 3 and '"8, 12"' in rows[1]


# -- what is shipped ----------------------------------------------------------------------


def test_the_defaults_come_with_results_of_every_trial():
    sweeps = [{}, settings.presets()["Quick"], {"tab": settings.REAL}]
    sweeps += [{"tab": settings.WHEN, "quantity": each.title} for each in QUANTITIES.values()]
    for changes in sweeps:
        spec = settings.spec_of({**settings.DEFAULTS, **changes})
        found = shipped().load(spec)
        assert set(found) == set(spec.trials())
        gaps = [row["gap"] for row in found.values() if row["gap"] is not None]
        assert gaps and max(gaps) <= 1e-4
    assert shipped().load(replace(TINY, seed=999)) == {}


def test_committed_results_can_be_made_again():
    spec = settings.spec_of({**settings.DEFAULTS, **settings.presets()["Quick"]})
    found = shipped().load(spec)
    for trial in ((48, 0, "esvm"), (48, 0, "oracle")):
        again = run_trial(spec, trial)
        assert again["accuracy"] == pytest.approx(found[trial]["accuracy"], abs=1 / 48)
        assert again["chosen"] == pytest.approx(found[trial]["chosen"])


# -- running -------------------------------------------------------------------------------


def command(folder) -> list[str]:
    arguments = ["--features", "40", "--ms", "8", "12", "--repeats", "20", "--methods", "ssvm"]
    return ["fig2d", *arguments, "--processes", "1", "--results", str(folder)]


def stored(folder) -> list[tuple]:
    lines = [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    return [tuple(row["trial"]) for row in map(json.loads, lines) if "trial" in row]


def test_a_killed_sweep_resumes_and_every_trial_is_there_once(tmp_path, capsys):
    alone = [sys.executable, "-m", "benchmarks.sweep", *command(tmp_path)]
    process = subprocess.Popen(
        alone, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until(lambda: process.poll() is not None or len(stored(tmp_path)) >= 2)
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    before = stored(tmp_path)
    assert 2 <= len(before) < 40, "the sweep was over before it could be killed"
    done = subprocess.run(alone, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert f"{40 - len(before)} of 40 trials to do" in done.stdout
    spec = Fig2dSpec(n_features=40, ms=(8, 12), repeats=20, methods=("sparse_svm",))
    assert sorted(stored(tmp_path)) == sorted(spec.trials())
    assert benchmark.main([*command(tmp_path), "--status"]) == 0
    assert "40 of 40 trials" in capsys.readouterr().out


def test_the_command_line_explains_itself_and_names_mistakes(capsys, tmp_path):
    with pytest.raises(SystemExit) as stopped:
        benchmark.main(["--help"])
    shown = capsys.readouterr().out
    assert stopped.value.code == 0 and "--noise" in shown and "table1" in shown
    assert benchmark.main(["fig2d", "--methods", "tree", "--status"]) == 2
    assert "there is no method 'tree'" in capsys.readouterr().err
    folder = ["--results", str(tmp_path), "--status"]
    assert benchmark.main(["table1", "--data", "allaml", *folder]) == 0
    assert "allaml, 9 inverted folds, scaling: standardise: 0 of 45 trials" in (
        capsys.readouterr().out
    )


def test_a_dask_cluster_that_loses_a_worker_returns_every_trial_once():
    distributed = pytest.importorskip("distributed")
    spec = Fig2dSpec(n_features=40, ms=(8, 12), repeats=6, methods=("svm",))
    told, killed = [], []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        with distributed.Client(cluster) as client:
            pids = list(client.run(os.getpid).values())
        assert os.getpid() not in pids

        def note(index, result):
            told.append(index)
            if not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        queue = jobs.JobQueue(dask=cluster.scheduler_address)
        try:
            arguments = [(spec, trial) for trial in spec.trials()]
            job = queue.submit("on Dask", run_trial, arguments, on_result=note, keep_running=True)
            snapshot = ended(job)
        finally:
            queue.close()
    assert killed
    assert (snapshot.state, snapshot.error) == ("done", "")
    assert sorted(told) == list(range(12))
    assert sorted(tuple(value["trial"]) for _, value in snapshot.results) == sorted(spec.trials())


# -- summaries -----------------------------------------------------------------------------


def test_differences_are_paired(tiny_results):
    cells = {(cell.place, cell.method): cell for cell in summarise(TINY, tiny_results)}
    at = [tiny_results[(12, r, "esvm")]["accuracy"] for r in (0, 1)]
    base = [tiny_results[(12, r, "svm")]["accuracy"] for r in (0, 1)]
    expected = stats.ttest_rel(at, base)
    cell = cells[(12, "esvm")]
    assert cell.difference.mean == pytest.approx(np.mean(at) - np.mean(base))
    if np.isfinite(expected.statistic):
        low, high = expected.confidence_interval(0.95)
        assert (cell.difference.low, cell.difference.high) == pytest.approx((low, high))
    assert cells[(12, "svm")].difference is None
    partial = {t: r for t, r in tiny_results.items() if t != (12, 1, "svm")}
    partly = {(c.place, c.method): c for c in summarise(TINY, partial)}
    assert partly[(12, "esvm")].difference.count == 1
    assert partly[(12, "esvm")].accuracy.count == 2
    ordinary = RealSpec(folds=2, methods=("svm",))
    rows = {
        (0, k, "svm"): {**tiny_results[(12, k, "svm")], "n_train": 60, "n_test": 30} for k in (0, 1)
    }
    wide = summarise(ordinary, rows)[0].accuracy.half
    narrow = summarise(replace(ordinary, fold_kind="inverted"), rows)[0].accuracy.half
    assert wide == pytest.approx(narrow * np.sqrt((1 / 2 + 1 / 2) / (1 / 2)))


def results_like(accuracies: dict[str, list[float]], m=8) -> dict:
    row = dict(nonzeros=5, n_train=8, n_test=8, seconds=1.0, chosen={}, gap=None, missed=False)
    return {
        (m, repeat, method): {"trial": [m, repeat, method], "accuracy": value, **row}
        for method, values in accuracies.items()
        for repeat, value in enumerate(values)
    }


def test_random_groups_are_not_called_known():
    results = results_like({"svm": [0.70, 0.71, 0.72], "esvm_r": [0.80, 0.81, 0.83]})
    spec = replace(TINY, ms=(8,), repeats=3, methods=("svm", "esvm_r"))
    answer = findings.answer(spec, summarise(spec, results), Done(6, 6))
    assert answer.replace("\u00a0", " ").startswith(
        "With independent noise E-SVM(R) (random groups) beats SVM at m = 8 (by 10.3"
    )
    partly = findings.answer(spec, summarise(spec, results), Done(6, 120))
    assert partly == f"So far, 6 of 120 trials: w{answer[1:]}"
    assert findings.answer(spec, summarise(spec, results), Done(6, 1200)).startswith(
        "So far, 6 of 1,200 trials: with"
    )


def test_fits_that_stopped_early_are_told_by_method():
    results = results_like({"svm": [0.7, 0.7, 0.7], "kong": [0.7, 0.7, 0.7]})
    spec = replace(TINY, ms=(8,), repeats=3, methods=("svm", "kong"))
    assert findings.certificate_words(summarise(spec, results)) == ""
    for repeat in (0, 2):
        results[8, repeat, "svm"]["missed"] = True
    assert findings.certificate_words(summarise(spec, results)) == (
        "trials with a fit that stopped before its tolerance: SVM in 2"
    )


@pytest.mark.parametrize(
    ("esvm", "start"),
    [
        ([0.80, 0.81, 0.83], "With independent noise E-SVM (groups known) beats SVM at m = 8 ("),
        ([0.60, 0.61, 0.61], "With independent noise E-SVM (groups known) trails SVM at m = 8 ("),
        (
            [0.70, 0.75, 0.68],
            "With independent noise E-SVM (groups known) does not differ from SVM beyond chance "
            "(3 draws, strengths by cross-validation; ± 95 %).",
        ),
        ([0.80], "One draw puts E-SVM 10.0 percentage points above SVM at m"),
        ([0.60], "One draw puts E-SVM 10.0 percentage points below SVM at m"),
        ([0.70], "One draw puts E-SVM level with SVM at m"),
    ],
)
def test_the_answer_says_what_the_numbers_say(esvm, start):
    results = results_like({"svm": [0.70, 0.71, 0.72][: len(esvm)], "esvm": esvm})
    spec = replace(TINY, ms=(8,), repeats=len(esvm), methods=("svm", "esvm"))
    cells = summarise(spec, results)
    done = Done(len(results), len(results))
    assert findings.answer(spec, cells, done).replace("\u00a0", " ").startswith(start)
    assert findings.answer(spec, [], Done(1, 6)).startswith("So far, 1 of 6 trials: no draw has")
    alone = replace(spec, methods=("esvm",))
    assert findings.answer(alone, [], done).startswith("There is nothing to compare: choose")


def test_the_best_of_the_others_is_the_one_to_beat():
    """Ahead of SVM and behind S-SVM is no lead; the interval is of the paired differences."""
    others = {"svm": [0.60, 0.61, 0.63, 0.60], "sparse_svm": [0.80, 0.81, 0.83, 0.79]}
    own = [0.74, 0.75, 0.78, 0.75]
    results = results_like({**others, "esvm": own})
    spec = replace(TINY, ms=(8,), repeats=4, methods=(*others, "esvm"))
    (cell,) = [cell for cell in summarise(spec, results) if cell.method == "esvm"]
    tested = stats.ttest_rel(own, others["sparse_svm"])
    assert cell.rival == "sparse_svm" and cell.difference.low > 0.0
    assert cell.lead.high == pytest.approx(tested.confidence_interval().high)
    assert cell.lead.p == pytest.approx(tested.pvalue)
    answer = findings.answer(spec, [cell], Done(12, 12))
    assert "E-SVM (groups known) trails the best of SVM and S-SVM at" in answer


def test_many_looks_are_corrected_for():
    """A difference that one look would call clear is within chance among eight."""
    ms = (8, 12, 16, 20, 24, 28, 32, 36)
    draws = np.array([0.02, 0.05, 0.00, 0.03])
    lone = stats.ttest_1samp(draws, 0.0).pvalue
    assert 0.05 / len(ms) < lone < 0.1
    results = {}
    for m in ms:
        found = draws if m == 8 else np.array([0.01, -0.01, 0.02, -0.02])
        results |= results_like({"svm": [0.7] * 4, "esvm": list(0.7 + found)}, m)
    spec = replace(TINY, ms=ms, repeats=4, methods=("svm", "esvm"))
    answer = findings.answer(spec, summarise(spec, results), Done(64, 64))
    assert "does not differ from SVM beyond chance" in answer
    assert "by Holm's correction for 8 looks" in answer
    shown = leads_of(spec, summarise(spec, results))
    assert not np.any(np.abs(shown["mean"]) > shown["chance"])


def test_behind_the_best_of_several_counts_each_of_them():
    """By a single look E-SVM trails whichever of three led; chance picks a leader so easily."""
    own, noise = np.full(4, 0.7), np.array([0.02, 0.05, 0.015, 0.03])
    others = {
        key: list(own + part)
        for key, part in zip(
            ("svm", "sparse_svm", "kong"), (noise, noise[::-1] / 9, -noise), strict=True
        )
    }
    spec = replace(TINY, ms=(8,), repeats=4, methods=(*others, "esvm"))
    cells = summarise(spec, results_like({**others, "esvm": list(own)}))
    (cell,) = [cell for cell in cells if cell.method == "esvm"]
    looks = looks_of(spec, cells)
    assert (cell.rival, looks.looks, looks.found) == ("svm", 3, 0)
    p = stats.ttest_1samp(noise, 0.0).pvalue
    assert 0.05 / 3 < p < 0.05
    chance = stats.t.ppf(1 - 0.025 / 3, 3) * stats.sem(noise)
    assert looks.side(cell.lead) == 0 and looks.reach(cell.lead) == pytest.approx(chance)
    done = Done(16, 16)
    answer = findings.answer(spec, cells, done)
    assert "does not differ from the best of SVM, S-SVM and Kong beyond chance" in answer
    assert "by Holm's correction for 3 looks" in answer
    assert (
        titles.lead_title(spec, cells, done)
        == "Beyond chance: E-SVM neither ahead of the best other nor behind (4 draws)"
    )
    assert leads_of(spec, cells)["chance"] == pytest.approx([chance])


def test_the_sentence_the_title_and_the_band_are_one_rule():
    """Both forms and both kinds of noise: what is said to be ahead lies outside its band."""
    ms = (8, 12, 16, 20)
    results = {}
    for m in ms:
        own = np.array([0.1, 0.102, 0.098, 0.1]) * (1 if m < 20 else 0)
        random = np.array([-0.1, -0.102, -0.098, -0.1]) * (m == 12)
        noise = np.array([0.01, -0.01, 0.02, -0.02])
        results |= results_like(
            {
                "svm": list(0.7 + 0.1 * noise),
                "esvm": list(0.7 + own + 0.1 * noise),
                "esvm_r": list(0.7 + random + noise),
            },
            m,
        )
    spec = replace(TINY, ms=ms, repeats=4, methods=("svm", "esvm", "esvm_r"))
    cells = summarise(spec, results)
    shown = leads_of(spec, cells)
    outside = np.abs(shown["mean"]) > shown["chance"]
    assert shown["place"][outside & (shown["method"] == "esvm")].tolist() == [8, 12, 16]
    assert shown["place"][outside & (shown["method"] == "esvm_r")].tolist() == [12]
    done = Done(len(results), len(results))
    other = (replace(spec, noise="shared"), cells)
    answer = findings.answer(spec, cells, done, None, other).replace("\u00a0", " ")
    assert answer.startswith(
        "With independent noise E-SVM (groups known) beats SVM at every m but 20 (by up to 10.0 ± "
    )
    trails = re.search(r"trails at m = 12 \(by ([\d.]+) ± ([\d.]+)\); with shared", answer)
    at = np.flatnonzero((shown["method"] == "esvm_r") & (shown["place"] == 12))[0]
    assert trails[1] == f"{-100 * shown['mean'][at]:.1f}"
    assert trails[2] == f"{100 * shown['half'][at]:.1f}"
    assert "all else is within chance" in answer
    assert answer.endswith("± 95 %, beyond chance by Holm's correction at each noise for 8 looks).")
    assert titles.lead_title(spec, cells, done) == (
        "Beyond chance: E-SVM ahead at 3 of 4 values of m, behind at 0; "
        "E-SVM(R) ahead at 0, behind at 1 (4 draws)"
    )


def test_a_lead_is_one_by_the_rule_of_the_papers_claims():
    """What leads the best other leads each of them, and who trails it is behind one of them."""
    for noise in ("independent", "shared"):
        spec = Fig2dSpec(ms=FIG2D_MS, repeats=FIG2D_REPEATS, noise=noise)
        cells = [cell for cell in summarise(spec, shipped().load(spec)) if cell.leads]
        looks = looks_of(spec, cells)
        paper = Looks.of({f"{cell.method} {cell.place}": cell.leads for cell in cells})
        for side, found in ((1, paper.ahead), (-1, paper.behind)):
            here = [f"{c.method} {c.place}" for c in cells if looks.side(c.lead) == side]
            assert here == found
        assert paper.ahead if noise == "independent" else paper.behind


def test_both_answers_have_sizes_draws_and_whom_they_speak_of():
    spec = Fig2dSpec(ms=FIG2D_MS, repeats=FIG2D_REPEATS)
    strengths = WhenSpec(quantity="strength", values=QUANTITIES["strength"].values)
    mine, other, by_hand = (
        (each, summarise(each, shipped().load(each)))
        for each in (spec, replace(spec, noise="shared"), strengths)
    )
    done = Done(480, 480)
    brief = findings.brief(*mine, done, 0.5, other)
    assert brief.startswith("With independent noise, over 10 draws, E-SVM beats the best of SVM, ")
    first, shared = brief.split("; with ")
    assert "points, 95 % interval)" in first
    assert shared.startswith("shared noise E-SVM trails at ")
    full = findings.answer(*mine, done, 0.5, other, by_hand)
    _, strength = full.split("; with β set by hand ")
    assert "20 draws" in strength and "E-SVM beats the best of them at " in strength
    for part in (first, shared, strength):
        assert len(re.findall(r"\(by (?:up to )?\d+\.\d ± \d+\.\d", part)) == 2
    assert not [said for said in (brief, full) if " it " in said or "best other" in said]


def test_a_single_draw_has_no_intervals():
    results = results_like({"svm": [0.7], "sparse_svm": [0.69], "esvm": [0.8], "esvm_r": [0.7]})
    methods = ("svm", "sparse_svm", "esvm", "esvm_r")
    spec = replace(TINY, ms=(8,), repeats=1, methods=methods)
    found = Found(spec, results, majority=0.5)
    title = panel_of(spec, found.cells, settings.LEAD, found.done).title
    assert title == "One draw at each place: nothing tells these differences from chance"
    assert "One draw puts E-SVM 10.0 percentage points above the best of SVM and S-SVM" in (
        found.answer
    )
    assert "95 %" not in how_to_read(spec) and "single draw has no error bars" in how_to_read(spec)
    for said in (found.answer, found.in_full, found.notes(settings.LEAD), title):
        assert "±" not in said and "95 %" not in said and "shaded" not in said
    for show in settings.SHOWN:
        told = [trace.customdata for trace in draw(found, show, "light").data]
        assert not [text for text in np.concatenate([t for t in told if t is not None]).ravel()
                    if "nan" in str(text) or "±" in str(text)]  # fmt: skip
    assert "largest class" in how_to_read(RealSpec()) and "E-SVM and of" not in how_to_read(
        RealSpec()
    )
    assert "Paper vs measured" in how_to_read(replace(spec, repeats=2))
    real = {
        (0, 0, method): {**results[8, 0, method], "trial": [0, 0, method], "n_train": 4}
        for method in ("svm", "esvm_r")
    }
    partly = Found(RealSpec(folds=5, methods=("svm", "esvm_r")), real, majority=0.6)
    title = panel_of(partly.spec, partly.cells, settings.LEAD, partly.done, 0.6).title
    assert title.endswith("one fold: nothing tells these differences from chance")
    assert "nan" not in partly.answer and "95 %" not in partly.answer


def test_the_title_of_means_reads_and_ranks_nobody():
    """Two methods with means that differ by chance: both are read, with intervals and draws."""
    results = results_like({"svm": [0.70, 0.74, 0.72], "esvm": [0.71, 0.75, 0.71]})
    spec = replace(TINY, ms=(8,), repeats=3, methods=("svm", "esvm"))
    cells, done = summarise(spec, results), Done(6, 6)
    read = panel_of(spec, cells, "accuracy", done).title.replace("\u00a0", " ")
    assert re.fullmatch(
        r"Highest mean at m = 8, 3 draws: E-SVM 72.3 ± \d.\d %, then SVM 72.0 ± 5.0 %", read
    )
    features = panel_of(spec, cells, "selected features", done).title
    assert features.startswith("Fewest features on average at m")
    for show in settings.SHOWN[1:]:
        title = panel_of(spec, cells, show, done).title
        assert "3 draws: " in title and not re.search("has the highest|uses|takes", title)


def test_an_accuracy_is_never_drawn_above_100_percent():
    results = results_like({"svm": [1.0, 0.97, 0.99], "esvm_r": [0.999, 0.999, 1.0]})
    spec = replace(TINY, ms=(8,), repeats=3, methods=("svm", "esvm_r"))
    real = RealSpec(folds=3, methods=("svm", "esvm_r"))
    folds = {(0, r, method): {**row, "n_train": 4} for (_, r, method), row in results.items()}
    for found, axis, bars in (
        (Found(spec, results), "y", "error_y"),
        (Found(real, folds), "x", "error_x"),
    ):
        figure = draw(found, "accuracy", "light")
        assert figure.layout[f"{axis}axis"].maxallowed == 100.0
        for trace in figure.data:
            if trace[bars] is not None and trace[bars].array is not None:
                assert np.all(trace[axis] + trace[bars].array <= 100.0 + 1e-9)
                assert np.all(np.array(trace[bars].arrayminus) > 0.0)


def test_marks_of_neighbouring_places_and_methods_lie_apart():
    """At the paper's m, of which the last lie closest, on a desktop."""
    spec = Fig2dSpec(ms=FIG2D_MS, repeats=FIG2D_REPEATS)
    found = Found(spec, shipped().load(spec), majority=0.5)
    wide, across = 560.0, np.log(max(FIG2D_MS) / min(FIG2D_MS))
    for show, size in ((settings.LEAD, 11), ("accuracy", 7)):
        marked = [t for t in draw(found, show, "light").data if t.mode == "lines+markers"]
        at = np.sort(np.log(np.concatenate([np.array(t.x, dtype=float) for t in marked])))
        assert np.diff(at).min() * wide / across >= size


def test_real_data_are_compared_with_the_best_other_and_the_largest_class():
    row = dict(nonzeros=5, n_train=40, n_test=10, seconds=1.0, chosen={}, gap=None, missed=False)
    results = {
        (0, fold, method): {"accuracy": 0.6 + 0.01 * fold + shift + 0.001 * odd * (fold % 2), **row}
        for method, shift, odd in (("svm", 0.05, 0), ("kong", 0.08, 1), ("esvm_r", 0.0, 0))
        for fold in range(5)
    }
    spec = RealSpec(folds=5, methods=("svm", "kong", "esvm_r"))
    answer = findings.answer(spec, summarise(spec, results), Done(15, 15), 0.645)
    assert answer.startswith("On Breast cancer, E-SVM(R) is right on 62.0 % of the test samples")
    assert "8.0 ± 0.1 percentage points below Kong, the best of the others" in answer
    assert "(5 folds; ± 95 %, beyond chance by Holm's correction for 3 looks)" in answer
    assert answer.endswith("within chance of always naming the largest class (64.5 %).")
    shown = leads_of(spec, summarise(spec, results), 0.645)
    assert shown["rival"].tolist() == ["svm", "kong", "majority"]
    assert shown["mean"] == pytest.approx([-0.05, -0.0804, -0.025])
    # That five folds of few samples differ alike is no certainty, however narrow it looks.
    alike = {key: {**row, "accuracy": round(row["accuracy"], 2)} for key, row in results.items()}
    answer = findings.answer(spec, summarise(spec, alike), Done(15, 15), 0.645)
    assert "within chance (−8.0 percentage points) of Kong" in answer
    assert np.isnan(leads_of(spec, summarise(spec, alike), 0.645)["chance"][:2]).all()


def test_panels_and_tables_show_the_same_numbers(tiny_results):
    cells = summarise(TINY, tiny_results)
    for show in settings.SHOWN:
        columns = columns_of(cells, show)
        assert set(columns["m"]) == {8.0, 12.0} and panel_of(TINY, cells, show, Done(20, 20)).title
    read = summary.table(TINY, cells)
    assert read["accuracy, %"][0].startswith(f"{100 * cells[0].accuracy.mean:.1f}")
    every = summary.trial_table(TINY, tiny_results)
    assert every["accuracy"] == [tiny_results[trial]["accuracy"] for trial in TINY.trials()]
    assert {len(column) for column in every.values()} == {len(TINY.trials())}
    assert "certified to 0.0001" in findings.certificate_words(cells)
    guess = expected_seconds(TINY, TINY.trials(), 1, TINY, tiny_results)
    assert guess == pytest.approx(sum(row["seconds"] for row in tiny_results.values()))
    assert expected_seconds(RealSpec(), [], 1, TINY, tiny_results) is None
    # Half of the features is not half of the time where choosing strengths takes it all.
    smaller = replace(TINY, n_features=TINY.n_features // 2)
    trials = [trial for trial in smaller.trials() if trial[-1] != "oracle"]
    guess = expected_seconds(smaller, trials, 2, TINY, tiny_results)
    assert guess > 0.999 * SMALLEST * len(trials) / 2


def test_states_in_words():
    def at(state, position=0, left=None, wait=0.0, done=3):
        return jobs.Snapshot(state, position, wait, done, 9, 200.0, left, (), "")

    waiting = "waiting: number 2 in the line, about 40 s to go"
    assert status_of(at("queued", 2, wait=40.2, done=0)) == waiting
    assert status_of(at("queued", 2, wait=40.2)) == f"{waiting} (3 of 9 trials so far)"
    assert status_of(at("running", left=9000)) == "running: 3 of 9 trials, about 2.5 h left"
    assert status_of(at("cancelled")) == "cancelled after 3 min, 3 of 9 trials"


# -- the paper's numbers, uploads ----------------------------------------------------------


def test_table_1_is_as_printed():
    rows = re.findall(
        r"^(\w[\w-]+)\s*&(\d+)\s*&(\d+)\s*&(\d+)"
        r"((?:\s*&[^&\\]*\\%[^&\\]*|\s*&\{\\bf [\d.]+\}\\%)+)",
        paper_source(),
        flags=re.M,
    )
    printed = {
        row[0]: ([int(x) for x in row[1:4]], [float(x) for x in re.findall(r"[\d.]{4,}", row[4])])
        for row in rows
    }
    assert len(printed) == len(paper_numbers.TABLE_1) == 10
    for row in paper_numbers.TABLE_1:
        sizes, values = printed[row.title]
        assert [row.n_features, row.n_samples, row.folds] == sizes
        assert list(row.accuracy.values()) == values
    assert paper_numbers.row_of("leu").title == "LEU" and paper_numbers.row_of("wine") is None
    known = {row.data for row in paper_numbers.TABLE_1} - {None}
    assert known == set(MAT_FILES)


def test_an_uploaded_table_becomes_samples_and_classes():
    lines = ["a,b,name,class"] + [f"{k},{k % 3},n{k},{'xy'[k % 2]}" for k in range(12)]
    lines[3] = lines[3].replace("2,2,", "2,,", 1)
    table = tables.read_table("\n".join(lines).encode(), "mine.csv")
    upload = uploads.prepare(table, "class", 2)
    assert upload.X.shape[0] == 11 and set(upload.y) == {0, 1}
    assert any("incomplete rows left out" in note for note in upload.notes)
    again = uploads.prepare(table, "class", 2)
    assert again.spec == upload.spec
    with pytest.raises(tables.TableError):
        uploads.prepare(table, "a", 50)


def test_methods_are_labelled_as_their_classifiers_are():
    own = {key: label for key, label in LABELS.items() if key != "oracle"}
    assert own == {key: row.label for key, row in CLASSIFIERS.items()}
