"""Run the code a page offers, as a reader would: a script in a fresh process."""

from __future__ import annotations

import json
import re
import select
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.clocks import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [sys.executable, "-W", "error::DeprecationWarning"]
IMPORTS_SOLVERS = re.compile(r"^(from|import) solvers\b", re.MULTILINE)


def printed_by(code: str) -> str:
    """What a script prints; an error in it is an error here."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        if IMPORTS_SOLVERS.search(code):
            status = _run_by_server(dict(code=code, out=str(out), err=str(err)))
        else:
            with out.open("w") as stdout, err.open("w") as stderr:
                status = subprocess.run(
                    [*PYTHON, "-c", code], cwd=ROOT, stdout=stdout, stderr=stderr, timeout=PATIENCE
                ).returncode
        assert status == 0, err.read_text(encoding="utf-8")
        return out.read_text(encoding="utf-8")


def _run_by_server(order: dict) -> int:
    server = _server()
    server.stdin.write(json.dumps(order) + "\n")
    server.stdin.flush()
    answered, _, _ = select.select([server.stdout], [], [], PATIENCE)
    if not answered:
        server.kill()
        _server.cache_clear()
        raise TimeoutError(f"no end after {PATIENCE} s")
    return int(server.stdout.readline())


@cache
def _server() -> subprocess.Popen:
    """Started once for all scripts; it leaves when its input ends, which is when we do."""
    return subprocess.Popen(
        [*PYTHON, "-m", "tests.lab.script_server"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
