"""The model of a pass at scale: right where it can be checked, and quoted as it was measured."""

import numpy as np
import pytest

from benchmarks import common
from benchmarks import scale_model as model


def test_the_slowest_of_many_is_the_mean_of_the_largest():
    rng = np.random.default_rng(0)
    for machines in (1, 8, 100):
        drawn = np.exp(0.3 * rng.standard_normal((20_000, machines))).max(axis=1)
        assert model.slowest(machines, 0.3) == pytest.approx(drawn.mean(), rel=0.01)


@pytest.mark.parametrize("machines", [2, 5, 64])
def test_without_hiccups_the_closed_form_is_the_simulation(machines):
    calm = model.Machine(hiccups=0.0)
    simulated = model.simulated_pass(0.3, 1e6, machines, calm, np.random.default_rng(0))
    assert model.pass_seconds(0.3, 1e6, machines, calm) == pytest.approx(simulated, rel=1e-9)


def test_the_page_says_what_was_measured_and_the_model_held():
    found = common.read("scale_model")
    page = model.DOCUMENT.read_text(encoding="utf-8")
    assert model.checks(found) in page and model.table(found) in page
    assert all(0.9 < row["model_over_simulated"] < 1.1 for row in found["simulation"])
    for cost in (found["pass_cost"], found["prox_cost"]):
        assert 0.7 < cost["predicted_over_measured"] < 1.4
    assert all(row[kind]["gap"] <= 1e-3 for row in found["passes"] for kind in ("lasso", "svm"))


def test_a_feature_in_every_sample_weighs_on_the_machine_that_has_it():
    rng = np.random.default_rng(0)
    assert model.heaviest_share(10_000, 1_000, 10, 2, rng) < 1.5
    assert model.heaviest_share(10_000, 1_000, 10, 100, rng) > 5.0
