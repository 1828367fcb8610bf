"""Which work may wait: long computations let pages and everything else on the machine go first."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

NICENESS = 10
SESSION_NICENESS = 5  # more would starve them on a machine with other things to do
AUTOGROUP = Path("/proc/self/autogroup")


def step_back() -> None:
    """Lower the priority of this process; there is no way back, so only workers call it.

    Linux may share its cores among sessions first and among the processes of each only then. There
    niceness counts for nothing against other sessions, so the process leaves for one of its own
    and lowers that too.
    """
    if not hasattr(os, "nice"):
        return
    os.nice(NICENESS)
    with suppress(OSError):
        if os.getsid(0) != os.getpid():
            os.setsid()
        AUTOGROUP.write_text(str(SESSION_NICENESS))
