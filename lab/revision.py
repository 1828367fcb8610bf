"""Which state of this software is running: its version and, from a checkout, its commit."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from solvers import __version__

COMMIT_VARIABLE = "EXCLUSIVE_SPARSITY_COMMIT"


@cache
def commit(folder: Path | None = None) -> str | None:
    """The short commit: from the environment, else from the checkout's files, else None."""
    told = os.environ.get(COMMIT_VARIABLE)
    if told and folder is None:
        return told[:12]
    try:
        return _checked_out(folder or Path(__file__).resolve().parents[1])
    except OSError:
        return None


def _checked_out(root: Path) -> str | None:
    git = root / ".git"
    if git.is_file():  # a worktree: "gitdir: <path>"
        git = (root / git.read_text(encoding="utf-8").split(":", 1)[1].strip()).resolve()
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head[:12]
    name = head.split(":", 1)[1].strip()
    common = git
    if (git / "commondir").is_file():
        common = (git / (git / "commondir").read_text(encoding="utf-8").strip()).resolve()
    for place in (git, common):
        if (place / name).is_file():
            return (place / name).read_text(encoding="utf-8").strip()[:12]
    for line in (common / "packed-refs").read_text(encoding="utf-8").splitlines():
        if line.endswith(f" {name}"):
            return line[:12]
    return None


def in_words() -> str:
    """ "0.1.0, commit 1a2b3c4", or the version alone."""
    found = commit()
    return f"{__version__}, commit {found}" if found else __version__
