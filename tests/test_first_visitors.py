"""A cold server and several visitors at once: nobody sees a half-loaded library."""

import ast
import asyncio

import pytest

from benchmarks.load import page_name
from benchmarks.visitor import Visitor
from lab import ui
from tests.browser.app_server import ROOT, running_app

PAGES = (ui.HOME, *ui.existing_pages())


async def opened(address, page) -> str:
    async with Visitor(address, page) as visitor:
        await visitor.open()
        return page


async def all_at_once(address, pages):
    return await asyncio.gather(*(opened(address, page) for page in pages))


def test_every_page_opens_for_the_first_visitors_of_a_cold_server(tmp_path):
    pages = [page_name(info) for info in PAGES] * 2
    log = tmp_path / "app.log"
    with running_app(log) as app:
        assert asyncio.run(all_at_once(app.address, pages)) == pages, log.read_text()


def imported_at_once(tree) -> set[str]:
    """The packages of ours that a script imports as soon as it runs, outside the lock."""
    names = set()
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            names.update(alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            names.add(statement.module)
    return {name for name in names if name.split(".")[0] in ("lab", "solvers")}


@pytest.mark.parametrize("file", [page.file for page in PAGES])
def test_pages_import_one_at_a_time(file):
    tree = ast.parse((ROOT / file).read_text())
    assert imported_at_once(tree) == {"lab.loading"}
    assert ["one_at_a_time"] in [
        [ast.unparse(item) for item in node.items]
        for node in tree.body
        if isinstance(node, ast.With)
    ]
