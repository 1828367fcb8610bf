"""What is said of a sweep reads well at its extremes: one of each, almost all, almost none."""

from itertools import product

import pytest

from lab.accuracy import Fig2dSpec, RealSpec, WhenSpec, settings, summarise, summary
from lab.accuracy.found import Found
from lab.accuracy.panels import panel_of
from lab.accuracy.settings import SHOWN
from tests.lab.sentences import faults

ROW = dict(nonzeros=1, n_train=40, n_test=10, seconds=103.5, chosen={}, gap=None, missed=False)
METHODS = [("svm", "esvm_r"), ("svm", "sparse_svm", "esvm_r"), ("esvm_r",)]


def specs(methods, draws):
    for ms in ((8,), (8, 12)):
        yield Fig2dSpec(n_features=40, ms=ms, repeats=draws, methods=methods)
        yield WhenSpec(
            values=ms, n_features=40, n_groups=4, n_samples=16, repeats=draws, methods=methods
        )
    if draws > 1:
        yield RealSpec(folds=draws, methods=methods)


@pytest.mark.parametrize("methods", METHODS, ids=len)
@pytest.mark.parametrize("best", [0.0, 0.0004, 0.5, 0.9996, 1.0])
def test_every_sentence_of_a_sweep_reads_well(methods, best):
    for draws, rest, ahead in product((1, 2, 5), (0.0, 0.01), (True, False)):
        for spec in specs(methods, draws):
            for known in {1, len(spec.trials())}:
                results = {
                    trial: {
                        **ROW,
                        "trial": list(trial),
                        "accuracy": best if (trial[2] == "esvm_r") == ahead else best * (1 - rest),
                    }
                    for trial in spec.trials()[:known]
                }
                assert faults(sentences_of(Found(spec, results, majority=0.9997))) == []


def sentences_of(found: Found):
    cells = summarise(found.spec, found.results)
    yield found.answer
    yield found.in_full
    for show in SHOWN:
        yield panel_of(found.spec, cells, show, found.done).title
        yield found.notes(show)
    for name, column in summary.table(found.spec, cells).items():
        yield name
        yield from map(str, column)


def test_almost_all_is_not_all():
    spec = RealSpec(folds=2, methods=("svm", "esvm_r"))
    results = {
        trial: {**ROW, "trial": list(trial), "accuracy": 0.9997 if trial[2] == "svm" else 1.0}
        for trial in spec.trials()
    }
    said = list(sentences_of(Found(spec, results)))
    assert "is right on 100 % of the test samples" in said[0]
    assert "99.97" in said


def test_seconds_are_told_as_one_writes_them():
    """More than a hundred stood in the table as 1e+02."""
    spec = RealSpec(folds=2, methods=("svm", "esvm_r"))
    results = {trial: {**ROW, "trial": list(trial), "accuracy": 0.5} for trial in spec.trials()}
    found = Found(spec, results)
    assert summary.table(spec, found.cells)["CPU seconds"] == ["104", "104"]
    title = panel_of(spec, found.cells, "seconds", found.done).title
    assert title == "Least median CPU time, 2 folds: SVM 104 s, then E-SVM(R) 104 s"


def test_before_a_draw_has_two_methods_the_title_waits_for_them():
    """It asked for methods that had been chosen."""
    spec = Fig2dSpec(n_features=40, ms=(8,), repeats=2, methods=("svm", "esvm_r"))
    found = Found(spec, {spec.trials()[0]: {**ROW, "trial": [8, 0, "svm"], "accuracy": 0.5}})
    title = panel_of(spec, found.cells, SHOWN[0], found.done).title
    assert title == "So far, 1 of 4 trials: no draw has E-SVM and another method yet"
    assert found.answer.startswith(f"{title}, so there is nothing to compare")


def test_a_set_of_openml_is_called_by_its_name():
    spec = settings.spec_of(
        {**settings.DEFAULTS, "tab": settings.REAL, "data": settings.BY_NAME, "openml": "iris"}
    )
    assert settings.in_brief(spec) == "iris, 10 ordinary folds, seed 0"
