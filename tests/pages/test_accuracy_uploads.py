"""The accuracy page with a visitor's own table, and sweeps that several visitors look at."""

import tracemalloc

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import tables, ui
from lab.accuracy import run_trial, settings, uploads
from lab.accuracy.specs import RealSpec
from lab.running import jobs
from lab.tables import reading
from lab.ui.keeping import KEEP
from tests.pages.test_esvm_accuracy import (
    LONG,
    PAGE,
    TINY,
    opened,
    own_server,  # noqa: F401  pytest finds it by its name
    ran,
    said_on,
)
from tests.queues import ended

OWN = {"acc_tab": settings.REAL, "acc_data": settings.OWN_FILE, "acc_folds": "2"}


def table_of(rows: int = 24, seed: int = 0, more_columns: int = 0) -> bytes:
    """Two or more numbers a row, and two columns that could be the label: the middle, the last."""
    rng = np.random.default_rng(seed)
    half = 1 + more_columns // 2
    names = [f"number{j}" for j in range(2 * half)]
    lines = [",".join([*names[:half], "mood", *names[half:], "class"])]
    for row in rng.standard_normal((rows, 2 * half)):
        cells = [f"{value:.3f}" for value in row]
        mood, kind = "glad" if row[1] > 0 else "sad", "p" if row[0] > 0 else "q"
        lines.append(",".join([*cells[:half], mood, *cells[half:], kind]))
    return "\n".join(lines).encode()


def put(at: AppTest, data: bytes, name: str = "mine.csv") -> AppTest:
    (uploader,) = at.file_uploader
    return ran(uploader.set_value((name, data, "text/csv")))


def label_box(at: AppTest):
    return next(box for box in at.selectbox if box.label.startswith("Label"))


def back_again(at: AppTest) -> AppTest:
    """The page after a visit to another one."""
    at.switch_page(ui.HOME.file)
    ran(at)
    at.switch_page(PAGE.file)
    for key, value in OWN.items():
        at.query_params[key] = value
    return ran(at)


# -- the file ------------------------------------------------------------------------------


def test_a_removed_file_is_gone():
    at = put(opened(**OWN), table_of())
    assert not at.error and at.button(key="acc_run").label == "Run"
    ran(at.file_uploader[0].clear())
    assert any("Choose a file to upload" in error.value for error in at.error)
    assert not any(button.key == "acc_run" for button in at.button)


def test_the_file_survives_a_visit_to_another_page_and_is_named():
    at = put(opened(**OWN), table_of())
    back_again(at)
    assert not at.error
    assert "mine\\.csv: 24 × 2" in said_on(at)


def test_a_file_is_parsed_once(monkeypatch):
    parsed = []
    read = reading.read_delimited
    monkeypatch.setattr(
        reading, "read_delimited", lambda *given: parsed.append(given[1]) or read(*given)
    )
    at = put(opened(**OWN), table_of(seed=5))
    for folds in (3, 4):
        ran(at.slider(key="acc_folds").set_value(folds))
    assert parsed == ["mine.csv"]
    ran(label_box(at).set_value("mood"))
    # Once more with the new label, whose classes may be called NA or None.
    assert parsed == ["mine.csv"] * 2
    ran(at)
    ran(label_box(at).set_value("class"))
    assert parsed == ["mine.csv"] * 2


# -- the label -----------------------------------------------------------------------------


def test_each_file_remembers_its_label():
    at = put(opened(**OWN), table_of())
    assert label_box(at).value == "class"
    ran(label_box(at).set_value("mood"))
    assert label_box(back_again(at)).value == "mood"
    put(at, table_of(seed=1), "other.csv")
    assert label_box(at).value == "class"
    put(at, table_of())
    assert label_box(at).value == "mood"


def typed(at: AppTest, name: str) -> AppTest:
    """The label typed in; AppTest itself can only choose what is listed."""
    box = label_box(at)
    box.options.append(name)
    return ran(box.set_value(name))


def test_any_column_of_a_wide_table_can_be_the_label():
    at = put(opened(**OWN), table_of(more_columns=600), "wide.csv")
    assert label_box(at).value == "class" and "mood" not in label_box(at).options
    typed(at, "mood")
    assert not at.error
    assert label_box(back_again(at)).value == "mood" and not at.error
    assert len(label_box(at).options) <= 201
    typed(at, "nowhere")
    assert "There is no column 'nowhere'" in at.error[-1].value.replace("\\", "")


def test_a_class_may_be_called_NA_in_whichever_column_is_the_label():
    data = table_of().replace(b",sad,", b",NA,")
    at = put(opened(**OWN), data)
    ran(label_box(at).set_value("mood"))
    assert not at.error and "24 × 2" in said_on(at)


# -- rows that are left out ----------------------------------------------------------------


def with_gaps(yes: int, no: int, *, yes_gaps: int, no_gaps: int = 0) -> tables.Table:
    """Rows of two classes, of which the first few lack a cell."""
    rng = np.random.default_rng(0)
    lines = ["first,second,class"]
    for name, rows, gaps in (("yes", yes, yes_gaps), ("no", no, no_gaps)):
        for row, (a, b) in enumerate(rng.standard_normal((rows, 2))):
            lines.append(f"{'' if row < gaps else a},{b},{name}")
    return tables.read_table("\n".join(lines).encode(), "gaps.csv")


@pytest.mark.parametrize(
    ("gaps", "sentence"),
    [
        (dict(yes_gaps=12), "Without the 12 of 32 rows that lack a cell, 'class' has one class"),
        (dict(yes_gaps=9), "Without the 9 of 32 rows that lack a cell, class 'yes' of 'class' has"),
        (
            dict(yes_gaps=10, no_gaps=18),
            "Without the 28 of 32 rows that lack a cell, there are only 4 labelled rows",
        ),
    ],
)
def test_the_label_is_judged_by_the_rows_that_are_left(gaps, sentence):
    with pytest.raises(tables.TableError) as caught:
        uploads.prepare(with_gaps(12, 20, **gaps), "class", 5)
    assert str(caught.value).startswith(sentence)
    assert uploads.prepare(with_gaps(12, 20, yes_gaps=3), "class", 5).X.shape == (29, 2)


def test_a_table_without_a_complete_row_is_one_sentence():
    lines = ["first,second,class"]
    lines += [
        f"{k / 7 if k % 2 else ''},{'' if k % 2 else k / 3},{'pq'[k % 3 > 0]}" for k in range(12)
    ]
    table = tables.read_table("\n".join(lines).encode(), "gaps.csv")
    with pytest.raises(tables.TableError, match="Each of the 12 rows lacks a cell"):
        uploads.prepare(table, "class", 2)


# -- class names ---------------------------------------------------------------------------


def test_a_long_class_name_takes_its_own_room_only():
    rows, long = 2_000, "x" * 20_000
    rng = np.random.default_rng(0)
    names = [long, long, *("pq"[k % 2] for k in range(rows - 2))]
    lines = [f"{a},{name}" for a, name in zip(rng.standard_normal(rows), names, strict=True)]
    table = tables.read_table("\n".join(["first,class", *lines]).encode(), "long.csv")
    tracemalloc.start()
    try:
        upload = uploads.prepare(table, "class", 2)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10e6  # a text of that length for each row would take 160 MB
    assert sorted(np.bincount(upload.y)) == [2, 999, 999]


def test_codes_are_learnt_like_names():
    table = tables.read_table(table_of(60), "mine.csv")
    upload = uploads.prepare(table, "class", 2)
    spec = RealSpec(data=upload.spec, folds=2)
    names = table.column("class").to_numpy(dtype=str)
    for method in ("svm", "esvm_r"):
        codes, texts = (run_trial(spec, (0, 0, method), (upload.X, y)) for y in (upload.y, names))
        assert codes["accuracy"] == texts["accuracy"] and codes["chosen"] == texts["chosen"]


def test_what_a_job_says_is_words_and_no_markup():
    at = opened(**TINY)
    spec = settings.spec_of({**settings.DEFAULTS, "ms": "8, 12", "features": 40, "repeats": 2})
    hostile = "![](http://outside.example/i.png) <img src=x>"
    job = jobs.shared_queue().submit("hostile", int, [(hostile,)], id=spec.id)
    assert hostile in ended(job).error
    (error,) = ran(at).error
    assert "outside" in error.value
    assert "![](" not in error.value and "<img" not in error.value


# -- who says whether a sweep outlives its visitor -----------------------------------------


def keep_toggle(at: AppTest):
    return next(toggle for toggle in at.toggle if toggle.label == KEEP)


@pytest.fixture
def kept_sweep():
    """A visitor who started a long sweep to be kept, and the job."""
    at = opened(**LONG, acc_keep="true")
    ran(at.button(key="acc_run").click())
    (job,) = jobs.shared_queue().jobs()
    yield at, job
    job.cancel()
    assert ended(job).state == "cancelled"


def test_a_visitor_who_looks_on_does_not_end_a_sweep_that_is_to_be_kept(kept_sweep):
    _, job = kept_sweep
    assert job.keep_running
    other = opened(**LONG)
    assert job.keep_running
    assert keep_toggle(other).value is True
    ran(other.segmented_control(key="acc_show").set_value("accuracy"))
    assert job.keep_running
    # Nor does the onlooker take the choice over for sweeps of their own.
    ran(other.number_input(key="acc_seed").set_value(7))
    assert keep_toggle(other).value is False
    assert "acc_keep" not in other.query_params


def test_moving_the_toggle_of_a_running_sweep_tells_the_sweep_the_others_and_the_address(
    kept_sweep,
):
    first, job = kept_sweep
    other = opened(**LONG)
    ran(keep_toggle(other).set_value(False))
    assert not job.keep_running
    assert keep_toggle(ran(first)).value is False
    ran(keep_toggle(first).set_value(True))
    assert job.keep_running and keep_toggle(ran(other)).value is True
    assert first.query_params["acc_keep"] in ("true", ["true"])
    # The toggle is found as it was left when the sweep has ended.
    job.cancel()
    assert ended(job).state == "cancelled"
    assert keep_toggle(ran(first)).value is True
    assert first.query_params["acc_keep"] in ("true", ["true"])
    assert keep_toggle(ran(other)).value is False
