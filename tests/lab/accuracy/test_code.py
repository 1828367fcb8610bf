"""The accuracy page's code prints what the page computes."""

import pytest

from lab.accuracy import LABELS, Fig2dSpec, RealSpec, UploadSpec, run_trial, summarise
from lab.accuracy.code import snippet
from lab.data.datasets import BundledSpec
from tests.lab.code_runner import printed_by


@pytest.mark.parametrize(
    "spec",
    [
        Fig2dSpec(n_features=40, ms=(8, 12), repeats=2, methods=("svm", "esvm", "oracle")),
        RealSpec(data=BundledSpec("wine"), folds=2, fold_kind="inverted", methods=("svm",)),
    ],
    ids=["generated", "real"],
)
def test_code_reproduces_the_view(spec):
    lines = printed_by(snippet(spec)).splitlines()
    assert lines[0] == spec.protocol.in_words()
    cells = summarise(spec, {trial: run_trial(spec, trial) for trial in spec.trials()})
    assert len(lines) == 1 + len(cells)
    for line, cell in zip(lines[1:], cells, strict=True):
        assert f"{LABELS[cell.method]}: {cell.accuracy.mean:.4f}" in line
        if cell.difference is not None:
            assert f"minus SVM {cell.difference.mean:+.4f}" in line


def test_code_for_a_visitors_own_data_says_where_to_put_them():
    code = snippet(RealSpec(data=UploadSpec("your own file", "d1")))
    assert 'pd.read_csv("your_file.csv")' in code and "data=(X, y)" in code
    compile(code, "snippet", "exec")
