"""Paths in λ, live: every weight under one norm, or what each norm's fits are worth."""

import streamlit as st

from lab import ui
from lab.drawing import theme
from lab.norms import code, paths, shown, words
from lab.norms.charts import paths as charts
from lab.norms.spec import PatternSpec
from lab.norms.view.controls import (
    DRAWN,
    FIGURE,
    TRUE_ONES,
    WEIGHTS,
    data_spec,
    draw_match,
    draw_presets,
    solved,
)
from lab.norms.view.figure_one import along_the_path, over_draws

BY_LABEL = {label: norm for norm, label in theme.NORM_LABELS.items()}
HELP = (
    "ℓ1 and ℓ2,1 reach w = 0 at 1; ℓ2 and ℓe are halved there and never reach it. Where sparsity "
    "is matched, this is ℓe's λ and the others follow."
)


@st.cache_resource(show_spinner=False, max_entries=64)
def live_weights(spec: PatternSpec, matched: bool, norm: str, only: int | None):
    found = solved(spec)
    fits = [stop[norm] for stop in along_the_path(spec, matched).values()]
    return charts.live_paths(
        found,
        found.by_norm[norm],
        places=[fit.share for fit in fits],
        titles=[words.path_title(found, fit) for fit in fits],
        alts=[words.path_alt(found, fit) for fit in fits],
        matched=matched,
        only_group=only,
    )


@st.cache_resource(show_spinner=False, max_entries=100)
def still_weights(spec: PatternSpec, matched: bool, norm: str, only: int | None, share, mode):
    found, fit = solved(spec), along_the_path(spec, matched)[share][norm]
    return charts.still_paths(
        found,
        found.by_norm[norm],
        current=fit.share,
        title=words.path_title(found, fit),
        mode=mode,
        only_group=only,
    )


@st.cache_resource(show_spinner=False, max_entries=64)
def live_metric(spec: PatternSpec, drawn: str):
    along = along_the_path(spec, False).items()
    return charts.live_metric(
        solved(spec),
        charts.METRICS[drawn],
        titles=[words.metric_title(fits, share, drawn) for share, fits in along],
        alts=[words.metric_alt(solved(spec), fits, share, drawn) for share, fits in along],
    )


@st.cache_resource(show_spinner=False, max_entries=100)
def still_metric(spec: PatternSpec, drawn: str, share: str, mode: str):
    fits = along_the_path(spec, False)[share]
    return charts.still_metric(
        solved(spec),
        charts.METRICS[drawn],
        current=float(share),
        title=words.metric_title(fits, share, drawn),
        mode=mode,
    )


def draw_paths(view: ui.View, answer) -> None:
    hero = st.container()
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        drawn = view.segments(
            "drawn", "Drawn", DRAWN, help="One norm's weights, or one number of all four norms."
        )
        if drawn == WEIGHTS:
            view.segments("norm", "Norm", tuple(BY_LABEL), help="Whose path is drawn.")
            view.select(
                "only",
                "Strong lines",
                (TRUE_ONES, *(f"group {k}" for k in range(1, 17))),
                help="The true features, or all features of one group; the others are faint.",
                width=200,
            )
            draw_match(view)
        draw_presets(view)
    spec = data_spec(view)
    if spec.problem():
        with hero:
            ui.problem(spec.problem())
        return
    with hero, st.skeleton(height=charts.PATH_HEIGHT + 60):
        found = solved(spec)
    norm, only = BY_LABEL[view["norm"]], chosen_group(view["only"], spec)
    if drawn == WEIGHTS:
        st.markdown(words.path_prose(found, norm))
    many = over_draws(view, spec)
    if many is not None:
        st.markdown(words.usual_finding(many))
    st.caption(
        f"{words.data_in_words(spec)} (set under {FIGURE}). Thick lines are true features; point "
        "at a line for its feature and group."
        if drawn == WEIGHTS
        else f"{words.data_in_words(spec)} (set under {FIGURE}). {words.best_of_each(found, drawn)}"
    )
    if drawn == WEIGHTS:
        row = ui.ExportRow(view, f"path_{norm}")
        with hero:
            draw_weights(view, found, norm, only, answer, row)
    else:
        row = ui.ExportRow(view, "path_numbers")
        with hero:
            draw_metric(view, found, drawn, answer, row)


def chosen_group(only: str, spec: PatternSpec) -> int | None:
    """The group whose lines are strong, from 0; None for the true features."""
    chosen = None if only == TRUE_ONES else int(only.split()[1]) - 1
    if chosen is not None and chosen >= spec.n_groups:
        st.caption(f"There are {spec.n_groups} groups here, so the true features are strong.")
        return None
    return chosen


@st.fragment
def draw_weights(view: ui.View, found: paths.Paths, norm, only, answer, row) -> None:
    """What moves with λ."""
    spec, matched = found.spec, view["match"]
    share = view.live(
        "share",
        live_weights(spec, matched, norm, only),
        still=lambda text: still_weights(spec, matched, norm, only, text, ui.mode()),
        help=HELP,
    )
    path, fit = found.by_norm[norm], along_the_path(spec, matched)[share][norm]
    answer.markdown(words.path_answer(found, fit))
    ui.certificate(float(path.gaps.max()), what="path")
    row.offer(
        ui.Export(
            name=f"path_{norm}",
            data=lambda: shown.path_table(path),
            figure=lambda: still_weights(spec, matched, norm, only, share, "light"),
            code=code.path(spec, norm),
        )
    )


@st.fragment
def draw_metric(view: ui.View, found: paths.Paths, drawn: str, answer, row) -> None:
    spec = found.spec
    share = view.live(
        "share",
        live_metric(spec, drawn),
        still=lambda text: still_metric(spec, drawn, text, ui.mode()),
        help=HELP,
    )
    fits = along_the_path(spec, False)[share]
    answer.markdown(words.metric_answer(fits, share, drawn))
    ui.certificate(max(float(path.gaps.max()) for path in found.by_norm.values()), what="paths")
    row.offer(
        ui.Export(
            name="path_numbers",
            data=lambda: shown.numbers_along(found),
            figure=lambda: still_metric(spec, drawn, share, "light"),
            code=code.numbers(spec),
        )
    )
