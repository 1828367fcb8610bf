"""What is kept for the first visit is what would be solved now, and a usual draw."""

import subprocess
import sys

import numpy as np

from lab.data.datasets import TwinsSpec
from lab.norms import draws, start, twins
from lab.norms import paths as norm_paths
from lab.norms.spec import make_data
from tests.lab.norms.small import solved


def test_paths_kept_for_the_first_visit_are_those_solved_now():
    kept, fresh = start.stored_paths(), solved(start.SPEC)
    data = make_data(start.SPEC)
    assert kept.spec == start.SPEC and kept.oracle_error == fresh.oracle_error
    for norm, path in fresh.by_norm.items():
        again = kept.by_norm[norm]
        assert again.gaps.max() <= norm_paths.TOLERANCE
        np.testing.assert_allclose(again.lams, path.lams, rtol=1e-9)
        # Two fits within a relative gap of 1e-6 can be this far apart where they predict.
        apart = np.linalg.norm((again.coefs - path.coefs) @ data.X.T, axis=1)
        assert apart.max() <= 2 * np.sqrt(norm_paths.TOLERANCE) * np.linalg.norm(data.y)
        np.testing.assert_allclose(again.errors, path.errors, atol=2e-3)


def test_the_kept_draw_is_one_of_the_kept_draws():
    kept, one = start.stored_draws(), draws.solve_draw(start.SPEC)
    row = draws.SEEDS.index(start.SPEC.seed)
    np.testing.assert_allclose(kept.best_error[row], one["best_error"], atol=2e-3)
    np.testing.assert_allclose(kept.f1[row], one["f1"], atol=0.05)
    assert (kept.seen[row] == one["seen"]).mean() > 0.98


def test_the_page_opens_with_a_draw_that_shows_what_most_draws_show():
    kept = start.stored_draws()
    assert kept.count == len(draws.SEEDS) == 20
    assert start.SPEC.seed == start.typical_seed(kept)
    row = draws.SEEDS.index(start.SPEC.seed)
    assert np.argmax(kept.best_f1[row]) == np.bincount(np.argmax(kept.best_f1, axis=1)).argmax()
    assert (
        np.argmin(kept.best_error[row]) == np.bincount(np.argmin(kept.best_error, axis=1)).argmax()
    )


def test_kept_claims_are_those_checked_now():
    vary, at = "correlation", twins.CORRELATIONS.index("0.8")
    kept = start.stored_claims(TwinsSpec(), twins.DEFAULT_SHARE, vary)
    share = float(twins.DEFAULT_SHARE)
    assert kept[at] == twins.claims_over_draws(TwinsSpec(), share, vary, (0.8,))[0]
    assert start.stored_claims(TwinsSpec(noise=1.0), twins.DEFAULT_SHARE, vary) is None
    assert start.stored_claims(TwinsSpec(), "0.5", vary) is None


def test_first_visit_loads_no_scikit_learn():
    loaded = (
        "import sys, lab.norms.balls, lab.norms.twins, lab.norms.code; "
        "from lab.norms import start; start.paths_of(start.SPEC); start.stored_draws(); "
        "print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
