"""An analysis that comes back from its file: whole, without a fit, and of no other table."""

import pytest

from lab.own_table import analysis_file, fits
from lab.own_table.view import analysis
from tests.pages.test_classify_csv import answer, csv_of, opened, page, plain, ran, uploaded
from tests.pages.test_own_table_choices import box, frame

SETTINGS = {
    "folds": 2,
    "seed": 7,
    "tuning": "By hand",
    "beta": "3",
    "protocol": "Inverted K-fold",
    "standardise": False,
    "grouping": "Source column",
}
QUICK = {"folds": "2", "tuning": "By hand"}


@pytest.fixture
def saved(monkeypatch):
    """What *Take home* would save of a table with choices and settings of its own, in a visit that
    looked at another table before; its verdict; and the bytes of the table."""
    kept = []
    honest = analysis.analysis_of
    monkeypatch.setattr(
        analysis, "analysis_of", lambda *a, **k: (kept.append(honest(*a, **k)), kept[-1])[1]
    )
    before = csv_of(frame(seed=5).rename(columns=lambda name: f"private_{name}"))
    at = uploaded(before, tab="Data", **QUICK)
    ran(box(at, "Columns left out").set_value(["private_secret_c"]))
    data = csv_of(frame())
    for name, value in SETTINGS.items():
        at.session_state[f"csv_{name}"] = value
    at.file_uploader(key="csv_uploader").upload("table.csv", data.encode(), "text/csv")
    opened(at, "Data")
    ran(box(at, "Columns left out").set_value(["secret_b", "ward"]))
    ran(box(at, "Class that counts as positive").set_value("well"))
    said = answer(opened(at, "Take home"))
    return analysis_file.to_bytes(kept[-1]), said, data.encode()


def restored(content: bytes, **query):
    at = page(data="Your file", **query)
    at.file_uploader(key="csv_restore_uploader").upload("a.json", content, "application/json")
    return ran(at)


def shown(at) -> str:
    return " ".join(plain(each.value) for each in [*at.markdown, *at.warning])


def test_settings_choices_and_results_come_back_and_nothing_is_fitted_again(saved, monkeypatch):
    content, said, data = saved
    assert b"private" not in content, "another table's columns are nobody's who gets the file"
    monkeypatch.setattr(fits, "run", lambda *_: pytest.fail("nothing is fitted again"))
    at = restored(content)
    digest = analysis_file.from_bytes(content).digest
    assert f"The analysis is of **table.csv** (its SHA-256 begins with {digest[:12]})" in shown(at)
    at.file_uploader(key="csv_uploader").upload("table.csv", data, "text/csv")
    assert answer(ran(at)) == said and "The analysis is of" not in shown(at)
    for name, value in SETTINGS.items():
        assert at.session_state[f"csv_{name}"] == value
    opened(at, "Data")
    assert box(at, "Columns left out").value == ["secret_b", "ward"]
    assert box(at, "Class that counts as positive").value == "well"


def test_another_table_in_force_is_told_apart(saved):
    content, said, _ = saved
    at = uploaded(csv_of(frame(seed=6)), "other.csv", **QUICK)
    at.file_uploader(key="csv_restore_uploader").upload("a.json", content, "application/json")
    text = shown(ran(at))
    assert "is of **table.csv**" in text and "**other.csv** is in force" in text
    assert answer(at) != said
