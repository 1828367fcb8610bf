"""A page with one live figure of each kind, for the tests of the live figure."""

import numpy as np
import streamlit as st

from lab.drawing import live, side_by_side
from lab.ui import scripts
from lab.ui.view import View

STEPS = tuple(str(k) for k in range(21))


@st.cache_resource
def figures() -> dict[str, live.Figure]:
    shares = np.linspace(1, 0, len(STEPS))
    titles = [f"Frame {text}" for text in STEPS]
    alts = [f"What frame {text} shows" for text in STEPS]
    words = dict(titles=titles, alts=alts)
    c = np.random.default_rng(0).standard_normal((3, 4))
    threshold = (1 - shares)[:, None, None] * 2.5
    shrunk = np.sign(c) * np.maximum(np.abs(c) - threshold, 0)
    xs = np.geomspace(1, 100, 21)
    point = live.Point(("across", "up"), (-2, -2), (2, 2), 0.01)
    return {
        "tiles": live.tiles(
            [
                live.Panel("The data", c[None], ["as they are"]),
                live.Panel("Shrunk", shrunk, [f"{np.count_nonzero(w)} kept" for w in shrunk]),
            ],
            live.Steps("Strength of tiles", STEPS),
            row_names=["first", "second", "third"],
            outlined=c > 1,
            height=240,
            **words,
        ),
        "lines": live.lines(
            [
                live.Curve("falls", 1 / xs, "le", thick=True, low=0.8 / xs, high=1.2 / xs),
                live.Curve("also falls", 1.01 / xs, "l21", dash="dash"),
                live.Curve("", 0.5 / xs, "l1", faint=True, tip="a faint one"),
            ],
            live.Steps("Place on the axis", STEPS),
            xs=xs,
            marker=xs,
            x=live.Axis("size", 1, 100, log=True),
            y=live.Axis("value", 0.001, 1.5, log=True),
            play=30,
            height=300,
            **words,
        ),
        "uneven": live.lines(
            [live.Curve("rises", np.arange(21) ** 2, "le")],
            live.Steps("Uneven place", STEPS),
            xs=np.arange(21) ** 2,
            marker=np.arange(21) ** 2,
            x=live.Axis("square", 0, 400),
            y=live.Axis("value", 0, 400),
            height=240,
            **words,
        ),
        "bars": live.bars(
            ["a", "b", "c"],
            np.array([3.0, 2.0, 0.5]),
            live.Steps("Water line", STEPS),
            levels=np.linspace(0, 3, len(STEPS)),
            y=live.Axis("size", 0, 3.2),
            x_label="weight",
            settled=1.5,
            settled_name="settles here",
            height=300,
            **words,
        ),
        "plane": live.plane(
            [
                dict(
                    type="polygon",
                    points=[[1, 0], [0, 1], [-1, 0], [0, -1]],
                    color="l1",
                    name="the ℓ1 ball",
                    **{"class": "filled"},
                ),
                dict(type="ellipse", center=[0, 0], axes=[[1, 0], [0, 1]], color="l2"),
            ],
            point,
            x=live.Axis("w₁", -2, 2),
            y=live.Axis("w₂", -2, 2),
            title="A point to drag",
            alt="Two unit balls and a point",
            height=360,
        ),
        "broken": live.Figure("tiles", live.Steps("Broken", STEPS), titles, alts, {}, 200),
    }


def still(text: str):
    return side_by_side(
        {"ones": np.eye(2)}, title=f"Still at {text}", mode="light", row_names=["a", "b"]
    )


@st.fragment
def part(view: View, kind: str) -> None:
    text = view.live(kind, figures()[kind], still=still, help="For the tests.")
    st.markdown(f"{kind} says {text}")


st.set_page_config(layout="wide")
st.session_state["_entered"] = "_page" not in st.session_state
st.session_state["_page"] = "home"
st.title("Live figures")
DEFAULTS = dict.fromkeys(("tiles", "lines", "uneven", "bars", "broken"), "10")
DEFAULTS["plane"] = "1.5,0.5"
view = View("home", DEFAULTS, {"Ends": {"tiles": "20", "plane": "0,0"}})
view.draw_presets()
st.button("Reset", on_click=view.reset)
shown = ["tiles", "lines", "uneven", "bars", "plane"]
for kind in [*shown, "broken"] if "with_broken" in st.query_params else shown:
    part(view, kind)
scripts.draw_watch()
