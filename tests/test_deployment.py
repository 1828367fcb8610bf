"""Safe defaults on loopback, overridden by environment in the container."""

import asyncio
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import websockets

from lab import races
from lab.accuracy import settings
from lab.running import jobs
from tests.browser.app_server import running_app

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_the_committed_configuration_is_safe():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    server = config["server"]
    assert server["address"] == "127.0.0.1"
    assert server["enableXsrfProtection"] and server["enableCORS"]
    assert set(server["allowedHosts"]) == {"localhost", "127.0.0.1"}
    assert server["maxUploadSize"] == 50
    assert config["client"]["showErrorDetails"] == "type"
    assert config["browser"]["gatherUsageStats"] is False


async def refused(address, host) -> bool:
    """Whether the app's websocket is closed to a visitor under another host name."""
    url = address.replace("http", "ws") + "/_stcore/stream"
    try:
        async with websockets.connect(
            url, subprotocols=["streamlit"], origin=f"http://{host}", additional_headers={}
        ):
            return False
    except websockets.exceptions.InvalidStatus:
        return True


def test_a_foreign_origin_is_refused_and_the_own_one_is_not(tmp_path):
    with running_app(tmp_path / "app.log") as app:
        assert asyncio.run(refused(app.address, "evil.example"))
        assert not asyncio.run(refused(app.address, app.address.removeprefix("http://")))


def test_the_container_copies_what_exists_and_runs_without_rights():
    sources = re.findall(r"^COPY (?:--chown=\S+ )?(.+) \S+$", DOCKERFILE, re.MULTILINE)
    assert sources
    for source in " ".join(sources).split():
        assert (ROOT / source).exists(), source
    instructions = re.findall(r"^([A-Z]+) ", DOCKERFILE, re.MULTILINE)
    assert instructions.index("USER") < instructions.index("CMD")
    assert "HEALTHCHECK" in instructions and "/_stcore/health" in DOCKERFILE
    assert not re.search(r"USER\s+(root|0)\b", DOCKERFILE)


@pytest.mark.parametrize("package", ["app.py", "pages", "lab", "solvers", ".streamlit"])
def test_the_container_has_all_that_the_app_needs(package):
    assert re.search(rf"^COPY .*{re.escape(package)} ", DOCKERFILE, re.MULTILINE)


def test_the_bounds_in_the_text_are_those_of_the_code():
    text = " ".join((ROOT / "docs/deploying.md").read_text().split())
    assert f"races to {races.MOST_NUMBERS / 1e6:.0f} million numbers" in text
    assert races.MOST_BUDGET == 60.0 and "a minute of solver time for each contestant" in text
    assert f"sweeps to {settings.MOST_NUMBERS / 1e6:.0f} million numbers a trial" in text
    assert f"{jobs._MOST_WAITING} computations in the line" in text


def test_every_requirement_is_pinned():
    pinned = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text().split() if "==" in line
    )
    for name in ("requirements.txt", "requirements-dev.txt"):
        lines = (ROOT / name).read_text().splitlines()
        for line in lines:
            if line and not line.startswith(("#", "-r")):
                package = re.match(r"[\w.-]+", line)[0].lower()
                assert package in {each.lower() for each in pinned}, package


def test_the_health_check_of_the_container_is_true_of_a_running_app(tmp_path):
    """The image cannot be built everywhere; the commands in it can be tried."""
    (check,) = re.findall(r'HEALTHCHECK .*?python -c "(.*?)"$', DOCKERFILE, re.S | re.M)
    variables = dict(
        re.findall(r'\b((?:STREAMLIT|OPENBLAS|OMP)_\w+)="?([^"\s\\]+(?: [^"\\]+)?)"?', DOCKERFILE)
    )
    assert variables["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"
    with running_app(tmp_path / "app.log", variables) as app:
        port = app.address.rsplit(":", 1)[1]
        code = check.replace("8501", port)
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
        assert not asyncio.run(refused(app.address, app.address.removeprefix("http://")))
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode


@pytest.mark.parametrize(
    "variable",
    re.findall(r"`((?:STREAMLIT|EXCLUSIVE)_\w+)`", (ROOT / "docs/deploying.md").read_text()),
)
def test_documented_variables_are_read_by_something(variable):
    if variable.startswith("STREAMLIT_"):
        section, name = variable.removeprefix("STREAMLIT_").lower().split("_", 1)
        from streamlit import config

        known = {key.lower() for key in config.get_config_options()}
        assert f"{section}.{name.replace('_', '')}" in known
    else:
        sources = [path.read_text() for path in (ROOT / "lab").rglob("*.py")]
        assert any(variable in source for source in sources)
