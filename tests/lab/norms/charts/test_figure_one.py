"""Figure 1 live: four panels on one scale, every frame the look-up, ticks and draws of that λ."""

import base64

import numpy as np
import pytest

from lab.drawing import live
from lab.norms import claims, shown, start, words
from lab.norms.charts import figure_one as charts
from lab.norms.paths import SHARES
from lab.norms.spec import PatternSpec
from tests.lab.norms.small import OVERLAPPING, SMALL, solved


def unpacked(packed: dict, shape) -> np.ndarray:
    whole = np.frombuffer(base64.b64decode(packed["base64"]), dtype="<i2")
    return whole.reshape(shape) * packed["unit"]


@pytest.mark.parametrize("matched", [True, False])
def test_every_frame_is_the_look_up_of_its_stop(matched):
    paths = solved(SMALL)
    along = shown.along(paths, matched)
    figure = charts.live_figure(paths, along, None, matched)
    assert figure.control.texts == SHARES and figure.height >= 420
    assert figure.content["scale"] == "frame"
    for panel, norm in zip(figure.content["panels"], ("l2", "l1", "l21", "le"), strict=True):
        fits = [stop[norm] for stop in along.values()]
        weights = unpacked(panel["weights"], (len(SHARES), 4, 5))
        wanted = np.stack([fit.grid for fit in fits])
        np.testing.assert_array_equal(np.sign(weights), np.sign(wanted))
        np.testing.assert_allclose(weights, wanted, atol=1e-4)
        assert panel["captions"] == [words.panel_caption(fit) for fit in fits]
        assert panel["claim"] == claims.SENTENCES[norm] and "draws" not in panel
        assert panel["seen"] == "".join(str(int(claims.is_seen(fit))) for fit in fits)
    true = np.zeros(20, dtype=int)
    true[figure.content["outlined"]] = 1
    np.testing.assert_array_equal(true.reshape(4, 5), paths.support_grid)
    assert figure.titles[3] == words.frame_title(along[SHARES[3]], SHARES[3])


def test_the_first_views_strips_are_the_committed_draws():
    kept, many = start.stored_paths(), start.stored_draws()
    figure = charts.live_figure(kept, shown.along(kept, True), many, True)
    for panel, norm in zip(figure.content["panels"], ("l2", "l1", "l21", "le"), strict=True):
        assert len(panel["draws"]) == len(SHARES)
        for share, marks in zip(SHARES, panel["draws"], strict=True):
            held = many.at("seen", share, True)[norm]
            assert marks == "".join(str(int(one)) for one in held)
    assert len(figure.payload.encode()) <= live.MOST_BYTES


def test_the_largest_data_stay_within_the_limit():
    spec = PatternSpec(n_groups=16, group_size=20, overlap=6, n_samples=20)
    paths = solved(SMALL)
    along = shown.along(paths, True)
    cells = np.random.default_rng(0).standard_normal((len(SHARES), 16, 26))
    panel = live.Panel("x", cells, ["12 weights, no group empty"] * len(SHARES))
    figure = live.tiles(
        [panel] * 4,
        live.Steps(charts.LABEL, SHARES),
        titles=[words.frame_title(fits, share) for share, fits in along.items()],
        alts=[8 * words.frame_alt(fits, share)[:500] for share, fits in along.items()],
    )
    assert spec.problem() is None and len(figure.payload.encode()) <= live.MOST_BYTES


def test_shared_features_are_set_apart_and_named():
    paths = solved(OVERLAPPING)
    figure = charts.live_figure(paths, shown.along(paths, False), None, False)
    assert figure.content["shared"] == 2 and figure.content["columns"] == 7
    names = np.array(figure.content["tile_names"]).reshape(4, 7)
    assert all("shared with the next group" in name for name in names[:, 5:].ravel())
    assert not any("shared" in name for name in names[:, :5].ravel())


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_still_picture_has_the_four_grids_the_truth_and_the_ticks(mode):
    paths = solved(SMALL)
    fits = shown.look_up(paths, 0.24, True)
    figure = charts.still_figure(paths, fits, "a title", mode)
    tiles, truth = figure.data
    side_by_side = np.array(tiles.z)
    for k, fit in enumerate(fits.values()):
        np.testing.assert_array_equal(side_by_side[:, 6 * k : 6 * k + 5], fit.grid)
    assert -tiles.zmin == tiles.zmax == np.nanmax(np.abs(side_by_side))
    assert truth.x.size == 6 * 4 * paths.support.sum()
    for text, fit in zip(figure.layout.xaxis.ticktext, fits.values(), strict=True):
        assert words.panel_caption(fit) in text
        assert ("☑" in text) == claims.is_seen(fit)
