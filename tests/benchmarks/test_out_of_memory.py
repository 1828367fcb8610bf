"""Data beyond memory: what was measured keeps what was promised, and is quoted."""

import numpy as np

from benchmarks import common
from benchmarks import out_of_memory as measured


def test_the_page_says_what_was_measured():
    page = measured.DOCUMENT.read_text(encoding="utf-8")
    assert measured.sentences(common.read("out_of_memory")) in page


def test_passes_and_memory_are_within_what_was_promised():
    found = common.read("out_of_memory")
    rows = [row for part in measured.PARTS for row in found[part]]
    assert all(row["gap"] <= measured.TOLERANCE for row in rows)
    assert all(row["passes"] <= measured.MOST_PASSES[row["kind"]] for row in rows)
    for row in found["large"]:
        assert row["gigabytes"] >= 10.0 * found["limit_gb"] > 10.0 * row["largest_memory_gb"]
    for grows, stays in (("n_samples", "n_features"), ("n_features", "n_samples")):
        fewest = min(row[stays] for row in found["growth"])
        assert len({row[grows] for row in found["growth"] if row[stays] == fewest}) == 4
    assert {row["workers"] for row in found["workers"]} == {1, 2}


def test_what_is_written_is_what_a_npy_file_holds(tmp_path):
    measured.write_matrix(tmp_path, 7, 300)
    X, y = np.load(tmp_path / "X.npy"), np.load(tmp_path / "y.npy")
    assert X.shape == (7, 300) and y.shape == (7,) and 0.9 < X.std() < 1.1
