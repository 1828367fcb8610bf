"""A cold server and several visitors at once: nobody sees a half-loaded library."""

import asyncio

from benchmarks.load import page_name
from benchmarks.visitor import Visitor
from lab import ui
from tests.browser.app_server import running_app


async def opened(address, page) -> str:
    async with Visitor(address, page) as visitor:
        await visitor.open()
        return page


async def all_at_once(address, pages):
    return await asyncio.gather(*(opened(address, page) for page in pages))


def test_every_page_opens_for_the_first_visitors_of_a_cold_server(tmp_path):
    pages = [page_name(info) for info in (ui.HOME, *ui.existing_pages())] * 2
    with running_app(tmp_path / "app.log") as app:
        assert asyncio.run(all_at_once(app.address, pages)) == pages
