"""What cannot be tested is skipped with its reason; in continuous integration that is a failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def run_without_browser_and_data(tmp_path):
    """Runs tests that need a browser, the data sets or the paper's source, and has none."""

    def run(ci: str):
        tests = [
            "tests/browser/test_home.py::test_a_tile_is_marked_in_all_four_pictures",
            "tests/lab/data/test_datasets.py::test_real_sets_have_their_published_sizes",
            "tests/lab/paper/test_sentences.py::test_theorems_and_lemmas_share_a_counter",
        ]
        nothing = {
            "PATH": str(tmp_path),
            "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path),
            "EXCLUSIVE_SPARSITY_DATA": str(tmp_path),
            "EXCLUSIVE_SPARSITY_PAPER": str(tmp_path),
        }
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
            cwd=ROOT,
            env={**os.environ, **nothing, "CI": ci},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize(("ci", "code", "outcome"), [("", 0, "skipped"), ("true", 1, "errors")])
def test_missing_browser_and_data_fail_only_in_ci(run_without_browser_and_data, ci, code, outcome):
    done = run_without_browser_and_data(ci)
    assert done.returncode == code, done.stdout + done.stderr
    assert f"9 {outcome}" in done.stdout.splitlines()[-1]
    assert "no browser was found and none could be installed" in done.stdout
    assert "the real data sets are not on this machine" in done.stdout
    assert "the paper's source is not on this machine" in done.stdout
