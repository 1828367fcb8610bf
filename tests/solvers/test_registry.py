"""What every method promises, tested over the registries so that later methods are covered too."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS, Groups, Method
from solvers.problems import Candidate
from solvers.registry import choose
from tests.oracles import KINDS, METHODS, random_instance

ALL = [pytest.param(kind, key, id=f"{kind}-{key}") for kind in KINDS for key in METHODS[kind]]
each_method = pytest.mark.parametrize(("kind", "key"), ALL)


def accepted_instance(kind, key, **options):
    """A problem the method accepts: overlapping if it can."""
    for overlapping in (True, False):
        instance = random_instance(kind, 6, overlapping=overlapping, **options)
        if key in instance.accepted():
            return instance
    raise AssertionError(f"{key} accepts neither overlapping nor disjoint groups")


def test_the_papers_methods_are_there():
    assert {"pcp", "locp"} <= set(LASSO_METHODS)
    assert {"pcp", "locp"} <= set(LOGISTIC_METHODS)
    assert {"licp", "licp_block"} <= set(SVM_METHODS)


@pytest.mark.parametrize("kind", KINDS)
def test_registries_cannot_be_changed_by_accident(kind):
    with pytest.raises(TypeError):
        METHODS[kind]["mine"] = None
    method = next(iter(METHODS[kind].values()))
    with pytest.raises(AttributeError):
        method.label = "better"


@each_method
def test_entries_are_complete(kind, key):
    method = METHODS[kind][key]
    assert isinstance(method, Method)
    assert method.key == key
    assert key.isidentifier() and key != "auto"
    assert method.label.strip()
    assert len(method.reference) > 20
    assert method.max_iter >= 1


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_distinct(kind):
    labels = [method.label for method in METHODS[kind].values()]
    assert len(set(labels)) == len(labels)


@each_method
def test_accepts_gives_none_or_a_reason(kind, key):
    method = METHODS[kind][key]
    exponents = (2.0,) if kind == "svm" else (1.0, 1.5, 2.0, 3.0)
    verdicts = []
    for overlapping, exponent in itertools.product((False, True), exponents):
        problem = random_instance(kind, 1, overlapping=overlapping, exponent=exponent).problem
        verdict = method.accepts(problem)
        assert verdict is None or (isinstance(verdict, str) and len(verdict) > 10)
        verdicts.append(verdict)
    assert None in verdicts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("overlapping", [False, True], ids=["disjoint", "overlapping"])
@pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])
def test_auto_is_always_possible(kind, overlapping, fit_intercept):
    instance = random_instance(kind, 2, overlapping=overlapping, fit_intercept=fit_intercept)
    chosen = choose(METHODS[kind], "auto", instance.problem)
    assert chosen.accepts(instance.problem) is None
    assert chosen.key == "auto"


@pytest.mark.parametrize("exponent", [1.0, 1.5, 3.0])
@pytest.mark.parametrize("kind", ["lasso", "logistic"])
def test_auto_knows_about_exponents(kind, exponent):
    instance = random_instance(kind, 2, exponent=exponent)
    assert choose(METHODS[kind], "auto", instance.problem).accepts(instance.problem) is None


def test_locp_says_why_it_refuses():
    overlapping = random_instance("lasso", 3, overlapping=True)
    with pytest.raises(ValueError, match=r"'locp' cannot solve .*disjoint"):
        overlapping.solve(method="locp")
    cubed = random_instance("lasso", 3, exponent=3.0)
    with pytest.raises(ValueError, match=r"'locp' cannot solve .*exponent here is 3"):
        cubed.solve(method="locp")
    for kind, key in itertools.product(("lasso", "logistic"), ("pcp",)):
        instance = random_instance(kind, 3, overlapping=True, exponent=3.0)
        assert METHODS[kind][key].accepts(instance.problem) is None


@each_method
def test_a_method_yields_functions_that_build_candidates(kind, key):
    instance = accepted_instance(kind, key)
    problem = instance.problem
    iterates = METHODS[kind][key].run(problem, None)
    for build in itertools.islice(iterates, 4):
        candidate = build()
        assert isinstance(candidate, Candidate)
        assert candidate.w.shape == (problem.n_features,)
        assert candidate.w.dtype == np.float64
        for dual in (candidate.dual, candidate.other_dual):
            assert dual is None or dual.shape == (problem.n_samples,)
        assert candidate.other_w is None or candidate.other_w.shape == candidate.w.shape
        score = problem.score(candidate)
        assert score.objective >= score.bound
        assert score.bound <= instance.reference.upper * (1 + 1e-12)
        assert score.objective >= instance.reference.value * (1 - 1e-8)


@each_method
def test_a_method_can_be_told_where_to_start(kind, key):
    """The first item is the start: at the solution it is as good as the solution."""
    instance = accepted_instance(kind, key, fit_intercept=True)
    w0 = instance.reference.w
    build = next(METHODS[kind][key].run(instance.problem, w0.copy()))
    candidate = build()
    if kind != "svm":
        np.testing.assert_allclose(candidate.w, w0, atol=1e-8)
        score = instance.problem.score(candidate)
        assert score.objective <= instance.reference.upper * (1 + 1e-6)


@each_method
def test_building_a_candidate_does_not_disturb_the_method(kind, key):
    """Measured often or never, the iterates are the same."""
    instance = accepted_instance(kind, key)
    runs = []
    for measured in (True, False):
        iterates = METHODS[kind][key].run(instance.problem, None)
        for build in itertools.islice(iterates, 12):
            if measured:
                instance.problem.score(build())
            last = build
        runs.append(last().w.copy())
    np.testing.assert_array_equal(runs[0], runs[1])


@each_method
def test_runs_are_repeatable(kind, key):
    instance = accepted_instance(kind, key)
    runs = [
        [row.objective for row in instance.solve(method=key, max_iter=1, tol=0.0).history]
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


@each_method
def test_methods_leave_the_data_alone(kind, key):
    instance = accepted_instance(kind, key, weighted=True, fit_intercept=True)
    problem = instance.problem
    X, y, weight = problem.design.dense.copy(), problem.y.copy(), problem.sample_weight.copy()
    groups = Groups.from_lists(instance.groups.lists(), problem.n_features)
    for build in itertools.islice(METHODS[kind][key].run(problem, None), 10):
        problem.score(build())
    np.testing.assert_array_equal(problem.design.dense, X)
    np.testing.assert_array_equal(problem.y, y)
    np.testing.assert_array_equal(problem.sample_weight, weight)
    assert instance.groups == groups


@each_method
def test_options_are_named(kind, key):
    method = METHODS[kind][key]
    assert all(name.isidentifier() for name in method.options)
    assert not {"problem", "w0"} & set(method.options)
    instance = accepted_instance(kind, key)
    with pytest.raises(ValueError, match=f"'{key}' has no option 'speed'"):
        instance.solve(method=key, speed="high")
