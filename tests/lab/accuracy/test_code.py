"""The accuracy page's code prints what the page computes."""

import pytest

from lab.accuracy import Fig2dSpec, RealSpec, UploadSpec, WhenSpec, run_trial, summarise
from lab.accuracy.code import snippet
from lab.accuracy.summary import table
from lab.data.datasets import BundledSpec
from tests.lab.code_runner import printed_by


@pytest.mark.parametrize(
    "spec",
    [
        Fig2dSpec(n_features=40, ms=(8, 12), repeats=2, methods=("svm", "esvm", "oracle")),
        WhenSpec(
            n_features=40,
            n_groups=4,
            n_samples=16,
            values=(10, 30),
            repeats=2,
            methods=("svm", "sparse_svm", "esvm_r"),
        ),
        RealSpec(data=BundledSpec("wine"), folds=3, methods=("svm", "esvm_r")),
    ],
    ids=["generated", "when", "real"],
)
def test_code_prints_the_table_on_show(spec):
    """All of it, intervals of the differences with their looks included."""
    lines = printed_by(snippet(spec)).splitlines()
    assert lines[0] == spec.protocol.in_words()
    cells = summarise(spec, {trial: run_trial(spec, trial) for trial in spec.trials()})
    columns = table(spec, cells)
    assert lines[1] == " | ".join(columns) and len(lines) == 2 + len(cells)
    kept = [k for k, name in enumerate(columns) if name not in ("CPU seconds", "largest gap")]
    for line, row in zip(lines[2:], zip(*columns.values(), strict=True), strict=True):
        printed, shown = line.split(" | "), [str(cell) for cell in row]
        assert [printed[k] for k in kept] == [shown[k] for k in kept]
    lead = next(name for name in columns if name.startswith("minus the best other"))
    assert any("±" in text for text in columns[lead])


def test_code_for_a_visitors_own_data_says_where_to_put_them():
    code = snippet(RealSpec(data=UploadSpec("your own file", "d1")))
    assert 'pd.read_csv("your_file.csv")' in code and "data=(X, y)" in code
    compile(code, "snippet", "exec")
