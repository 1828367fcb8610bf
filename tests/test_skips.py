"""What cannot be tested is skipped with its reason; in continuous integration that is a failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def run_without_browser_and_data(tmp_path):
    """Runs one test that needs a browser and seven that need the data sets, and has neither."""

    def run(ci: str):
        tests = [
            "tests/browser/test_home.py::test_deep_link_restores_the_view",
            "tests/lab/test_datasets.py::test_real_sets_have_their_published_sizes",
        ]
        nothing = {
            "PATH": str(tmp_path),
            "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path),
            "EXCLUSIVE_SPARSITY_DATA": str(tmp_path),
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
    assert f"8 {outcome}" in done.stdout.splitlines()[-1]
    assert "no browser was found and none could be installed" in done.stdout
    assert "the real data sets are not on this machine" in done.stdout
