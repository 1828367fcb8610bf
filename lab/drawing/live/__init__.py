"""A figure that follows the hand: redrawn in the browser while dragging, told to the server after.

Using it in a page
    figure = live.tiles(..., control=live.Steps("Strength ζ", texts))       # pure, cacheable
    text = view.live("zeta", figure, still=lambda text: a_plotly_figure)    # inside an st.fragment
`text` is the value as the address has it: one of the steps' texts, or "x,y" for a point. The view
knows it like any other control: default, reset, presets, memory. All else that depends on it
(answer, certificate, code) is drawn by the same fragment from `text`, after the hand has let go.
A figure is a spec: make it in an `st.cache_resource` function of what it depends on; it must not
depend on the value itself, whose every frame it has. Titles, alternative texts and captions are
given per frame, computed in Python from the very data on show; at most 300 kB a figure.
`still` draws a plotly figure of one value: it is shown, over a slider of Streamlit's, where our
JavaScript fails and in AppTest, which drives it by the control's key as any `select_slider`.

Kinds: `tiles` (panels of signed weights), `lines` (curves and a marker on their axis), `family`
(curves that move themselves), `bars` (bars and a water line), `plane` (shapes and a point to drag,
followed by what a function computes), `buckets` (draws that fall into buckets, and the histogram of
all draws so far), `shade` (shares over two axes, and a marker on one column), `space` (a cone over
two weights, to be turned), `group` (two weights under a water line and in the plane), `descent` (a
method's steps, played), `race` (lines that grow up to a head, a finish line and places, played at a
chosen speed).

Adding a kind: name.js and name.py in this folder, and the name in `figure.PARTS`. The script says
    KINDS.name = { build({svg, width, height, narrow, content, value, add, marks, drags}) {
        ... make the nodes once, with node(tag, attributes, text), in CSS pixels ...
        return { draw() { ... value.index, or value.places of a point ... },
                 tip(key) { return "words" } };
    } };
- `build` runs again when the width changes, `draw` for every value: there change attributes only.
- `content` is what name.py put there; `unpacked(content.x)` reads what `figure.packed` wrote.
- `marks(key, node)`: nodes with one key light up together and share a tooltip.
- `memory`: an object that lasts while figures that `follows` take each other's place; the kind's
  `stays(before, after, index, memory)` then says which step shows what the one before showed.
- `moved()`: whether this frame follows on a press of the figure's step button.
- `drags(node, {move(x, y), touch, cursor})`: dragging it sets the value in `move`.
- `along(left, right)`: the slider reaches from one to the other; `sharesOf(content)`, beside
  `build`, says where its steps stand between them, where these are not even.
- `draw` may return {title, alt} where they cannot be listed per frame.
- Colours are CSS variables: --st-text-color and the like of Streamlit, and those of the theme
  by the names in `figure.colors`: --accent, --positive, --le, --pcp, --muted.
- What is computed in the browser is a function of one object in MATHS, without the DOM, so that a
  test runs it in node and compares it with Python (tests/lab/drawing/test_live_maths.py).
"""

from lab.drawing.live.bars import bars
from lab.drawing.live.buckets import Histogram, buckets
from lab.drawing.live.descent import descent
from lab.drawing.live.family import Member, family
from lab.drawing.live.figure import (
    MOST_BYTES,
    Figure,
    Point,
    Steps,
    colors,
    javascript,
    styles,
)
from lab.drawing.live.group import group
from lab.drawing.live.lines import Axis, Curve, Guide, lines
from lab.drawing.live.plane import plane
from lab.drawing.live.race import MARKERS, Lane, Rate, head_places, race
from lab.drawing.live.shade import Border, shade
from lab.drawing.live.space import space
from lab.drawing.live.tiles import Panel, tiles

__all__ = [
    "MARKERS",
    "MOST_BYTES",
    "Axis",
    "Border",
    "Curve",
    "Figure",
    "Guide",
    "Histogram",
    "Lane",
    "Member",
    "Panel",
    "Point",
    "Rate",
    "Steps",
    "bars",
    "buckets",
    "colors",
    "descent",
    "family",
    "group",
    "head_places",
    "javascript",
    "lines",
    "plane",
    "race",
    "shade",
    "space",
    "styles",
    "tiles",
]
