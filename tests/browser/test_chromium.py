"""Finding a browser: a missing one is said aloud, and is a failure in continuous integration."""

import pytest

from tests.browser import chromium


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr(chromium, "find", lambda: None)
    monkeypatch.setattr(chromium, "_ways_to_install", lambda: [("nothing", [["false"]])])


@pytest.mark.parametrize(("ci", "code", "verb"), [("true", 1, "fail"), ("", 0, "be skipped")])
def test_missing_browser_fails_only_in_ci(no_browser, monkeypatch, capsys, ci, code, verb):
    monkeypatch.setenv("CI", ci)
    assert chromium.main() == code
    assert f"Browser tests will {verb}: no browser was found" in capsys.readouterr().out


def test_a_program_that_does_not_start_is_no_browser(monkeypatch, tmp_path):
    stub = tmp_path / "chromium"
    stub.write_text("#!/bin/sh\necho 'install me from elsewhere' >&2\nexit 10\n")
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "_playwright_download", lambda: None)
    assert chromium.find() is None
