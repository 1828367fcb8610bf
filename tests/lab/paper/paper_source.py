"""The paper's source, where this machine has it."""

import os
from pathlib import Path

import pytest

NAME = "exclusive-sparsity.tex"


def paper_source() -> str:
    """The text of the source; a test without it is skipped with the reason."""
    chosen = os.environ.get("EXCLUSIVE_SPARSITY_PAPER")
    parents = Path(__file__).resolve().parents
    folders = [Path(chosen)] if chosen else [each / "shared" / "paper" for each in parents]
    for folder in folders:
        if (folder / NAME).is_file():
            return (folder / NAME).read_text(encoding="utf-8")
    pytest.skip("the paper's source is not on this machine")  # in CI a skip is a failure
