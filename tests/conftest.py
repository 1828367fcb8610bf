"""Settings for every test: one BLAS thread per worker, and what is stricter in CI."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser.chromium import in_ci

# Set before any test imports NumPy: workers with two BLAS threads each would fight for the cores.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# Shared machines pause at random, so a deadline per example would fail by chance; examples drawn
# anew on every run would let the same code pass today and fail tomorrow.
settings.register_profile("local", deadline=None, derandomize=True)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if in_ci() else "local")

HERE = Path(__file__).resolve().parent
# Folders whose tests open pages or start servers, beside the files that are in no folder.
LONG = {"pages", "faults", "security", "benchmarks"}


def pytest_collection_modifyitems(items):
    """Long tests first, so that short ones are left for the worker that is ready first."""

    def is_short(item) -> bool:
        folder = item.path.relative_to(HERE).parts[:-1]
        return bool(folder) and folder[0] not in LONG

    items.sort(key=is_short)


@pytest.fixture(autouse=True)
def python_keeps_its_main():
    """Streamlit makes the page that it runs Python's main module, which a process started later
    would run first, or miss where it was a test's own page and is gone."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """In CI a skip fails: without a browser or the data sets, nothing was shown to work."""
    report = yield
    if in_ci() and report.skipped and not hasattr(report, "wasxfail"):
        *_, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, which CI does not allow.\n{reason}"
    return report
