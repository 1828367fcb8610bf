"""Small specs and their paths, solved once for all tests of the room."""

from functools import lru_cache

from lab.norms.paths import Paths, solve_paths
from lab.norms.spec import PatternSpec

SMALL = PatternSpec(n_groups=4, group_size=5, n_samples=30, noise=0.4, rho=0.3)
OVERLAPPING = PatternSpec(n_groups=4, group_size=5, n_samples=30, overlap=2, together=False)


@lru_cache(maxsize=8)
def solved(spec: PatternSpec) -> Paths:
    return solve_paths(spec)
