"""The app as a server on a free loopback port: of one's own, or shared by several processes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lab.results import OWN_FOLDER_VARIABLE
from tests.clocks import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class App:
    """A running app: where it answers, and its process."""

    address: str
    process: subprocess.Popen


@contextlib.contextmanager
def running_app(
    log_path: Path,
    environment: Mapping[str, str] | None = None,
    *,
    script: Path | str = "app.py",
    port: int | None = None,
) -> Iterator[App]:
    """Start the app on a free port or a given one, wait until it is healthy, stop it at the end.

    Another script than the app's is run with the app's configuration.
    """
    port = free_port() if port is None else port
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    with log_path.open("w") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )
        try:
            _wait_until_healthy(address, process, log_path)
            yield App(address, process)
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def shared_app(folder: Path) -> Iterator[str]:
    """The address of one app for all processes that name the same folder.

    The first to come starts it, and stops it when the last has gone. Users hold a shared lock, so
    the end is waited for and not polled, and a user that dies counts as gone.
    """
    published = folder / "address"
    with (folder / "users").open("w") as users, contextlib.ExitStack() as ours:
        fcntl.flock(users, fcntl.LOCK_SH)
        with (folder / "starting").open("w") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            if not published.exists():
                # What earlier runs left in the user's own folder would be found there again.
                own_results = {OWN_FOLDER_VARIABLE: str(folder / "sweeps")}
                app = ours.enter_context(running_app(folder / "streamlit.log", own_results))
                ours.callback(published.unlink)
                ours.callback(fcntl.flock, users, fcntl.LOCK_EX)  # until all others have gone
                published.write_text(app.address)
        yield published.read_text()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_healthy(address, process, log_path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)  # polling a port, the one thing that cannot be waited on
    raise RuntimeError(f"the app did not start; its log ends with:\n{log_path.read_text()[-2000:]}")
