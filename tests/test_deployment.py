"""Safe defaults on loopback, overridden by environment in the container."""

import asyncio
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import websockets
import yaml

from benchmarks import common, serving
from benchmarks.visitor import OPEN_SECONDS
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
    assert races.MOST_BUDGET == 60.0 and "a minute of solver time for each lane" in text
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


# -- several processes behind a proxy ----------------------------------------------------------

COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
NGINX = (ROOT / "deploy/nginx.conf").read_text()


def blocks(name: str) -> dict[str, str]:
    """The blocks of a kind in nginx's configuration, by what follows the word."""
    return dict(re.findall(rf"^ *{name} (\S+) \{{(.*?)\}}", NGINX, re.S | re.M))


def app_services() -> dict[str, dict]:
    return {name: service for name, service in COMPOSE["services"].items() if "build" in service}


def test_the_proxy_knows_every_process_and_each_stands_in_for_another():
    port = re.search(r"EXPOSE (\d+)", DOCKERFILE)[1]
    apps, upstreams = app_services(), blocks("upstream")
    assert len(apps) == 2 and set(upstreams) == set(apps)
    for name, upstream in upstreams.items():
        assert upstream.split() == ["server", f"{name}:{port};"]
    drawn = re.search(r"split_clients \S+ \$drawn \{(.*?)\}", NGINX, re.S)[1]
    kept = re.search(r"map \$cookie_process \$process \{(.*?)\}", NGINX, re.S)[1]
    other = dict(re.findall(r"(\S+)\s+(\S+);", blocks("map \\$process")["$other"]))
    for name in apps:
        assert re.search(rf"\s{name};", drawn) and re.search(rf"{name}\s+{name};", kept)
        assert {other.get(name, other["default"])} == set(apps) - {name}
    assert "proxy_pass http://$process;" in NGINX and 'Set-Cookie "process=$process;' in NGINX


def test_the_proxy_passes_websockets_and_uploads_and_is_reached_on_loopback_only():
    proxy = COMPOSE["services"]["proxy"]
    listening = re.search(r"listen (\d+);", NGINX)[1]
    assert proxy["ports"] == [f"127.0.0.1:{listening}:{listening}"]
    assert "./nginx.conf:/etc/nginx/nginx.conf:ro" in proxy["volumes"]
    assert set(proxy["depends_on"]) == set(app_services())
    for line in (
        "proxy_http_version 1.1;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Host $http_host;",
    ):
        assert line in NGINX
    largest = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["server"]
    assert int(re.search(r"client_max_body_size (\d+)m;", NGINX)[1]) > largest["maxUploadSize"]
    assert NGINX.count("{") == NGINX.count("}")


def test_where_a_process_is_gone_few_at_a_time_are_taken_by_the_other():
    locations = dict(re.findall(r"location (.+?) \{(.*?)\}", NGINX, re.S))
    for place, stands_in in (("/", "@other"), ("= /_stcore/stream", "@crowd")):
        assert "proxy_pass http://$process;" in locations[place]
        assert f"error_page 502 504 = {stands_in};" in locations[place]
        assert "proxy_pass http://$other;" in locations[stands_in]
    # What a session begins with, and nothing else: pictures and health checks do not wait.
    assert [place for place, each in locations.items() if "limit_req" in each] == ["@crowd"]
    rate = int(re.search(r"limit_req_zone \$other zone=crowd:1m rate=(\d+)r/s;", NGINX)[1])
    burst = int(re.search(r"limit_req zone=crowd burst=(\d+);", NGINX)[1])
    assert burst / rate < OPEN_SECONDS


def test_the_processes_share_one_folder_of_results_and_only_documented_variables():
    documented = set(
        re.findall(r"`((?:STREAMLIT|EXCLUSIVE)_\w+)`", (ROOT / "docs/deploying.md").read_text())
    )
    for service in app_services().values():
        environment = service["environment"]
        assert set(environment) <= documented
        (volume,) = service["volumes"]
        name, place = volume.split(":")
        assert name in COMPOSE["volumes"]
        assert place == environment["EXCLUSIVE_SPARSITY_RESULTS"]
        assert f"EXCLUSIVE_SPARSITY_RESULTS={place}" in DOCKERFILE
        assert (ROOT / "deploy" / service["build"] / "Dockerfile").is_file()


def test_the_configuration_that_is_measured_is_the_committed_one(tmp_path):
    text = serving.configuration(tmp_path, 8080, {"app-1": 1, "app-2": 2})
    assert "listen 127.0.0.1:8080;" in text and ":8501" not in text
    for port in (1, 2):
        assert len(re.findall(rf"server 127\.0\.0\.1:{port};", text)) == 1


def test_what_was_measured_kept_the_targets():
    found = common.read("serving")
    assert found["visitors"] == 200 and found["met"] and all(found["targets"].values())
    assert max(found[key]["p95_ms"] for key in found if key.endswith("_the_kill")) < 500.0
