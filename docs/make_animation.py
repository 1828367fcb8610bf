"""Film the home page while its slider moves: `python -m docs.make_animation`."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from lab.home import shrinkage
from tests.browser import chromium
from tests.browser.app_server import running_app

TARGET = Path(__file__).resolve().parent / "home.webp"
SIZE = {"width": 1400, "height": 800}
SHOWN_WIDTH = 980
FRAME_MILLISECONDS = 700
PATIENCE_MILLISECONDS = 120_000


def answers() -> list[str]:
    """What the page says at every place of the slider."""
    c, groups = shrinkage.example_input()
    said = []
    for zeta in shrinkage.ZETAS:
        exclusive = shrinkage.shrink_exclusive(c, groups, float(zeta))
        lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
        whole = shrinkage.shrink_group_lasso(c, groups, exclusive.nonzeros)
        said.append(shrinkage.answer(exclusive, lasso, whole))
    return said


def main() -> None:
    frames, browser_path = [], chromium.find()
    with (
        running_app(Path(tempfile.mkdtemp()) / "app.log") as app,
        sync_playwright() as playwright,
    ):
        expect.set_options(timeout=PATIENCE_MILLISECONDS)
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=list(chromium.FLAGS)
        )
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        page.goto(f"{app.address}/?zeta={shrinkage.ZETAS[0]}")
        slider = page.locator("input[type=range]").first
        for place, answer in enumerate(answers()):
            if place:
                slider.focus()
                slider.press("ArrowRight")
            expect(page.get_by_text(f"Yes: {answer}")).to_be_visible()
            expect(page.locator("figure.live svg")).to_be_visible()
            expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
        browser.close()
    height = round(SHOWN_WIDTH * SIZE["height"] / SIZE["width"])
    frames = [frame.resize((SHOWN_WIDTH, height), Image.Resampling.LANCZOS) for frame in frames]
    frames[0].save(
        TARGET,
        save_all=True,
        append_images=[*frames[1:], *frames[-2:0:-1]],
        duration=FRAME_MILLISECONDS,
        loop=0,
        quality=70,
        method=3,
    )


if __name__ == "__main__":
    main()
