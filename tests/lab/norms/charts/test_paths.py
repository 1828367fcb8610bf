"""Paths: few lines strong and named, the rest faint, the marker where each stop stands."""

import numpy as np
import pytest

from lab.drawing import live, theme
from lab.norms import shown, start, words
from lab.norms.charts import paths as charts
from lab.norms.paths import SHARES
from tests.lab.norms.small import SMALL, solved


def drawn(norm="le", only=None, paths=None) -> live.Figure:
    paths = paths or solved(SMALL)
    fits = [stop[norm] for stop in shown.along(paths, True).values()]
    return charts.live_paths(
        paths,
        paths.by_norm[norm],
        places=[fit.share for fit in fits],
        titles=[words.path_title(paths, fit) for fit in fits],
        alts=[words.path_alt(paths, fit) for fit in fits],
        matched=True,
        only_group=only,
    )


@pytest.mark.parametrize(
    ("norm", "matched", "whose"),
    [
        ("le", True, "a share of ℓe's own scale"),
        ("l1", False, "a share of ℓ1's own scale"),
        ("l1", True, "share of ℓe's scale; ℓ1 is matched"),
    ],
)
def test_the_slider_says_whose_strength_it_sets(norm, matched, whose):
    assert charts.strength_label(norm, matched).endswith(whose)
    assert drawn(norm).control.label == charts.strength_label(norm, True)


def test_true_features_are_strong_and_few_lines_are_named():
    paths = start.stored_paths()
    figure = drawn(paths=paths)
    curves = figure.content["curves"]
    path = paths.by_norm["le"]
    assert len(curves) == np.count_nonzero(path.coefs.any(axis=0))
    strong = [curve for curve in curves if not curve["faint"]]
    assert len(strong) == np.count_nonzero(path.coefs[:, paths.support].any(axis=0))
    assert all("true" in curve["tip"] and curve["color"] == "le" for curve in strong)
    assert all("true" not in curve["tip"] for curve in curves if curve["faint"])
    named = [curve["name"] for curve in curves if curve["name"]]
    assert 0 < len(named) <= charts.MOST_LABELS and curves[-1]["faint"] is False
    assert figure.content["names_at"] == "start"
    assert len(figure.payload.encode()) <= live.MOST_BYTES


def test_every_line_is_its_weight_and_says_feature_and_group():
    paths = solved(SMALL)
    for curve in drawn(norm="l1").content["curves"]:
        feature, group = (int(part.split()[1]) for part in curve["tip"].split(", ")[:2])
        np.testing.assert_allclose(
            curve["y"], paths.by_norm["l1"].coefs[:, feature - 1], rtol=1e-4, atol=1e-12
        )
        assert paths.owners[feature - 1] == group - 1


def test_one_group_can_be_strong_instead():
    paths = solved(SMALL)
    for curve in drawn(only=2).content["curves"]:
        assert curve["faint"] == ("group 3" not in curve["tip"])
        assert curve["thick"] == (not curve["faint"] and "true" in curve["tip"])
    assert paths.groups.n_groups == 4


def test_the_marker_stands_where_the_norm_does():
    fits = [stop["l1"] for stop in shown.along(solved(SMALL), True).values()]
    assert drawn(norm="l1").content["marker"] == pytest.approx(
        [fit.share for fit in fits], rel=1e-4
    )


@pytest.mark.parametrize("only", [None, 1])
def test_the_still_picture_has_the_same_lines(only):
    paths = solved(SMALL)
    path = paths.by_norm["le"]
    figure = charts.still_paths(paths, path, current=0.24, title="x", mode="light", only_group=only)
    live_curves = drawn(only=only).content["curves"]
    for line, curve in zip(figure.data, live_curves, strict=True):
        assert line.name == curve["tip"]
        assert (line.line.color == theme.LIGHT.border) == curve["faint"]
    assert len(figure.layout.annotations) == sum(bool(curve["name"]) for curve in live_curves)
    assert figure.layout.shapes[0].x0 == 0.24


@pytest.mark.parametrize("drawn_metric", [shown.F1, shown.ERROR])
def test_metrics_have_a_line_a_norm_and_the_floor_of_the_truth(drawn_metric):
    paths, metric = solved(SMALL), charts.METRICS[drawn_metric]
    along = shown.along(paths, False)
    figure = charts.live_metric(
        paths,
        metric,
        titles=[words.metric_title(fits, share, drawn_metric) for share, fits in along.items()],
        alts=[words.metric_alt(paths, fits, share, drawn_metric) for share, fits in along.items()],
    )
    curves = {curve["name"]: curve for curve in figure.content["curves"]}
    column = "errors" if drawn_metric == shown.ERROR else "f1"
    for norm, path in paths.by_norm.items():
        curve = curves[theme.NORM_LABELS[norm]]
        np.testing.assert_allclose(curve["y"], getattr(path, column), rtol=1e-4)
        np.testing.assert_allclose(curve["x"], path.shares, rtol=1e-4)
    assert (charts.FLOOR in curves) == (drawn_metric == shown.ERROR)
    assert figure.content["marker"] == [float(share) for share in SHARES]
    still = charts.still_metric(paths, metric, current=0.24, title="x", mode="dark")
    for stars, path in zip(still.data[1::2], paths.by_norm.values(), strict=True):
        best = path.errors.min() if drawn_metric == shown.ERROR else path.f1.max()
        assert stars.y[0] == best
    assert still.layout.shapes[0].x0 == 0.24
