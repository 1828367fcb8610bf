"""What a visitor sees: is it all there, does it fit the screen, can everybody read it."""

from __future__ import annotations

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# No run is asked for or under way, and nothing is of the last run or still to come.
SETTLED = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    return app.dataset.testScriptState === 'notRunning'
        && app.querySelector('[data-stale=true], [data-testid=stSkeleton]') === null;
}"""
# In every place of a live figure there is one.
LIVE = """() => [...document.querySelectorAll('.stBidiComponent')].every(place =>
    place.querySelector('[data-testid^=stBidi]')?.shadowRoot?.querySelector('svg[aria-label]'))"""
# Settled, the row that ends every page is there, and in every place of a figure there is one.
IDLE = f"""() => {{
    const places = [
        ...document.querySelectorAll('[data-testid=stMain] [data-testid=stPlotlyChart]')];
    const live = document.querySelectorAll('.stBidiComponent');
    return ({SETTLED})()
        && document.querySelector('[class*=export_row]') !== null
        && places.length + live.length > 0
        && places.every(place => place.querySelector('.main-svg'))
        && ({LIVE})();
}}"""
# A text that fades has too little contrast on its way: a slider's ends do, for half a second after
# the pointer has left it.
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"
SIDEWAYS = """() => ['html', '[data-testid=stMain]'].map(selector => {
    const box = document.querySelector(selector);
    return box.scrollWidth - box.clientWidth;
})"""

# An animation draws once a frame of the screen, however long it takes: ten without are its end.
REDRAWS = """async (svg, button) => {
    const note = %s, seen = [];
    let drawn = svg.dataset.draws, quiet = 0;
    button.click();
    while (quiet < 10) {
        await new Promise(requestAnimationFrame);
        if (svg.dataset.draws === drawn) {
            quiet += 1;
        } else {
            drawn = svg.dataset.draws;
            quiet = 0;
            seen.push(note(svg));
        }
    }
    return seen;
}"""

# Words of a live picture that lie over others, over a curve or over a dashed line.
COVERED = """svg => {
    const words = [...svg.querySelectorAll('text')]
        .filter(text => text.textContent.trim() && text.checkVisibility()).map(text => {
            const {x, y, width, height} = text.getBBox();
            return {said: text.textContent, left: x, right: x + width,
                top: y + 2, bottom: y + height - 3};
        });
    const found = [];
    words.forEach((word, i) => words.slice(i + 1).forEach(other => {
        if (word.left < other.right && other.left < word.right
                && word.top < other.bottom && other.top < word.bottom)
            found.push(`${word.said} and ${other.said}`);
    }));
    for (const line of svg.querySelectorAll('path.curve:not(.faint), line.guide.dashed')) {
        if (!line.checkVisibility()) continue;
        for (let at = 0; at <= line.getTotalLength(); at += 2) {
            const {x, y} = line.getPointAtLength(at);
            for (const word of words)
                if (word.left < x && x < word.right && word.top < y && y < word.bottom)
                    found.push(`${word.said} over a line`);
        }
    }
    return [...new Set(found)];
}"""

LOOKS, BETWEEN_LOOKS = 40, 250  # the latter in milliseconds


def wait_until_idle(page):
    """Until the script has ended and every figure is painted."""
    page.wait_for_function(IDLE)
    return page


def wait_until_settled(page):
    """Until the script has ended and what is shown is of that run."""
    page.wait_for_function(SETTLED)
    return page


def each_tab(page):
    """Every tab of the page in turn, opened and at rest; the page itself where it has none."""
    for tab in page.get_by_test_id("stMain").get_by_role("tab").all() or [None]:
        if tab is not None and tab.get_attribute("aria-selected") != "true":
            before = page.url
            tab.click()
            expect(page).not_to_have_url(before)
        yield wait_until_idle(page)


def redraws_after(button, picture, note: str) -> list:
    """Press a live figure's button: what `note`, a function of its svg, gives at each redraw."""
    return picture.evaluate(REDRAWS % note, button.element_handle())


def file_of(button) -> bytes:
    """What a page at rest offers: while a run is under way, buttons have the files of the last.

    The browser now and then cancels a download that follows another at once. Whoever sees that
    presses again, and so does this, once.
    """
    page = wait_until_settled(button.page)
    for _ in range(2):
        with page.expect_download() as waiting:
            button.click()
        failure = waiting.value.failure()
        if failure is None:
            return waiting.value.path().read_bytes()
        wait_until_settled(page)
    raise AssertionError(f"{button} gives no file: {failure}")


def downloaded_by(button) -> str:
    return file_of(button).decode()


def assert_no_sideways_scroll(page) -> None:
    overhang = wait_until_settled(page).evaluate(SIDEWAYS)
    assert overhang == [0, 0], f"html and main are wider than the screen by {overhang} pixels"


def assert_words_cover_nothing(picture) -> None:
    assert picture.evaluate(COVERED) == [], picture.page.url


def assert_on_first_screen(page, *elements) -> None:
    """Whole on the screen that is seen first, once figures that come to life have come to rest."""
    for element in elements:
        expect(element).to_be_visible()
        for _ in range(LOOKS):
            wait_until_settled(page)
            fault = _off_screen(element.bounding_box(), page.viewport_size["height"])
            if fault is None:
                break
            page.wait_for_timeout(BETWEEN_LOOKS)
        assert fault is None, f"{element} {fault}"


def _off_screen(box, height: int) -> str | None:
    if box is None:
        return "is not there"
    if box["y"] < 0:
        return "begins above the screen"
    return "is too low" if box["y"] + box["height"] > height else None


def assert_accessible(page) -> None:
    """Axe finds nothing serious in the page at rest; what it finds is told with its elements."""
    page.wait_for_function(LIVE)
    wait_until_settled(page)
    page.add_style_tag(content=STILL)
    grave = [
        f"{found['id']}: {node['html'][:200]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"][:3]
    ]
    assert grave == [], "\n".join(grave)


def rgb(hex_color: str) -> str:
    """A colour of the theme as `getComputedStyle` writes it."""
    red, green, blue = (int(hex_color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio of two `rgb(...)` colours."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    channels = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
