"""Which work may wait: long computations let pages and everything else on the machine go first."""

from __future__ import annotations

import os

NICENESS = 10


def step_back() -> None:
    """Lower the priority of this process; there is no way back, so only workers call it."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
