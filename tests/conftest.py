"""Settings for every test: one BLAS thread per worker, and hypothesis that repeats itself in CI."""

import os

from hypothesis import settings

# Set before any test imports NumPy: workers with two BLAS threads each would fight for the cores.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# Shared machines pause at random, so a deadline per example would fail by chance.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
