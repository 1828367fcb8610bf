"""Photograph every tab of every page, at three widths, light and dark, into a folder.

    python -m docs.make_contact_sheets FOLDER [--only home norm_patterns] [--widths 1400 390]

One picture a tab, width and scheme, `page_tab_width_scheme.png`, of the whole page, and one sheet
a page and width on which they stand side by side. To be looked at, not committed: keep the folder
outside the repository.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from lab import ui
from tests.browser import chromium
from tests.browser.app_server import running_app
from tests.browser.looks import wait_until_settled

ROOT = Path(__file__).resolve().parents[1]
HEIGHTS = {1400: 800, 1920: 1080, 390: 844}
SCHEMES = ("light", "dark")
MOMENT = 600  # milliseconds for what is still on its way to be drawn
SHEET = """({names, wide}) => {
    document.body.replaceChildren(...names.map(name => {
        const figure = document.createElement('figure'), image = document.createElement('img');
        figure.append(image, document.createTextNode(name));
        figure.style = 'display:inline-block;vertical-align:top;margin:6px;font:14px sans-serif';
        image.src = name;
        image.style = `display:block;width:${wide}px;border:1px solid gray`;
        return figure;
    }));
    return Promise.all([...document.images].map(image => image.decode()));
}"""


def path_of(info: ui.Page) -> str:
    return "" if info is ui.HOME else Path(info.file).stem.split("_", 1)[1]


def photographs(page, folder: Path, key: str, width: int, scheme: str) -> Iterator[str]:
    """One of every tab of the page that is open; their names."""
    for tab in page.get_by_test_id("stMain").get_by_role("tab").all_inner_texts() or [""]:
        if tab:
            page.get_by_role("tab", name=tab, exact=True).click()
            page.wait_for_timeout(MOMENT)
        wait_until_settled(page)
        page.wait_for_timeout(MOMENT)
        # Streamlit scrolls inside the window: one as high as the page shows all of it.
        high = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
        page.set_viewport_size({"width": width, "height": max(high, HEIGHTS[width])})
        page.wait_for_timeout(MOMENT)
        words = "_".join(part for part in (key, tab, str(width), scheme) if part)
        name = f"{re.sub(r'[^0-9A-Za-z]+', '_', words)}.png"
        page.screenshot(path=folder / name)
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        yield name


def sheet(browser, folder: Path, key: str, width: int, names: list[str]) -> None:
    page = browser.new_page(viewport={"width": 1900, "height": 1000})
    blank = folder / "sheet.html"
    blank.write_text("<!doctype html><body></body>", encoding="utf-8")
    page.goto(blank.as_uri())
    page.evaluate(SHEET, {"names": names, "wide": 300 if width == 390 else 600})
    page.screenshot(path=folder / f"sheet_{key}_{width}.png", full_page=True)
    page.close()
    blank.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", help="keys of the pages")
    parser.add_argument("--widths", nargs="*", type=int, choices=HEIGHTS, default=[*HEIGHTS])
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if folder.is_relative_to(ROOT):
        parser.error("the folder must be outside the repository.")
    folder.mkdir(parents=True, exist_ok=True)
    pages = [ui.HOME, *ui.existing_pages()]
    with running_app(Path(tempfile.mkdtemp()) / "app.log") as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=list(chromium.FLAGS)
        )
        for info in pages:
            if arguments.only and info.key not in arguments.only:
                continue
            for width in arguments.widths:
                names = []
                for scheme in SCHEMES:
                    size = {"width": width, "height": HEIGHTS[width]}
                    page = browser.new_page(viewport=size, color_scheme=scheme)
                    page.goto(f"{app.address}/{path_of(info)}")
                    page.get_by_role("heading", level=1).wait_for()
                    names += photographs(page, folder, info.key, width, scheme)
                    page.close()
                sheet(browser, folder, info.key, width, names)
                print(f"{info.key} at {width}: {len(names)} pictures", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
