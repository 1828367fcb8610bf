"""Figure 1: four grids of weights on one scale, live under λ, and one λ as a picture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lab.drawing import Figure, live, side_by_side, theme
from lab.norms import claims, words
from lab.norms.draws import Draws
from lab.norms.paths import Paths
from lab.norms.shown import Shown

LABEL = "Strength λ, share of each norm's scale"
MATCHED_LABEL = "Strength λ, share of ℓe's scale; others matched"
HEIGHT, PHONE_HEIGHT = 440, 375
STILL_HEIGHT = 460


def live_figure(
    paths: Paths, along: Mapping[str, Mapping[str, Shown]], draws: Draws | None, matched: bool
) -> live.Figure:
    """`along[share]` has the four fits of every stop of the slider."""
    frames = list(along.values())
    return live.tiles(
        [_panel(norm, along, draws, matched) for norm in frames[0]],
        live.Steps(
            MATCHED_LABEL if matched else LABEL, tuple(along), tuple(f"λ = {s}" for s in along)
        ),
        titles=[words.frame_title(shown, share) for share, shown in along.items()],
        alts=[words.frame_alt(shown, share) for share, shown in along.items()],
        row_names=_row_names(paths),
        tile_names=_tile_names(paths),
        outlined=paths.support_grid,
        shared=paths.spec.overlap,
        scale="frame",
        height=HEIGHT,
        phone_height=PHONE_HEIGHT,
    )


def _panel(norm: str, along, draws: Draws | None, matched: bool) -> live.Panel:
    fits = [shown[norm] for shown in along.values()]
    label = theme.NORM_LABELS[norm]
    over_draws = None
    if draws is not None:
        over_draws = np.stack([draws.at("seen", share, matched)[norm] for share in along])
    return live.Panel(
        f"{label} norm",
        np.stack([fit.grid for fit in fits]),
        [words.panel_caption(fit) for fit in fits],
        label,
        claim=claims.SENTENCES[norm],
        seen=[claims.is_seen(fit) for fit in fits],
        draws=over_draws,
    )


def _tile_names(paths: Paths) -> list[str]:
    names = []
    for group, row in enumerate(paths.cells.tolist()):
        for feature in row:
            shared = "" if paths.owners[feature] == group else ", shared with the next group"
            true = ", true" if paths.support[feature] else ""
            names.append(f"feature {feature + 1}, group {group + 1}{shared}{true}")
    return names


def still_figure(paths: Paths, shown: Mapping[str, Shown], title: str, mode: str) -> Figure:
    """One λ as a picture: the four grids side by side on one scale, truth outlined."""
    return side_by_side(
        {_still_words(norm, fit): fit.grid for norm, fit in shown.items()},
        title=title,
        mode=mode,
        row_names=_row_names(paths),
        outlined=paths.support_grid,
        wrap=110,
        height=STILL_HEIGHT,
    )


def _row_names(paths: Paths) -> list[str]:
    return [f"group {group + 1}" for group in range(paths.groups.n_groups)]


def _still_words(norm: str, fit: Shown) -> str:
    mark = "☑" if claims.is_seen(fit) else "☐"
    kept = words.panel_caption(fit)
    claim = claims.SENTENCES[norm]
    middle = claim.rfind(" ", 0, len(claim) // 2 + 4)
    said = f"{claim[:middle]}<br>{claim[middle + 1 :]}"
    return f"<b>{fit.label} norm</b><br>{kept}<br>{mark} {said}"
