"""The page's code, run in a fresh process, prints what the page computes."""

from dataclasses import replace

import numpy as np
import pytest

from lab.classify import compare, groupings, samples, setup
from lab.snippets.classify import _label_literal, snippet
from lab.tables import read_table
from tests.lab.classify.tables import default_columns, mixed_table
from tests.lab.snippets.runner import printed_by


def said_by_the_page(prepared, spec) -> list[str]:
    key = compare.own_key(spec)
    folds = [compare.run(prepared, spec, key, fold) for fold in range(spec.n_folds)]
    final = compare.run(prepared, spec, key, None)
    mean = np.mean([each.metrics["accuracy"] for each in folds])
    return [
        f"held-out accuracy: {mean!r}",
        f"features used: {np.count_nonzero(final.selected)} of {prepared.n_features}",
        f"certified relative gap: {final.gap:.0e}",
    ]


def reproduced(table, spec, **origin) -> tuple[list[str], list[str]]:
    prepared = setup.prepare(table, spec)
    grouped = groupings.group_features(prepared, spec)
    code = snippet(table, prepared, spec, grouped, **origin)
    return printed_by(code).splitlines(), said_by_the_page(prepared, spec)


def test_code_of_a_sample_reproduces_the_view_with_overlapping_groups():
    sample = samples.SAMPLES["synthetic"]
    table = sample.table()
    features, _ = default_columns(table, sample.label)
    lists = (("g", features[:25]), ("h", features[20:40]))
    spec = setup.ClassifySpec(
        sample.label, features, n_folds=2, method="logistic", grouping="file", standardise=False
    )
    printed, said = reproduced(table, replace(spec, group_lists=lists), sample=sample)
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
    features, categorical = default_columns(table, "class")
    spec = setup.ClassifySpec(
        "class",
        features,
        categorical,
        tuning="cv",
        protocol="inverted",
        grouping="correlation",
        n_folds=2,
        seed=2,
    )
    printed, said = reproduced(table, spec, file_name=str(path))
    assert printed == said


def test_a_wide_table_is_named_by_what_is_left_out():
    sample = samples.SAMPLES["digits"]
    table = sample.table()
    features, _ = default_columns(table, sample.label)
    spec = setup.ClassifySpec(sample.label, features)
    prepared = setup.prepare(table, spec)
    code = snippet(table, prepared, spec, groupings.group_features(prepared, spec), sample=sample)
    assert "LEFT_OUT = ['pixel_0_0', " in code and "pixel_3_3" not in code


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (np.repeat([0, 1, 2], [700, 10, 290]), "np.repeat([0, 1, 2], [700, 10, 290])"),
        (np.arange(1000), "np.arange(1000)"),
        (np.array([0, 1, 0, 2]), "[0, 1, 0, 2]"),
    ],
)
def test_labels_of_many_features_are_written_in_short(labels, text):
    assert _label_literal(labels) == text
    assert np.array_equal(eval(text, {"np": np}), labels)
