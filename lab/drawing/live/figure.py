"""The spec of a live figure: what every kind has, checked and written for the browser."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from lab.drawing import theme

HERE = Path(__file__).resolve().parent
# In the order in which they are joined: the kinds use what comes first.
PARTS = (
    "nodes",
    "value",
    "telling",
    "size",
    "axes",
    "slider",
    "base",
    "names",
    "tiles",
    "lines",
    "family",
    "bars",
    "shade",
    "plane",
    "touch",
    "buckets",
    "cones",
    "group",
    "space",
    "descent",
    "race",
)
MOST_BYTES = 300_000
HEIGHT, PHONE_HEIGHT = 430, 380
LARGEST_WHOLE = 32767


@dataclass(frozen=True)
class Steps:
    """A slider over texts, those of the address; `words` is how each is read out, if not so.

    A control with no label has no slider: the figure itself is dragged.
    """

    label: str | None
    texts: tuple[str, ...]
    words: tuple[str, ...] = ()

    def __post_init__(self):
        if not self.texts or len(set(self.texts)) < len(self.texts):
            raise ValueError("a live figure needs one or more steps, all different.")
        if self.words and len(self.words) != len(self.texts):
            raise ValueError(f"{len(self.texts)} steps have {len(self.words)} words.")

    def accepts(self, text: str) -> bool:
        return text in self.texts

    def index(self, text: str) -> int:
        return self.texts.index(text)

    def spec(self) -> dict[str, Any]:
        return dict(
            control="steps",
            label=self.label,
            steps=list(self.texts),
            words=list(self.words or self.texts),
        )


@dataclass(frozen=True)
class Point:
    """A point of the plane, "x,y" in the address: a slider each, and the point itself to drag.

    Further numbers, "x,y,z", have a slider only; `step` is one for all, or one each.
    """

    labels: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    step: float | tuple[float, ...] = 0.01

    def accepts(self, text: str) -> bool:
        try:
            places = self.places(text)
        except ValueError:
            return False
        return len(places) == len(self.labels) and all(
            math.isfinite(place) and low <= place <= high
            for place, low, high in zip(places, self.low, self.high, strict=True)
        )

    def places(self, text: str) -> tuple[float, ...]:
        return tuple(float(part) for part in text.split(","))

    def index(self, text: str) -> int:
        return 0

    def spec(self) -> dict[str, Any]:
        one = isinstance(self.step, float | int)
        each = [self.step] * len(self.labels) if one else self.step
        axes = zip(self.labels, self.low, self.high, each, strict=True)
        return dict(
            control="point",
            steps=[],
            words=[],
            point=[
                dict(label=label, min=low, max=high, step=step) for label, low, high, step in axes
            ],
        )


@dataclass(frozen=True, eq=False)
class Figure:
    """One live figure: a kind, its control, its texts per frame, and what the kind draws.

    Of a point there is one title and one alternative text, unless the kind computes them.
    `play` is the milliseconds a frame stays when the frames are played as time; 0 has no button.
    `play_label` is the button's name; `step_label` that of another which goes on by one frame.
    `speeds` are those to choose from, 1 among them. `follows`: a later figure with the same steps
    takes this one's place without disturbing the hand or the player. `autoplay`: played once where
    this text is new to the browser.
    """

    kind: str
    control: Steps | Point
    titles: Sequence[str]
    alts: Sequence[str]
    content: Mapping[str, Any] = field(repr=False)
    height: int = HEIGHT
    phone_height: int = PHONE_HEIGHT
    play: int = 0
    play_label: str = "Play"
    step_label: str = ""
    speeds: Sequence[float] = ()
    follows: bool = False
    autoplay: str = ""

    def __post_init__(self):
        frames = len(self.control.texts) if isinstance(self.control, Steps) else 1
        for what, texts in (("titles", self.titles), ("alternative texts", self.alts)):
            if len(texts) != frames:
                raise ValueError(f"{frames} frames have {len(texts)} {what}; give one a frame.")
        if not all(self.alts):
            raise ValueError("every frame needs an alternative text that says what it shows.")
        if (self.play or self.autoplay) and not isinstance(self.control, Steps):
            raise ValueError("only frames that are steps can be played.")
        if self.speeds and 1 not in self.speeds:
            raise ValueError("the speeds to choose from must hold 1, which is where one begins.")
        size = len(self.payload.encode())
        if size > MOST_BYTES:
            raise ValueError(
                f"a live figure of kind {self.kind} is {size:,} bytes, above {MOST_BYTES:,}: "
                "use fewer frames or fewer points a curve."
            )

    @cached_property
    def payload(self) -> str:
        """All that the browser needs, as JSON."""
        spec = dict(
            kind=self.kind,
            titles=list(self.titles),
            alts=list(self.alts),
            content=dict(self.content),
            height=self.height,
            phone_height=self.phone_height,
            play=self.play,
            play_label=self.play_label,
            step_label=self.step_label,
            speeds=list(self.speeds),
            follows=self.follows,
            autoplay=self.autoplay,
            **self.control.spec(),
        )
        return json.dumps(spec, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def title(self, text: str) -> str:
        return self.titles[self.control.index(text)]

    def alt(self, text: str) -> str:
        return self.alts[self.control.index(text)]


def packed(values: np.ndarray) -> dict[str, Any]:
    """Numbers as 16-bit integers times a unit: a quarter of their size, right to 1/65,000 of all.

    What is not 0 does not become 0, so that a small weight is not taken for none.
    """
    values = np.ascontiguousarray(values, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError("a live figure's numbers must be finite.")
    unit = float(np.abs(values).max(initial=0.0)) / LARGEST_WHOLE or 1.0
    whole = np.rint(values / unit)
    whole = np.where((whole == 0) & (values != 0), np.sign(values), whole).astype("<i2")
    return dict(unit=unit, base64=base64.b64encode(whole.tobytes()).decode())


def rounded(values: Sequence[float | None] | np.ndarray, digits: int = 5) -> list[float | None]:
    """Numbers as short text; a gap, which JSON cannot write as a number, is None."""
    return [
        None if value is None or not math.isfinite(value) else float(f"{value:.{digits}g}")
        for value in (values.tolist() if isinstance(values, np.ndarray) else values)
    ]


@cache
def colors() -> dict[str, dict[str, str]]:
    """Our colours by mode and by the name of their CSS variable."""
    return {mode: _colors_of(theme.palette(mode)) for mode in ("light", "dark")}


def _colors_of(palette: theme.Palette) -> dict[str, str]:
    named = {
        name: getattr(palette, name)
        for name in ("text", "accent", "positive", "negative", "muted", "theory", "border")
    }
    return named | dict(palette.norms) | dict(palette.methods)


@cache
def javascript() -> str:
    """The component's module: our colours, the base and all kinds."""
    parts = [(HERE / f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    return "\n".join([f"const COLORS = {json.dumps(colors())};", *parts])


@cache
def styles() -> str:
    return (HERE / "live.css").read_text(encoding="utf-8")
