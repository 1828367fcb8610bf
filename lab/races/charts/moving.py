"""The race as the live figure replays it."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from lab.drawing import live, theme
from lab.races.replay import Replay

FRAMES = tuple(str(k) for k in range(161))
LAST = FRAMES[-1]

# Plotly's dashes, as SVG writes them.
DASHES = MappingProxyType(
    {
        "solid": "",
        "dash": "7 4",
        "dot": "2 4",
        "dashdot": "7 3 2 3",
        "longdash": "13 4",
        "longdashdot": "13 3 2 3",
    }
)
HEIGHT, PHONE_HEIGHT = 408, 340  # with its title 430, and Start below it on the first screen


def replayed(replay: Replay, *, growing: int = 0, autoplay: str = "") -> live.Figure:
    """The live figure of a replay; `growing` milliseconds to the next news of a race that is on."""
    heads = live.head_places(replay.x, replay.reach, len(FRAMES))
    told = [replay.at(place) for place in heads]
    colours: dict[str, int] = {}
    lanes = []
    for curve in replay.curves:
        style = theme.method_line(curve.key, "light")
        name = _colour(curve.key)
        rank = colours[name] = colours.get(name, -1) + 1
        finish = replay.finishes.get(curve.key)
        lanes.append(
            live.Lane(
                curve.label,
                curve.x,
                curve.y,
                color=name,
                dash=DASHES[style.dash],
                marker=live.MARKERS[rank % len(live.MARKERS)],
                thick=curve.key not in theme.PAPER_METHODS | theme.RIVAL_METHODS,
                low=curve.low,
                high=curve.high,
                place=None if finish is None else finish.medal,
                finish=None if finish is None else finish.at,
                told="" if finish is None else finish.told,
            )
        )
    return live.race(
        lanes,
        live.Steps("Replay", FRAMES, tuple(moment.words for moment in told)),
        x=replay.x,
        y=replay.y,
        reach=replay.reach,
        finish=replay.line,
        finish_name=replay.line_name,
        rates=[live.Rate(rate.label, rate.x, rate.y) for rate in _inside(replay)],
        growing=growing,
        titles=[moment.title for moment in told],
        alts=[moment.alt for moment in told],
        height=HEIGHT,
        phone_height=PHONE_HEIGHT,
        autoplay=autoplay,
    )


def _inside(replay: Replay):
    """The rates as far as the axes go."""
    for rate in replay.rates:
        there = (rate.x >= replay.x.low) & (rate.y >= replay.y.low) & (rate.y <= replay.y.high)
        if np.count_nonzero(there) > 1:
            yield type(rate)(rate.label, rate.x[there], rate.y[there])


def _colour(key: str) -> str:
    """The theme's name of a method's colour."""
    return key if key in theme.LIGHT.methods else "accent"
