"""Many draws: each as if drawn alone, and compared draw by draw."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from lab.norms import draws, shown
from lab.norms.claims import is_seen
from tests.lab.norms.small import SMALL, solved


def test_a_draw_keeps_the_numbers_of_its_panels():
    part, paths = draws.solve_draw(SMALL), solved(SMALL)
    many = draws.collected(SMALL, [part, part])
    assert many.count == 2 and many.spec == draws.any_seed(SMALL)
    for matched in (False, True):
        fits = shown.look_up(paths, 0.24, matched)
        for norm, fit in fits.items():
            assert many.at("nonzeros", "0.24", matched)[norm][1] == fit.pattern.nonzeros
            assert many.at("empty", "0.24", matched)[norm][1] == fit.pattern.n_empty
            # Another run of the same solver may stop an iteration earlier or later.
            error = many.at("error", "0.24", matched)[norm][1]
            assert error == pytest.approx(fit.error, abs=1e-4)
            assert many.at("seen", "0.24", matched)[norm][1] == is_seen(fit)
    np.testing.assert_array_equal(
        part["best_f1"], [path.f1.max() for path in paths.by_norm.values()]
    )


def test_draws_stop_when_time_is_up_and_go_on_from_there():
    part, asked = draws.solve_draw(SMALL), []

    def solve(spec):
        asked.append(spec.seed)
        return part

    assert draws.within(SMALL, -1.0, solve).count == 2
    assert asked == [0, 1]
    assert draws.within(SMALL, 1e6, solve).count == len(draws.SEEDS)


def test_the_key_of_draws_forgets_the_seed_only():
    assert draws.any_seed(replace(SMALL, seed=7)) == draws.any_seed(SMALL)
    assert draws.any_seed(replace(SMALL, noise=0.1)) != draws.any_seed(SMALL)


def with_best(error: np.ndarray, f1: np.ndarray) -> draws.Draws:
    nothing = np.zeros((len(error), 2, 1, 4))
    return draws.Draws(SMALL, *[nothing] * 5, best_f1=f1, best_error=error)


def test_ahead_is_what_paired_t_tests_with_holms_correction_say():
    random = np.random.default_rng(3)
    error = random.standard_normal((20, 4)) * 0.1 + [0.0, 0.02, 0.1, 1.0]
    f1 = random.standard_normal((20, 4)) * 0.1 + [0.3, 0.9, 0.88, 0.0]
    found = draws.compare(with_best(error, f1))
    leads = {
        "best_error": (error, int(error.mean(axis=0).argmin())),
        "best_f1": (f1, int(f1.mean(axis=0).argmax())),
    }
    raw = {
        (name, k): stats.ttest_rel(values[:, k], values[:, lead]).pvalue
        for name, (values, lead) in leads.items()
        for k in range(4)
        if k != lead
    }
    assert len(raw) == draws.COMPARISONS
    surely, sure = {}, True
    for place, key in enumerate(sorted(raw, key=raw.get)):
        sure = sure and raw[key] * (draws.COMPARISONS - place) < 0.05
        surely[key] = sure
    for name, (values, lead) in leads.items():
        one = found[name]
        assert one.leader == draws.NORMS[lead] and one.level and one.behind
        for k, norm in enumerate(draws.NORMS):
            if k != lead:
                assert (norm in one.behind) == surely[name, k] == (norm not in one.level)
        best = (values.min if name == "best_error" else values.max)(axis=1)
        assert one.wins == int((values[:, lead] == best).sum()) and one.ties == 0
        assert list(one.means.values()) == pytest.approx(values.mean(axis=0).tolist())


def test_equal_norms_share_a_win_and_are_not_told_apart():
    values = np.tile([0.5, 0.5, 0.9, 0.9], (20, 1)) + np.arange(20)[:, None] / 100
    found = draws.compare(with_best(values, values))["best_error"]
    assert (found.wins, found.ties) == (20, 20)
    assert found.level == (draws.NORMS[1],)
