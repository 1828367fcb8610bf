"""Find a browser for the tests, or install one: `python -m tests.browser.chromium`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# A quiet browser: no sandbox for root in a container, nothing sent to the network by itself.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


def find() -> str | None:
    """The path of a browser that starts, the system's own before Playwright's."""
    return next((path for path in _candidates() if path and _starts(path)), None)


def install() -> str | None:
    """Try the package manager, then Playwright's own download; what each said is printed."""
    for title, commands in _ways_to_install():
        print(f"No browser found; installing one with {title} ...", flush=True)
        if all(_succeeds(command) for command in commands):
            found = find()
            if found:
                return found
    return None


def missing_reason() -> str:
    return (
        "no browser was found and none could be installed, so the app was not tested in a browser; "
        "install Chromium (Debian: apt-get install chromium) and run again"
    )


def _ways_to_install():
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        apt = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
        yield (
            "apt-get",
            [[*apt, "update"], [*apt, "install", "-y", "--no-install-recommends", "chromium"]],
        )
    yield "Playwright", [[sys.executable, "-m", "playwright", "install", "chromium"]]


def _succeeds(command: list[str]) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)
        return False
    return done.returncode == 0


def _candidates():
    """One after the other: Playwright is not started to look where the system has a browser."""
    yield from map(shutil.which, NAMES)
    yield _playwright_download()


def _starts(path: str) -> bool:
    """Whether it runs at all: some systems ship a stub that only names another package."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _playwright_download() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).is_file() else None


def main() -> int:
    path = find() or install()
    if path:
        print(f"Browser tests will use {path}.")
        return 0
    print(f"Browser tests will {'fail' if in_ci() else 'be skipped'}: {missing_reason()}.")
    return 1 if in_ci() else 0


if __name__ == "__main__":
    sys.exit(main())
