"""Two correlated features in two groups: which norm shares the weight, and how."""

import streamlit as st

from lab import ui
from lab.data.datasets import TwinsSpec
from lab.drawing import live
from lab.norms import code, start, twins
from lab.norms.charts import twins as charts
from lab.norms.view.controls import CORRELATION, LOAD, draw_presets

WHY_TWINS = r"""
Let the twins be copies, $X_i=X_j$, in groups $g$ and $h$, and let $t=w_i+w_j$ be what they explain
together. The loss sees $t$ only, so the penalty alone divides it:

* **ℓ2** pays $w_i^2+w_j^2$: least where both get $t/2$.
* **ℓ1** pays $\lvert w_i\rvert+\lvert w_j\rvert=\lvert t\rvert$ however it is divided, so the
  small differences between the twins decide.
* **ℓ2,1** pays $\sqrt{a^2+w_i^2}+\sqrt{b^2+w_j^2}$ with $a,b$ the lengths of the other weights of
  the two groups: cheaper in the longer one, where the square root is flatter.
* **ℓe** pays $(A+\lvert w_i\rvert)^2+(B+\lvert w_j\rvert)^2$ with $A,B$ the sums of the others'
  magnitudes: its slope is the group's load, so the weight goes where the load is smaller, until
  the loads are level.
"""

# What the horizontal axis can be: its name in the spec, the control it sets, that control's texts.
AXES = {
    CORRELATION: ("correlation", "twin_rho", twins.CORRELATIONS, "correlation of the twins"),
    LOAD: ("busy_load", "busy", twins.LOADS, "other true features in the busy group"),
}
LABELS = {"twin_rho": "Correlation of the twins", "busy": "Busy group's load"}
HELP = {
    "twin_rho": "How similar the two features are.",
    "busy": "Other true features in the busy group.",
}


@st.cache_resource(show_spinner=False, max_entries=64)
def swept(spec: TwinsSpec, share: float, vary: str) -> list:
    return twins.sweep(spec, share, vary, twins.AXES[vary])


@st.cache_resource(show_spinner=False, max_entries=64)
def over_draws(spec: TwinsSpec, share: float, vary: str) -> list:
    return twins.claims_over_draws(spec, share, vary, twins.AXES[vary])


@st.cache_resource(show_spinner=False, max_entries=64)
def live_figure(spec: TwinsSpec, share: float, axis: str):
    vary, control, texts, words = AXES[axis]
    fits = [found for found, _ in swept(spec, share, vary)]
    values = twins.AXES[vary]
    return charts.live_twins(
        values,
        twins.quiet_shares(fits),
        live.Steps(LABELS[control], texts),
        axis=words,
        titles=[twins.chart_title(found) for found in fits],
        alts=[twins.alt(found, words, value) for found, value in zip(fits, values, strict=True)],
    )


@st.cache_resource(show_spinner=False, max_entries=100)
def still_figure(spec: TwinsSpec, share: float, axis: str, text: str, mode: str):
    vary, _, texts, words = AXES[axis]
    fits = [found for found, _ in swept(spec, share, vary)]
    at = texts.index(text)
    return charts.still_twins(
        twins.AXES[vary],
        twins.quiet_shares(fits),
        current=twins.AXES[vary][at],
        axis=words,
        title=twins.chart_title(fits[at]),
        mode=mode,
    )


def draw_twins(view: ui.View, answer) -> None:
    hero = st.container()
    left, middle, right = st.columns(3, gap="medium")
    with left:
        axis = view.segments(
            "vary", "Drawn against", (CORRELATION, LOAD), help="What the horizontal axis is."
        )
        share = view.scale(
            "twin_share",
            "Strength λ, share of own scale",
            twins.SHARES,
            help="With a weak penalty the data decide; with a strong one the norm does.",
        )
    with middle:
        other = "busy" if axis == CORRELATION else "twin_rho"
        texts = twins.LOADS if other == "busy" else twins.CORRELATIONS
        view.scale(other, LABELS[other], texts, help=HELP[other])
        view.slider(
            "quiet", "Quiet group's load", 0, 8, help="Other true features in the quiet group."
        )
    with right:
        view.number("twin_seed", "Seed", 0, 9999, help="Another number draws other data.")
        draw_presets(view)
    with st.expander("More settings"):
        view.slider("twin_noise", "Noise", 0.0, 3.0, step=0.1, help="Its standard deviation.")
        view.slider("twin_samples", "Samples", 30, 400, step=10, help="Rows of X to learn from.")
    spec = TwinsSpec(
        n_samples=view["twin_samples"],
        correlation=float(view["twin_rho"]),
        busy_load=int(view["busy"]),
        quiet_load=view["quiet"],
        noise=view["twin_noise"],
        seed=view["twin_seed"],
    )
    vary = AXES[axis][0]
    # What the axis varies is the same for every place of the marker.
    fixed = twins.without(spec, vary)
    tallies = start.stored_claims(fixed, share, vary)
    if tallies is None and view.toggle(
        "draws",
        f"Check over {twins.DRAWS} draws",
        help=f"Repeats the four checks on draws with seeds 0 to {twins.DRAWS - 1}, at every point.",
    ):
        with st.skeleton(height=40):
            tallies = over_draws(twins.without(fixed, "seed"), float(share), vary)
    st.caption(twins.READING)
    with st.expander("Why each norm does so"):
        st.markdown(WHY_TWINS)
    row = ui.ExportRow(view, "correlated_twins")
    with hero, st.skeleton(height=charts.TWINS_HEIGHT + 60):
        swept(fixed, float(share), vary)
    with hero:
        draw_hero(view, fixed, float(share), axis, tallies, answer, row)


@st.fragment
def draw_hero(view: ui.View, spec: TwinsSpec, share: float, axis, tallies, answer, row) -> None:
    """What moves along the axis."""
    vary, control, texts, _ = AXES[axis]
    text = view.live(
        control,
        live_figure(spec, share, axis),
        still=lambda text: still_figure(spec, share, axis, text, ui.mode()),
        help=HELP[control],
    )
    at = texts.index(text)
    curve = swept(spec, share, vary)
    fits, verdicts = curve[at]
    values = twins.AXES[vary]
    here = twins.at(spec, vary, values[at])
    answer.markdown(twins.answer(here.correlation, fits, verdicts, tallies and tallies[at]))
    ui.certificate(max(fit.gap for fit in fits.values()), what="fits")
    st.markdown(
        "**The paper's four claims, checked on this draw**\n\n" + twins.claims_table(verdicts)
    )
    row.offer(
        ui.Export(
            name="correlated_twins",
            data=lambda: twins.table(values, [found for found, _ in curve], vary),
            figure=lambda: still_figure(spec, share, axis, text, "light"),
            code=code.twins(here, share),
        )
    )
