"""What is shipped for the first visit is what the tasks find here and now."""

import numpy as np
import pytest

from lab.own_table import first_visit, fits, work

CASE = first_visit.opening_case()
SHIPPED = {
    (task.kind, task.identity, task.part): value for task, value in first_visit.shipped().results
}


def shipped(task):
    return SHIPPED[task.kind, task.identity, task.part]


def test_everything_that_the_page_opens_with_is_there_and_nothing_else():
    assert first_visit.shipped().table_key == CASE.table_key
    tasks = first_visit.opening_tasks(CASE)
    assert [(task.kind, task.identity, task.part) for task in tasks] == list(SHIPPED)


@pytest.mark.parametrize("key", ["esvm_r", "svm", "logistic_l1"])
def test_fits_are_found_again(key):
    (task,) = work.fit_tasks(CASE.spec, [(key, 0)])
    then, now = shipped(task), fits.run(CASE.prepared, CASE.spec, CASE.groupings, key, 0)
    assert now.strengths == pytest.approx(then.strengths, rel=1e-9)
    assert np.array_equal(now.test, then.test)
    assert now.metrics == pytest.approx(then.metrics, abs=1e-9)
    assert now.decision == pytest.approx(then.decision, abs=1e-3 * np.abs(then.decision).max())


def test_shuffled_labels_and_half_samples_are_found_again():
    known = {
        fold: dict(shipped(work.fit_tasks(CASE.spec, [("esvm_r", fold)])[0]).strengths)
        for fold in (None, 0)
    }
    chance = work.chance_tasks(CASE.spec)[0]
    now = work.perform(CASE.prepared, CASE.spec, CASE.groupings, chance, known)
    # Fits at 1e-3 may call a row or two otherwise where another processor rounds otherwise.
    assert now == pytest.approx(shipped(chance), abs=3.0 / 114)
    half = work.stability_tasks(CASE.spec)[0]
    now = work.perform(CASE.prepared, CASE.spec, CASE.groupings, half, known)
    assert np.mean(now != shipped(half)) <= 0.05


def test_a_missing_or_broken_file_is_no_file(tmp_path):
    first_visit.shipped.cache_clear()
    assert first_visit.shipped(tmp_path / "none.gz") is None
    (tmp_path / "broken.gz").write_bytes(b"no gzip")
    first_visit.shipped.cache_clear()
    assert first_visit.shipped(tmp_path / "broken.gz") is None
    first_visit.shipped.cache_clear()
