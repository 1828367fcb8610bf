"""What the running server lets a stranger do, by asking it."""

import asyncio
import http.client
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
import websockets
from websockets.exceptions import InvalidStatus

from benchmarks.visitor import VisitError, Visitor
from tests.browser.app_server import running_app
from tests.clocks import PATIENCE

HERE = Path(__file__).resolve().parent
MARK = "8675309.4142"  # in a cell of the upload, and nowhere else
LONG = "x" * 40_000  # makes a file that servers usually hold on disk while it arrives


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A server whose processes note every file that they open for writing."""
    folder = tmp_path_factory.mktemp("watched")
    environment = {
        "PYTHONPATH": str(HERE / "watch_files"),
        "WATCHED_EVENTS": str(folder / "events"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(folder / "tmp"),
        "EXCLUSIVE_SPARSITY_RESULTS": str(folder / "results"),
    }
    (folder / "tmp").mkdir()
    with running_app(folder / "app.log", environment) as app:
        yield app, folder


@pytest.fixture
def app(watched):
    return watched[0]


def test_it_listens_on_loopback_only(app):
    port = urlsplit(app.address).port
    listening = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            local, _, state = line.split()[1:4]
            host, number = local.split(":")
            if state == "0A" and int(number, 16) == port:
                listening.add(host)
    assert listening == {"0100007F"}  # 127.0.0.1, as the kernel writes it


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example"])
def test_a_name_that_is_not_ours_gets_no_session(app, host):
    """As after DNS rebinding: the browser's Host and Origin agree, and neither is known here."""

    async def connect():
        parts = urlsplit(app.address)
        await websockets.connect(
            f"ws://{host}/_stcore/stream",
            host=parts.hostname,
            port=parts.port,
            subprotocols=["streamlit"],
            origin=f"http://{host}",
        )

    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(connect())
    assert refused.value.response.status_code == 403


def test_other_sites_may_not_read_answers(app):
    request = urllib.request.Request(
        f"{app.address}/_stcore/health", headers={"Origin": "http://evil.example"}
    )
    with urllib.request.urlopen(request) as answer:
        assert answer.headers.get("Access-Control-Allow-Origin") not in ("*", "http://evil.example")


def test_uploads_need_the_token_and_stay_below_the_limit(app):
    async def run():
        async with Visitor(app.address, "Classify_CSV", "csv_data=Your+file") as visitor:
            await visitor.open()
            with pytest.raises(urllib.error.HTTPError, match="403"):
                await visitor.upload("table.csv", b"a,b\n1,2\n", xsrf=False)
            path = (await visitor.file_urls("table.csv")).upload_url
            answer = await asyncio.to_thread(announce, app.address, path, 51 * 2**20)
            return answer.status, visitor.settings.gather_usage_stats

    assert asyncio.run(run()) == (413, False)


def announce(address, path, size) -> http.client.HTTPResponse:
    """The answer to the head of an upload; its body is never sent."""
    with urllib.request.urlopen(f"{address}/_stcore/health") as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
    connection = http.client.HTTPConnection(urlsplit(address).netloc)
    connection.putrequest("PUT", path)
    connection.putheader("Content-Length", str(size))
    connection.putheader("Cookie", cookie)
    connection.putheader("X-Xsrftoken", cookie.split("=", 1)[1])
    connection.endheaders()
    return connection.getresponse()


def test_an_upload_is_trained_on_and_never_written(watched):
    app, folder = watched
    rng = np.random.default_rng(0)
    rows = [
        f"{'well' if x > y else 'ill'},{x:.3f},{y:.3f},{LONG}"
        for x, y in rng.standard_normal((60, 2))
    ]
    data = "\n".join(["state,dose,mass,remark", f"well,{MARK},1.0,{LONG}", *rows]).encode()
    assert len(data) > 2 * 2**20
    events = folder / "events"
    before = len(events.read_text().splitlines())

    async def train():
        async with Visitor(app.address, "Classify_CSV", "csv_data=Your+file") as visitor:
            await visitor.open()
            await visitor.upload("patients.csv", data)
            await visitor.open_tab("Fit and compare")
            await visitor.press("^Run the comparison$")
            await visitor.watch("Scores", seconds=PATIENCE)

    asyncio.run(train())
    written = set(events.read_text().splitlines()[before:])
    assert {path for path in written if not is_plumbing(path)} == set()
    for path in (*folder.rglob("*"), *(Path(path) for path in written)):
        if path.is_file() and path != events:
            assert MARK.encode() not in path.read_bytes(), path
    assert not (folder / "results").exists()


def is_plumbing(path: str) -> bool:
    """Named semaphores and the like, by which processes find each other; they hold no data."""
    return path.startswith(("/dev/", "/proc/")) or "loky" in path or "joblib" in path


def test_a_mistake_of_ours_shows_no_traceback(tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("secret = 'in the source'\nraise KeyError('details of the inside')\n")

    async def run(app):
        async with Visitor(app.address, "") as visitor:
            with pytest.raises(VisitError):
                await visitor.open()
            return visitor.exception

    with running_app(tmp_path / "app.log", script=broken) as app:
        shown = asyncio.run(run(app))
    assert list(shown.stack_trace) == []
    assert "inside" not in str(shown) and "secret" not in str(shown)
