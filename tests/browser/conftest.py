"""One server and one browser for all browser tests, and pages that remember what went wrong."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser import chromium
from tests.browser.app_server import running_app

HERE = Path(__file__).resolve().parent
WAIT_MILLISECONDS = 30_000

# On a deep link Streamlit itself asks for these below the page's address, and takes the 404s.
STREAMLIT_PROBE = re.compile(r"^/[^/]+/_stcore/(health|host-config)$")


def pytest_collection_modifyitems(items):
    """Mark all tests of this folder, so that `-m "not browser"` leaves them out."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of the running app, started once for all tests and stopped at the end."""
    with running_app(tmp_path_factory.mktemp("server") / "streamlit.log") as app:
        yield app.address


@pytest.fixture(scope="session")
def browser():
    path = chromium.find()
    if path is None:
        outcome = pytest.fail if chromium.in_ci() else pytest.skip
        outcome(chromium.missing_reason())
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=WAIT_MILLISECONDS)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def contexts(browser):
    """A browser context per colour scheme, kept so that the app's scripts are fetched once."""
    opened = {}
    for scheme in ("light", "dark"):
        opened[scheme] = browser.new_context(color_scheme=scheme)
        opened[scheme].set_default_timeout(WAIT_MILLISECONDS)
    yield opened
    for context in opened.values():
        context.close()


@pytest.fixture
def visit(contexts, server):
    """visit(path, width, height, scheme) opens a new session of the app and waits for its title.

    The page it returns has a list `problems`: console errors, failed requests, uncaught errors.
    """
    pages = []

    def open_page(path="/", *, width=1400, height=800, scheme="light"):
        page = contexts[scheme].new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.problems = _watch(page)
        page.goto(server + path)
        page.get_by_role("heading", level=1).wait_for()
        return page

    yield open_page
    for page in pages:
        page.close()


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

    page.on("console", on_console)
    page.on("response", on_response)
    page.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
    page.on("pageerror", lambda error: problems.append(f"uncaught: {error}"))
    return problems
