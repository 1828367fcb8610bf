"""OpenML sets are refused by their announced size, before anything is downloaded.

The answers are OpenML's own, as scikit-learn recorded them for its tests.
"""

from __future__ import annotations

import gzip
import io
import json
import urllib.request
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest
import sklearn.datasets

from lab.data import openml
from lab.data.datasets import OpenMLSpec, load
from lab.tables import LIMITS

RECORDED = Path(sklearn.datasets.__file__).parent / "tests/data/openml/id_561"


def answering(monkeypatch, content: bytes):
    asked = []

    def urlopen(address, timeout):
        asked.append(address)
        return io.BytesIO(content)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return asked


def recorded(name: str) -> bytes:
    return gzip.decompress((RECORDED / name).read_bytes())


@pytest.mark.parametrize(
    ("version", "file", "ending"),
    [
        ("active", "api-v1-jdl-dn-cpu-l-2-s-act-.json.gz", "/cpu/limit/2/status/active/"),
        (1, "api-v1-jdl-dn-cpu-l-2-dv-1.json.gz", "/cpu/limit/2/data_version/1"),
    ],
)
def test_a_recorded_answer_tells_the_size(monkeypatch, version, file, ending):
    asked = answering(monkeypatch, recorded(file))
    assert openml.announced_size("CPU", version) == (209, 8)
    assert len(asked) == 1 and asked[0].endswith(ending)


def test_a_set_that_is_too_large_is_not_downloaded(monkeypatch):
    large = json.loads(recorded("api-v1-jdl-dn-cpu-l-2-s-act-.json.gz"))
    for quality in large["data"]["dataset"][0]["quality"]:
        if quality["name"] == "NumberOfInstances":
            quality["value"] = "2500001.0"
    answering(monkeypatch, json.dumps(large).encode())
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: pytest.fail("downloaded"))
    with pytest.raises(ValueError, match="'cpu' is too large: OpenML lists 2,500,001 samples × 8 "):
        load(OpenMLSpec("cpu"))


def test_a_size_within_the_limits_of_uploads_passes(monkeypatch):
    answering(monkeypatch, recorded("api-v1-jdl-dn-cpu-l-2-s-act-.json.gz"))
    openml.refuse_too_large("cpu")
    assert (LIMITS.columns, LIMITS.cells) == (openml.MOST_COLUMNS, openml.MOST_CELLS)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"data": {"dataset": []}}', b"<html>", b"\xff"]
)
def test_an_answer_of_another_form_says_nothing(monkeypatch, content):
    answering(monkeypatch, content)
    assert openml.announced_size("cpu") is None


@pytest.mark.parametrize(
    "error", [URLError("no network"), HTTPError("", 412, "unknown", {}, None), TimeoutError()]
)
def test_no_answer_leaves_the_word_to_the_download(monkeypatch, error):
    def urlopen(*_, **__):
        raise error

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    openml.refuse_too_large("cpu")


def test_names_cannot_lead_elsewhere(monkeypatch):
    asked = answering(monkeypatch, b"{}")
    openml.announced_size("../../task/1?x#y")
    assert asked[0].count("/") == openml._LIST.count("/") + 2 and "?" not in asked[0]
