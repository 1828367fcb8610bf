"""Finding a browser: a missing one is said aloud, and is a failure in continuous integration."""

import pytest

from tests.browser import chromium


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr(chromium, "find", lambda: None)
    monkeypatch.setattr(chromium, "_succeeds", lambda command: False)


@pytest.mark.parametrize(
    ("user", "apt", "ways"),
    [
        (0, "/usr/bin/apt-get", ["apt-get", "Playwright"]),
        (0, None, ["Playwright"]),
        (1000, "/usr/bin/apt-get", ["Playwright"]),
    ],
)
def test_the_package_manager_comes_first_where_it_may_be_used(monkeypatch, user, apt, ways):
    monkeypatch.setattr(chromium.os, "geteuid", lambda: user)
    monkeypatch.setattr(chromium.shutil, "which", lambda name: apt)
    assert [title for title, _ in chromium._ways_to_install()] == ways


def test_what_one_way_cannot_install_the_next_one_may(monkeypatch):
    tried = []

    def succeeds(command):
        tried.append(command[0])
        return command[0] == "second"

    ways = [("one", [["first"], ["after first"]]), ("another", [["second"]])]
    monkeypatch.setattr(chromium, "_ways_to_install", lambda: ways)
    monkeypatch.setattr(chromium, "_succeeds", succeeds)
    monkeypatch.setattr(chromium, "find", lambda: "/opt/chromium" if "second" in tried else None)
    assert chromium.install() == "/opt/chromium"
    assert tried == ["first", "second"]


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


def test_playwright_is_not_started_where_the_system_has_a_browser(monkeypatch, tmp_path):
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\necho Chromium 1\n")
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(chromium, "_playwright_download", lambda: pytest.fail("it was asked"))
    assert chromium.find() == str(browser)
