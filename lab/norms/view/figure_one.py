"""The paper's Figure 1 live: what four norms keep of one regression."""

import streamlit as st

from lab import ui
from lab.norms import claims, code, draws, shown, start, words
from lab.norms.charts import figure_one as charts
from lab.norms.spec import PatternSpec
from lab.norms.view.controls import (
    data_spec,
    draw_data_controls,
    draw_match,
    draw_presets,
    solved,
)

NAME = "norm_patterns"
# What one press on the toggle may cost the server; the next goes on where it stopped.
SECONDS_OF_DRAWS = 15.0

FOUR_PROBLEMS = r"""
All four fits minimise $\frac12\lVert Xw-y\rVert^2$ plus a penalty:

| norm | penalty | the scale of λ |
| :-- | :-- | :-- |
| ℓ2 | $\frac{\lambda}{2}\lVert w\rVert_2^2$ | $\lVert X\rVert_2^2$, where the strongest direction is halved |
| ℓ1 | $\lambda\lVert w\rVert_1$ | $\max_i\lvert X_i^\top y\rvert$, from where on $w=0$ |
| ℓ2,1 | $\lambda\sum_g\lVert w_g\rVert_2$ | $\max_g\lVert X_g^\top y\rVert_2$, from where on $w=0$ |
| ℓe | $\frac{\lambda}{2}\sum_g\lVert w_g\rVert_1^2$ | $\lambda_0=\lVert Xu\rVert^2/\lVert u\rVert_e^2$, where the fit along $u$, each group's largest correlation with $y$, is halved |

The squared norms never reach $w=0$: their slope at 0 is 0. Where groups overlap, ℓ2,1 is the latent
group lasso: each group has its own copy of its features, and $w$ is the sum of the copies.
**Support F1** is $2\,\lvert\hat S\cap S\rvert/(\lvert\hat S\rvert+\lvert S\rvert)$ for the nonzeros
$\hat S$ and the true features $S$. **Test error** is $\lVert Xw-y\rVert^2/\lVert y\rVert^2$ on 500
fresh samples. Every fit is certified by its duality gap, relative to the objective.
"""  # noqa: E501


# Of what is kept for a spec nothing is ever changed, so visitors share it without copies.


@st.cache_resource(show_spinner=False, max_entries=1000)
def one_draw(spec: PatternSpec) -> dict:
    return draws.solve_draw(spec)


@st.cache_resource(show_spinner=False)
def committed_draws() -> draws.Draws:
    return start.stored_draws()


@st.cache_resource(show_spinner=False, max_entries=64)
def along_the_path(spec: PatternSpec, matched: bool) -> dict:
    return shown.along(solved(spec), matched)


@st.cache_resource(show_spinner=False, max_entries=64)
def live_figure(spec: PatternSpec, matched: bool, count: int, _many):
    return charts.live_figure(solved(spec), along_the_path(spec, matched), _many, matched)


@st.cache_resource(show_spinner=False, max_entries=100)
def still_figure(spec: PatternSpec, matched: bool, share: str, mode: str):
    fits = along_the_path(spec, matched)[share]
    return charts.still_figure(solved(spec), fits, words.frame_title(fits, share), mode)


@st.cache_data(show_spinner=False, max_entries=500)
def sentences(spec: PatternSpec, matched: bool, share: str, count: int, _many) -> dict[str, str]:
    """All that is said of one λ, made once."""
    fits = along_the_path(spec, matched)[share]
    said = words.answer(fits)
    if _many is not None:
        said += f" {words.empties_over_draws(_many, share, matched)}"
    below = [words.draw_finding(fits, solved(spec))]
    if _many is not None:
        below.append(words.usual_finding(_many))
    below.append(words.numbers_in_markdown(fits))
    if matched:
        below.append(words.match_finding(fits))
    script = code.figure_one(spec, {norm: fit.share for norm, fit in fits.items()})
    return {"answer": said, "below": "\n\n".join(below), "code": script}


def draw_figure_one(view: ui.View, answer) -> None:
    hero = st.container()
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        draw_presets(view)
        matched = draw_match(view)
        repeated = st.container(width="content")
    draw_data_controls(view)
    spec = data_spec(view)
    if spec.problem():
        with hero:
            ui.problem(spec.problem())
        return
    st.caption(words.reading(spec))
    with st.expander("The four problems, and what the numbers mean"):
        st.markdown(FOUR_PROBLEMS + claims.RULES)
    row = ui.ExportRow(view, NAME)
    with repeated:
        many = over_draws(view, spec)
    with hero, st.skeleton(height=charts.HEIGHT + 60):
        solved(spec)
    with hero:
        draw_hero(view, spec, matched, many, answer, row)


def over_draws(view: ui.View, spec: PatternSpec) -> draws.Draws | None:
    """The draws kept for the page's first view; of other data, if they are asked for."""
    if start.is_kept(spec):
        return committed_draws()
    if not view.toggle(
        "many",
        f"Repeat over {len(draws.SEEDS)} draws",
        help="Solves the same settings on draws with seeds 0 to 19, which takes some seconds, and "
        "says how often each sentence holds.",
    ):
        return None
    with st.skeleton(height=40):
        found = draws.within(draws.any_seed(spec), SECONDS_OF_DRAWS, one_draw)
    if found.count < len(draws.SEEDS):
        st.button(f"Go on: {found.count} of {len(draws.SEEDS)} draws so far", key="np_more_draws")
    return found


@st.fragment
def draw_hero(view: ui.View, spec, matched, many, answer, row: ui.ExportRow) -> None:
    """What moves with λ, and nothing else, so that a step of the slider is cheap."""
    count = 0 if many is None else many.count
    share = view.live(
        "share",
        live_figure(spec, matched, count, many),
        still=lambda text: still_figure(spec, matched, text, ui.mode()),
        help="ℓ1 and ℓ2,1 reach w = 0 at 1; ℓ2 and ℓe are halved there and never reach it. "
        "Where sparsity is matched, this is ℓe's λ and the others follow.",
    )
    fits = along_the_path(spec, matched)[share]
    said = sentences(spec, matched, share, count, many)
    answer.markdown(said["answer"])
    ui.certificate(max(fit.gap for fit in fits.values()), what="(all four)")
    st.markdown(said["below"])
    row.offer(
        ui.Export(
            name=NAME,
            data=lambda: shown.table(fits, solved(spec)),
            figure=lambda: still_figure(spec, matched, share, "light"),
            code=said["code"],
        )
    )
