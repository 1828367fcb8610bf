"""The model and its rivals: weights, strengths, scores."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lab import exports, ui, words
from lab.own_table import charts, findings, fits, work
from lab.own_table.case import Case
from lab.own_table.headline import class_called
from lab.own_table.scores import ERRORS, METRICS, metrics_of
from lab.own_table.spec import METHODS, METHODS_OF
from lab.own_table.view import runs
from lab.own_table.view.controls import (
    METHOD_KEYS,
    METRIC_KEYS,
    NUMBER_METHOD_KEYS,
    PROTOCOL_KEYS,
    STRENGTHS,
    TUNING_KEYS,
    WEIGHT_KEYS,
)
from lab.ui import keeping

ELSEWHERE = (
    " The page about accuracy may order the methods otherwise; *How it is computed* says why."
)


def draw_fit(view, case: Case, running: bool) -> None:
    left, right = ui.figure_and_controls()
    with right:
        draw_fit_controls(view, case.spec)
        if case.begun:
            ui.certificate(case.final.gap)
            st.caption(findings.strength_note(case.final))
    with left:
        if case.begun:
            title = findings.bars_title(case.found, case.found.order(charts.MOST_BARS).size)
            alt = f"Weights of the features. {title}."
            ui.chart(bars_figure(case, ui.mode()), key="weights", alt=alt)
        elif not running:
            st.markdown(
                "So large a table is fitted in the background; start it below. The first result "
                "comes after one fit, the others follow."
            )
        draw_strength(view, case.spec)
        if case.begun:
            st.caption(blue_and_orange(case))
    st.subheader("Against the usual choices", anchor=False)
    metric = draw_metric(view, case)
    if running:
        runs.COMPARISON.draw_progress(so_far=lambda: 1)
        job, _ = runs.COMPARISON.job()
        if job is not None:
            keeping.under_way(view, job)
    else:
        draw_starters(view, case)
    if runs.COMPARISON.failure:
        ui.problem(words.in_markdown(runs.COMPARISON.failure, 400))
    draw_standings(case, metric, running)


def blue_and_orange(case: Case) -> str:
    prepared = case.prepared
    if not case.is_classes:
        speaks = f"larger values of {words.in_markdown(case.spec.label)}"
    elif len(prepared.classes) == 2:
        speaks = words.in_markdown(class_called(prepared.classes[1]))
    else:
        speaks = "the class for which the weight is largest"
    drawn = case.found.frequency[case.found.order(charts.MOST_BARS)]
    pale = "; pale bars were left out by some fold" if case.folds and np.any(drawn < 1.0) else ""
    return f"Blue speaks for {speaks}, orange against{pale}."


def draw_metric(view, case: Case) -> str:
    held = metrics_of(case.spec.target)
    choices = [label for label, key in METRIC_KEYS.items() if key is None or key in held]
    if view["metric"] not in choices:
        view.set({"metric": view.defaults["metric"]})
    view.segments(
        "metric",
        "Score",
        choices,
        help=f"As judged: {METRICS[case.metric]}. F1 and AUC are those of the second class, or the "
        "mean over classes.",
    )
    return METRIC_KEYS[view["metric"]] or case.metric


def draw_starters(view, case: Case) -> None:
    buttons = st.container(horizontal=True, vertical_alignment="center")
    missing = work.comparison_tasks(case.spec)
    done = {(each.key, each.fold) for each in case.outcomes}
    left = [task for task in missing if task.kind == "fit" and (task.key, task.part) not in done]
    if not left and case.chance is not None:
        st.caption("All models have done all folds.")
        return
    rivals = any(each.key != case.own for each in case.outcomes)
    buttons.button(
        "Go on with the comparison" if rivals else "Run the comparison",
        key="csv_run",
        on_click=runs.start,
        args=(case, missing),
        help="The usual choices and a random forest, in the same folds, ours first.",
    )
    if not case.fitted:
        own = work.fit_tasks(case.spec, fits.own_work(case.spec)) + work.chance_tasks(case.spec)
        buttons.button(
            "Fit only",
            key="csv_fit",
            on_click=runs.start,
            args=(case, own),
            help="Our model alone: on all rows, in every fold, and with shuffled labels.",
        )
    with buttons:
        keeping.before_start(view)


def draw_fit_controls(view, spec) -> None:
    if spec is None or spec.target == "classes":
        view.segments(
            "method",
            "Model",
            tuple(METHOD_KEYS),
            help="E-SVM for classes; exclusive logistic where probabilities are wanted.",
        )
    else:
        suits = METHODS_OF[spec.target]
        names = [name for name, key in NUMBER_METHOD_KEYS.items() if key is None or key in suits]
        if view["number_method"] not in names:
            view.set({"number_method": view.defaults["number_method"]})
        view.segments(
            "number_method",
            "Model",
            names,
            help=f"Usual: {METHODS[suits[0]]}. Huber where a few values are far off, Poisson for "
            "counts.",
        )
    view.segments(
        "tuning",
        "Strengths",
        tuple(TUNING_KEYS),
        help="Chosen on the training rows of each fold, or set by the sliders.",
    )
    if spec is not None and spec.tuning == "hand" and spec.method == "esvm":
        view.scale(
            "alpha",
            "Strength α of ½‖w‖²",
            STRENGTHS,
            help="The SVM's own penalty: larger means smaller weights, shared more evenly.",
        )
    with st.expander("More settings"):
        view.slider("folds", "Folds", 2, 10, help="Parts of the rows, each tested once.")
        view.select(
            "protocol",
            "Protocol",
            tuple(PROTOCOL_KEYS),
            help="Inverted: train on one fold and test on the others.",
        )
        if spec is None or spec.target == "classes":
            view.select(
                "weights",
                "Weight of classes",
                tuple(WEIGHT_KEYS),
                help="As it looks: every class alike where one is three times another.",
            )
        view.number(
            "seed", "Seed", 0, 9999, help="Decides the folds and the random groups.", step=1
        )
        view.toggle(
            "standardise", "Standardise", help="Zero mean and unit variance on the training rows."
        )


def draw_strength(view, spec) -> None:
    if spec.tuning == "auto":
        return
    name, symbol = ("beta", "β") if spec.method == "esvm" else ("lam", "λ")
    view.scale(
        name,
        f"Strength {symbol} of the exclusive norm: further right, fewer features",
        STRENGTHS,
        help="The weight of ½‖w‖_e² against the loss, which is a sum over rows.",
    )


def bars_figure(case: Case, mode: str):
    return case.once(("bars", mode), lambda: _bars_figure(case.found, mode))


def _bars_figure(found, mode: str):
    order = found.order(charts.MOST_BARS)
    return charts.weight_bars(
        [words.in_figure(found.names[j]) for j in order],
        found.weight[order],
        [words.in_figure(found.group_names[found.group[j]], 18) for j in order],
        found.frequency[order] if found.n_folds else np.full(order.size, np.nan),
        title=findings.bars_title(found, order.size),
        mode=mode,
    )


def draw_standings(case: Case, metric: str, running: bool) -> None:
    """The rows that are known; who has not done all folds says so, and is not judged."""
    rows = known_rows(case, metric)
    if not rows or (rows[0].key != case.own):
        return
    unfinished = [row.label for row in rows if not row.complete]
    if unfinished and not running:
        have = "has" if len(unfinished) == 1 else "have"
        st.caption(
            f"Ended early: {words.listed_in_markdown(unfinished)} {have} not done all folds "
            "and cannot win or lose yet; differences are over the folds that "
            "both have done."
        )
    title = findings.standings_title(case, metric)
    ui.chart(standings_figure(case, metric, ui.mode()), key="standings", alt=f"Scores. {title}.")
    if len(rows) < 2:
        return
    if case.spec.tuning == "hand":
        st.caption(
            f"{words.capitalised(rows[0].label)} has the strengths set above; the others chose "
            "theirs in each fold, which favours them."
        )
    st.dataframe(
        findings.shown_standings(rows, metric),
        hide_index=True,
        alt="Scores of all models, and by how much ours is better, fold by fold",
    )
    st.caption(
        "Ours better by: the mean over folds of the paired difference, with its interval; whether "
        "a model is as good as the best is judged at 95 % over all of them together (Holm)."
        + (ELSEWHERE if case.is_classes else "")
    )
    st.download_button(
        "Scores (CSV)",
        lambda: exports.csv_bytes(findings.standings_table(rows, case.spec.target)),
        file_name="scores.csv",
        mime="text/csv",
        on_click="ignore",
        key="csv_scores",
    )
    missed = findings.missed_sentence(case.outcomes)
    if missed:
        st.caption(missed)


def known_rows(case: Case, metric: str) -> list:
    return [row for row in case.standings if row.scores[metric].count]


def standings_figure(case: Case, metric: str, mode: str):
    return case.once(("standings", metric, mode), lambda: _standings_figure(case, metric, mode))


def _standings_figure(case: Case, metric: str, mode: str):
    rows = known_rows(case, metric)
    scores = [row.scores[metric] for row in rows]
    return charts.score_intervals(
        [row.label for row in rows],
        [each.mean for each in scores],
        [each.low for each in scores],
        [each.high for each in scores],
        [row.role for row in rows],
        metric=METRICS[metric] + (", lower is better" if metric in ERRORS else ""),
        title=findings.standings_title(case, metric),
        mode=mode,
        height=120 + 32 * len(rows),
    )
