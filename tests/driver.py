"""One driver of the app for all tests without a browser: open a page, run it, read what it shows"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from functools import cache

import numpy as np
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.ui.frame import ROOT
from tests.clocks import PATIENCE

# For every visitor Streamlit reads the metadata of all installed packages, in search of components;
# that takes longer than most pages do.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def visited(file: str, address: Mapping[str, object]) -> AppTest:
    """The app at a page, with these words in the address."""
    at = AppTest.from_file(str(ROOT / ui.HOME.file), default_timeout=PATIENCE)
    if file != ui.HOME.file:
        at.switch_page(file)
    for name, value in address.items():
        at.query_params[name] = value if isinstance(value, list) else str(value)
    return ran(at)


def opened(key: str, **controls) -> AppTest:
    """A page by its key, with its controls set by the address."""
    page = ui.frame.page_of(key)
    return visited(page.file, {f"{page.prefix}{name}": each for name, each in controls.items()})


def scripted(script) -> AppTest:
    """A page that a test wrote itself: a function, or the text of a script; not run yet."""
    make = AppTest.from_function if callable(script) else AppTest.from_string
    return make(script, default_timeout=PATIENCE)


def ran(changed) -> AppTest:
    """The app after a run, of itself or of a control that was moved."""
    at = changed.run()
    assert not at.exception
    return at


def charts(at: AppTest) -> list[dict]:
    return [json.loads(element.proto.spec) for element in at.get("plotly_chart")]


def figure(at: AppTest) -> dict:
    """The only chart of the page, which has words for those who cannot see it."""
    (element,) = at.get("plotly_chart")
    assert len(element.proto.alt) > 40
    return json.loads(element.proto.spec)


def title_of(chart: dict) -> str:
    return chart["layout"]["title"]["text"].replace("<br>", " ")


def title_on(at: AppTest) -> str:
    """The finding of the page's only chart: in the chart itself, or the heading over it."""
    (chart,) = charts(at)
    heading = at.subheader[0].value if at.subheader else ""
    return (title_of(chart) or re.sub(r"\\(.)", r"\1", heading)).replace("\u00a0", " ")


def numbers(column) -> np.ndarray:
    """A column of a figure, which travels as a list, or as a typed array where it is long."""
    if isinstance(column, dict):
        return np.frombuffer(base64.b64decode(column["bdata"]), dtype=column["dtype"])
    return np.array(column, dtype=float)
