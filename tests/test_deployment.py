"""Safe defaults on loopback, overridden by environment in the container."""

import asyncio
import re
import tomllib
from pathlib import Path

import pytest
import websockets

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
