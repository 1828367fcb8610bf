"""The model and its rivals: weights, strengths, scores."""

from __future__ import annotations

import streamlit as st

from lab import exports, ui
from lab.charts import classify as charts
from lab.classify import compare, findings, results, words
from lab.ui.classify.controls import METHOD_KEYS, METRIC_KEYS, PROTOCOL_KEYS, STRENGTHS, TUNING_KEYS
from lab.ui.classify.runs import COMPARISON, start_comparison


def draw_fit(view, prepared, spec, run_key, outcomes, found, running) -> None:
    left, right = ui.figure_and_controls()
    with right:
        draw_fit_controls(view, spec)
        if found is not None:
            final, _ = results.own_outcomes(outcomes)
            ui.certificate(final.gap)
            st.caption(f"{findings.strengths_in_words(final.strengths)} on all rows.")
    with left:
        if found is not None:
            figure = bars_figure(found, ui.mode())
            title = findings.bars_title(found, found.order(charts.MOST_BARS).size)
            ui.chart(figure, key="weights", alt=f"Weights of the features. {title}.")
        elif not running:
            st.markdown(
                "This table is too large to fit while you wait."
                if spec.tuning == "hand"
                else "Strengths by cross-validation take a while."
            )
        draw_strength(view, spec)
        if found is not None:
            st.caption(
                "Blue speaks for "
                + (
                    words.in_markdown(prepared.classes[1])
                    if len(prepared.classes) == 2
                    else "a class, of several the one with the largest weight"
                )
                + ", orange against; pale bars were left out by some fold."
            )
    st.subheader("Against the usual choices", anchor=False)
    view.segments(
        "metric",
        "Score",
        tuple(METRIC_KEYS),
        help="F1 and AUC are those of the second class, or the mean over classes.",
    )
    metric = METRIC_KEYS[view["metric"]]
    if running:
        draw_progress(metric)
        return
    buttons = st.container(horizontal=True)
    keys = compare.compared_keys(spec)
    known = COMPARISON.results.get(run_key) if found is None else outcomes
    buttons.button(
        "Run the comparison",
        key="csv_run",
        type="primary",
        on_click=start_comparison,
        args=(run_key, prepared, spec, keys, known),
        help="SVM, S-SVM, Kong's selection, ℓ1 logistic and the majority, in the same folds.",
    )
    if found is None:
        buttons.button(
            "Fit only",
            key="csv_fit",
            on_click=start_comparison,
            args=(run_key, prepared, spec, keys[:1], known),
            help="Our model alone, on all rows and in every fold.",
        )
    if COMPARISON.failure:
        ui.problem(words.in_markdown(COMPARISON.failure, 400))
    rows, note = standings_to_show(run_key, spec, outcomes)
    if note:
        st.caption(note)
    draw_standings(rows, metric, key="standings")
    if len(rows) > 1:
        if spec.tuning == "hand":
            st.caption(
                f"{rows[0].label} has the strengths set above; the others chose theirs in each "
                "fold, which favours them."
            )
        table = findings.standings_table(rows)
        st.dataframe(table, hide_index=True, alt="Scores of all classifiers with intervals")
        st.download_button(
            "Scores (CSV)",
            lambda: exports.csv_bytes(table),
            file_name="scores.csv",
            mime="text/csv",
            on_click="ignore",
            key="csv_scores",
        )
        missed = findings.missed_sentence(outcomes or ())
        if missed:
            st.caption(missed)


def draw_fit_controls(view, spec) -> None:
    view.segments(
        "method",
        "Model",
        tuple(METHOD_KEYS),
        help="E-SVM for classes; exclusive logistic where probabilities are wanted.",
    )
    view.segments(
        "tuning",
        "Strengths",
        tuple(TUNING_KEYS),
        help="By the sliders, or chosen on the training rows of each fold.",
    )
    if spec.tuning == "hand" and spec.method == "esvm":
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
        view.number(
            "seed", "Seed", 0, 9999, help="Decides the folds and the random groups.", step=1
        )
        view.toggle(
            "standardise", "Standardise", help="Zero mean and unit variance on the training rows."
        )


def draw_strength(view, spec) -> None:
    if spec.tuning == "cv":
        return
    if spec.method == "logistic":
        view.scale(
            "lam",
            "Strength λ of the exclusive norm: further right, fewer features",
            STRENGTHS,
            help="The weight of ½‖w‖_e² against the logistic loss.",
        )
    else:
        view.scale(
            "beta",
            "Strength β of the exclusive norm: further right, fewer features",
            STRENGTHS,
            help="The weight of ½‖w‖_e² against the hinge loss.",
        )


def bars_figure(found, mode: str):
    order = found.order(charts.MOST_BARS)
    return charts.weight_bars(
        [words.in_figure(found.names[j]) for j in order],
        found.weight[order],
        [words.in_figure(found.group_names[found.group[j]], 18) for j in order],
        found.frequency[order],
        title=findings.bars_title(found, order.size),
        mode=mode,
    )


def draw_progress(metric: str) -> None:
    """The comparison under way, and the scores of the folds that are done."""

    def so_far(run_key, snapshot):
        rows = compare.standings([value for _, value in snapshot.results], run_key[1])
        draw_standings(rows, metric, key="standings_so_far")

    COMPARISON.draw_progress(so_far)


def draw_standings(rows, metric: str, *, key: str) -> None:
    rows = [row for row in rows if row.scores[metric].n_folds]
    if not rows:
        return
    title = findings.standings_title(rows, metric)
    ui.chart(standings_figure(rows, metric, ui.mode()), key=key, alt=f"Scores. {title}.")


def standings_figure(rows, metric: str, mode: str):
    ours = ("esvm", "esvm_r", "logistic")
    scores = [row.scores[metric] for row in rows]
    return charts.score_intervals(
        [row.label for row in rows],
        [each.mean for each in scores],
        [each.low for each in scores],
        [each.high for each in scores],
        [
            "ours" if row.key in ours else "baseline" if row.key == "majority" else "rival"
            for row in rows
        ],
        metric=compare.METRICS[metric],
        title=findings.standings_title(rows, metric),
        mode=mode,
        height=120 + 32 * len(rows),
    )


def standings_to_show(run_key, spec, outcomes):
    """The rows of this comparison, of what a cancelled one had, or of an older one; and a word."""
    runs = COMPARISON.results
    rows = compare.standings(outcomes or runs.get(run_key, ()), spec)
    if len(rows) > 1:
        return rows, ""
    partial = compare.standings(runs.get(run_key, ()), spec)
    if partial:
        return partial, "Ended early: the folds that were done."
    for (digest, old_spec), old in reversed(runs.items()):
        old_rows = compare.standings(old, old_spec)
        if digest == run_key[0] and len(old_rows) > 1:
            return old_rows, "Settings changed since this comparison: run it again."
    return rows, ""
