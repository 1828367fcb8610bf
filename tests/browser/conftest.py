"""One server for all browser tests, tabs that are used again, and pages that remember problems."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser import chromium
from tests.browser.app_server import shared_app

HERE = Path(__file__).resolve().parent
WAIT_MILLISECONDS = 240_000  # for busy machines; what is waited for ends the wait

# On a deep link Streamlit itself asks for these below the page's address, and takes the 404s.
STREAMLIT_PROBE = re.compile(r"^/[^/]+/_stcore/(health|host-config)$")


# Tests of these files share what only one may use at a time: turns of the race, the queue of runs,
# a server of their own. All others go to whichever worker is free.
TOGETHER = {
    "test_solver_race": "turns",
    "test_esvm_accuracy": "queue",
    "test_classify_csv": "queue",
    "test_own_table": "queue",
    "test_live": "live",
}


def pytest_collection_modifyitems(items):
    """Mark all tests of this folder, so that `-m "not browser"` leaves them out."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if item.path.stem in TOGETHER:
                item.add_marker(pytest.mark.xdist_group(TOGETHER[item.path.stem]))


@pytest.fixture(scope="session")
def server(tmp_path_factory, worker_id):
    """The address of the running app, started once for all tests of all workers."""
    alone = worker_id == "master"
    own_folder = tmp_path_factory.getbasetemp()
    with shared_app(own_folder if alone else own_folder.parent) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    path = chromium.find()
    if path is None:
        pytest.skip(chromium.missing_reason())  # in CI a skip is a failure
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=WAIT_MILLISECONDS)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        yield running
        running.close()


class Tabs:
    """Tabs by colour scheme. A tab is used again: it has the app's scripts fetched and compiled."""

    def __init__(self, browser):
        self._contexts = {
            scheme: browser.new_context(color_scheme=scheme) for scheme in ("light", "dark")
        }
        self._idle = {scheme: [] for scheme in self._contexts}
        for context in self._contexts.values():
            context.set_default_timeout(WAIT_MILLISECONDS)

    def take(self, scheme):
        return self._idle[scheme].pop() if self._idle[scheme] else self._new(scheme)

    def give_back(self, scheme, page) -> None:
        """Leave the app, which ends its session and whatever it had under way.

        Without cookies the next test is another visitor, who finds nothing of this one.
        """
        if not page.is_closed():
            page.goto("about:blank")
            page.context.clear_cookies()
            page.problems.clear()
            self._idle[scheme].append(page)

    def close(self) -> None:
        for context in self._contexts.values():
            context.close()

    def _new(self, scheme):
        page = self._contexts[scheme].new_page()
        page.problems = _watch(page)
        return page


@pytest.fixture(scope="session")
def tabs(browser):
    opened = Tabs(browser)
    yield opened
    opened.close()


@pytest.fixture
def visit(tabs, server):
    """visit(path, width, height, scheme) opens a new session of the app and waits for its title.

    The page it returns has a list `problems`: console errors, failed requests, uncaught errors,
    dialogs.
    """
    taken = []

    def open_page(path="/", *, width=1400, height=800, scheme="light"):
        page = tabs.take(scheme)
        taken.append((scheme, page))
        page.set_viewport_size({"width": width, "height": height})
        page.goto(server + path)
        page.get_by_role("heading", level=1).wait_for()
        return page

    yield open_page
    for scheme, page in taken:
        tabs.give_back(scheme, page)


def _watch(page) -> list[str]:
    problems: list[str] = []

    def expected(url: str) -> bool:
        return STREAMLIT_PROBE.match(urlsplit(url).path) is not None

    def on_console(message):
        if message.type == "error" and not expected(message.location.get("url", "")):
            problems.append(f"console: {message.text}")

    def on_response(response):
        if response.status >= 400 and not expected(response.url):
            problems.append(f"HTTP {response.status}: {response.url}")

    def on_dialog(dialog):
        problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def on_failure(request):
        # A page that is left or loaded anew gives up what it was still fetching.
        if request.failure != "net::ERR_ABORTED":
            problems.append(f"failed: {request.url} ({request.failure})")

    page.on("console", on_console)
    page.on("response", on_response)
    page.on("requestfailed", on_failure)
    page.on("pageerror", lambda error: problems.append(f"uncaught: {error}"))
    page.on("dialog", on_dialog)
    return problems
