"""Take the README's picture from the running app: `python -m docs.make_screenshot`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.app_server import running_app

TARGET = Path(__file__).resolve().parent / "norm_patterns.png"


def main() -> None:
    browser_path = chromium.find()
    log = Path(tempfile.mkdtemp()) / "app.log"
    with running_app(log) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        page = browser.new_page(viewport={"width": 1400, "height": 800})
        page.goto(f"{app.address}/Norm_patterns")
        page.locator("figure.live .claim.seen").first.wait_for()
        page.get_by_test_id("stStatusWidget").wait_for(state="detached")
        page.screenshot(path=TARGET)
        browser.close()


if __name__ == "__main__":
    main()
