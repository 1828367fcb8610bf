"""The page's code, run in a fresh process, prints what the page computes."""

from dataclasses import replace

import numpy as np
import pytest

from lab.own_table import samples
from lab.own_table.code import snippet
from lab.own_table.literals import label_literal
from lab.tables import read_table
from tests.lab.code_runner import printed_by
from tests.lab.own_table.tables import (
    case_of,
    default_columns,
    fitted_case,
    mixed_table,
    number_table,
    subjects_table,
    table_of,
)


def said_by_the_page(case, n_features) -> list[str]:
    what = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy", "r2": "R²"}
    what["d2"] = "explained deviance"
    mean = np.mean([each.metrics[case.metric] for each in case.folds])
    return [
        f"held-out {what[case.metric]}: {float(mean)!r}",
        f"features used: {case.found.n_selected} of {n_features or case.prepared.n_features}",
        # Below this it is rounding, which another number of threads does otherwise.
        f"certified relative gap: {case.final.gap:.0e}" if case.final.gap > 1e-12 else "",
    ]


def reproduced(case, file_name=None, n_features=None) -> tuple[list[str], list[str]]:
    code = snippet(case, file_name)
    assert "lab" not in code.replace("labels", "").replace("LABEL", "").replace("label", "")
    printed, said = printed_by(code).splitlines(), said_by_the_page(case, n_features)
    gap = float(printed[2].split()[-1])
    assert gap <= 1e-6
    return [*printed[:2], printed[2] if gap > 1e-12 else ""], said


def written(path, case) -> str:
    path.write_text(case.table.frame.to_csv(index=False))
    return str(path)


def test_code_of_a_bundled_sample_reproduces_the_view():
    sample = samples.SAMPLES["wine"]
    case = replace(fitted_case(sample.table(), n_folds=2, tuning="auto", seed=1), sample=sample)
    printed, said = reproduced(case)
    assert printed == said


def test_code_of_a_bundled_sample_whose_label_is_another_column():
    sample = samples.SAMPLES["wine"]
    options = dict(label="proline", target="quantity", method="lasso", seed=1)
    printed, said = reproduced(replace(fitted_case(sample.table(), **options), sample=sample))
    assert printed[1:] == said[1:]
    # The columns lie otherwise in memory, and sums of large numbers round otherwise.
    scores = [float(line.removeprefix("held-out R²: ")) for line in (printed[0], said[0])]
    assert scores[0] == pytest.approx(scores[1], rel=1e-12)


def test_code_of_a_made_up_sample_reads_the_copy_with_overlapping_groups(tmp_path):
    sample = samples.SAMPLES["synthetic"]
    table = sample.table()
    features, _ = default_columns(table, sample.label)
    lists = (("g", features[:25]), ("h", features[20:40]))
    options = dict(method="logistic", grouping="file", standardise=False, group_lists=lists)
    case = replace(fitted_case(table, n_folds=2, **options), sample=sample)
    printed, said = reproduced(case, written(tmp_path / "copy.csv", case))
    assert printed == said


def test_code_of_a_file_reproduces_the_view_whatever_its_names_hold(tmp_path):
    frame = mixed_table(24).frame
    odd = {
        "a_one": 'it\'s "x" \\',
        "a_two": "'''); raise SystemExit(3) #",
        "colour": "{colour}\u200b",
    }
    path = tmp_path / "my 'table'.csv"
    path.write_text(frame.rename(columns=odd).to_csv(index=False))
    table = read_table(path.read_bytes(), path.name)
    case = fitted_case(
        table, tuning="auto", protocol="inverted", grouping="correlation", n_folds=2, seed=2
    )
    printed, said = reproduced(case, str(path))
    assert printed == said


def test_code_of_a_file_with_two_rows_of_names_reads_the_copy(tmp_path):
    names, *rows = mixed_table(24).frame.drop(columns="shape").to_csv(index=False).splitlines()
    table = read_table("\n".join([names, "x,x,y,y,,", *rows]).encode(), "two.csv")
    lists = (("x", ("a_one", "a_two")), ("y", ("b_one", "b_two")))
    assert table.groups == lists
    case = fitted_case(table, grouping="header", group_lists=table.groups, n_folds=2)
    assert case.grouped.names[:2] == ("x", "y")
    printed, said = reproduced(case, written(tmp_path / "copy.csv", case))
    assert printed == said


def test_code_of_numbers_and_of_subjects_with_balanced_classes_reproduces_the_view(tmp_path):
    numbers = fitted_case(number_table(), target="quantity", method="lasso", tuning="auto")
    printed, said = reproduced(numbers, written(tmp_path / "numbers.csv", numbers))
    assert printed == said
    table = subjects_table()
    options = dict(subjects="patient", features=("a", "b"), class_weight="balanced", n_folds=3)
    case = fitted_case(table, tuning="auto", **options)
    printed, said = reproduced(case, written(tmp_path / "subjects.csv", case))
    assert printed == said


@pytest.mark.parametrize("method", ["poisson", "logistic"])
def test_code_of_tuned_counts_and_chances_reproduces_the_view(method, tmp_path):
    frame = number_table(40).frame
    if method == "poisson":
        options = dict(target="counts", method=method)
        frame["y"] = np.round(np.exp(0.5 + 0.7 * frame["a_one"]))
    else:
        options = dict(method=method, grouping="prefix")
        frame["y"] = np.where(frame["y"] > 0.0, "yes", "no")
    case = fitted_case(table_of(frame, "y"), tuning="auto", n_folds=2, **options)
    printed, said = reproduced(case, written(tmp_path / "table.csv", case))
    assert printed[1:] == said[1:]
    # Predictions of counts are products summed in another order.
    scores = [float(text.split(": ")[1]) for text in (printed[0], said[0])]
    assert scores[0] == pytest.approx(scores[1], rel=1e-9)


def test_rows_without_a_subjects_name_are_each_by_themselves_in_the_script_too(tmp_path):
    table = subjects_table()
    table.frame.loc[::3, "patient"] = np.nan
    options = dict(subjects="patient", features=("a", "b"), n_folds=3, grouping="source")
    case = fitted_case(table, **options)
    assert np.unique(case.prepared.subjects).size == 20 + 27
    printed, said = reproduced(case, written(tmp_path / "subjects.csv", case))
    assert printed == said


def test_a_wide_table_is_named_by_what_is_left_out():
    sample = samples.SAMPLES["digits"]
    case = replace(case_of(sample.table()), sample=sample)
    code = snippet(case)
    assert "LEFT_OUT = ['pixel_0_0', " in code


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (np.repeat([0, 1, 2], [700, 10, 290]), "np.repeat([0, 1, 2], [700, 10, 290])"),
        (np.arange(1000), "np.arange(1000)"),
        (np.array([0, 1, 0, 2]), "[0, 1, 0, 2]"),
    ],
)
def test_labels_of_many_features_are_written_in_short(labels, text):
    assert label_literal(labels) == text
    assert np.array_equal(eval(text, {"np": np}), labels)
