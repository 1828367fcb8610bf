"""One app for several processes: the first starts it, and stops it when the last has gone."""

import contextlib
import threading
from types import SimpleNamespace

from tests.browser import app_server


def test_the_app_is_started_once_and_outlives_its_first_user(monkeypatch, tmp_path):
    told = []

    @contextlib.contextmanager
    def fake_app(log_path, environment):
        told.append("started")
        yield SimpleNamespace(address=f"http://app/{told.count('started')}")
        told.append("stopped")

    monkeypatch.setattr(app_server, "running_app", fake_app)
    second_is_there, first_wants_to_go = threading.Event(), threading.Event()

    def first():
        with app_server.shared_app(tmp_path) as address:
            told.append(address)
            arrived.set()
            second_is_there.wait()
            first_wants_to_go.set()

    arrived, user = threading.Event(), threading.Thread(target=first)
    user.start()
    arrived.wait()
    with app_server.shared_app(tmp_path) as address:
        told.append(address)
        second_is_there.set()
        first_wants_to_go.wait()
        told.append("second goes")
    user.join()
    assert told == ["started", "http://app/1", "http://app/1", "second goes", "stopped"]
    # Whoever comes after that finds no app, and starts one.
    with app_server.shared_app(tmp_path) as address:
        assert address == "http://app/2"
