"""What the model gets wrong, which features it uses, and how sure it is of each row."""

from __future__ import annotations

import streamlit as st

from lab import ui
from lab.charts import classify as charts
from lab.classify import findings, results, words
from lab.ui.classify.controls import CURVES, SHOWN_ROWS, STRENGTHS
from lab.ui.classify.runs import PATH
from lab.ui.uploads import Choices

BETAS = tuple(float(text) for text in STRENGTHS)


@st.cache_data(scope="session", max_entries=16, show_spinner=False)
def path_of(digest, options, grouping, method, alpha, place, _prepared, _spec, _grouped):
    return results.strength_path(_prepared, _spec, _grouped, BETAS, alpha, place)


def draw_see(view, table_key, choices, prepared, spec, grouped, outcomes, found) -> None:
    held = results.held_out(prepared, outcomes)
    names = [words.in_figure(name, 16) for name in prepared.classes]
    left, right = st.columns(2, gap="medium")
    with left:
        title = findings.confusion_title(held)
        counts = results.confusion(held, len(prepared.classes))
        ui.chart(
            charts.confusion_matrix(counts, names, title=title, mode=ui.mode()),
            key="confusion",
            alt=f"Confusion matrix. {title}.",
        )
    with right:
        kind = view.segments(
            "curve", "Curve", CURVES, help="Over all folds together, one class against the rest."
        )
        if kind == "ROC":
            curves = results.roc_curves(held, prepared.classes)
            title = findings.curve_title(curves, "ROC", "area")
            axes = dict(x_title="false positive rate", y_title="true positive rate", diagonal=True)
        else:
            curves = results.precision_recall_curves(held, prepared.classes)
            title = findings.curve_title(curves, "Precision–recall", "average precision")
            axes = dict(x_title="recall", y_title="precision", diagonal=False)
        ui.chart(
            charts.curves(
                [curve.x for curve in curves],
                [curve.y for curve in curves],
                [words.in_figure(curve.class_name, 16) for curve in curves],
                findings.worst(curves),
                title=title,
                mode=ui.mode(),
                **axes,
            ),
            key="curve",
            alt=f"{title}.",
        )
    st.subheader("Features", anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        title = findings.stability_title(found)
        ui.chart(
            charts.stability_grid(
                found.frequency,
                found.group,
                [words.in_figure(name, 18) for name in found.group_names[: charts.MOST_GRID_ROWS]],
                lambda j: words.in_figure(found.names[j]),
                title=title,
                mode=ui.mode(),
            ),
            key="stability",
            alt=f"A tile per feature, a row per group. {title}.",
        )
    with right:
        draw_path(table_key, choices, prepared, spec, grouped, outcomes)
    st.subheader("Rows", anchor=False)
    view.toggle("wrong", "Only misclassified rows", help="Otherwise all held-out rows.")
    rows = results.row_table(prepared, held, wrong_only=view["wrong"], most=SHOWN_ROWS)
    st.markdown(
        f"{words.counted(held.n_wrong, 'held-out prediction')} of {held.row.size:,} on the wrong "
        "side; the margin is how far a row is on the right one, the least safe first."
    )
    st.dataframe(rows, height=260, hide_index=True, alt="Held-out rows with margins")


def draw_path(table_key, choices: Choices, prepared, spec, grouped, outcomes) -> None:
    """Weights over the strength: at once for a small table, by a job for a large one."""
    final, _ = results.own_outcomes(outcomes)
    place = path_class(choices, prepared, spec)
    # The strength in use is a place on the path, so the path does not depend on it.
    alpha = final.strengths.get("alpha", 1.0)
    key = (*table_key, spec.grouping_digest, spec.method, alpha, place)
    if results.path_is_quick(prepared):
        path = path_of(*key, prepared, spec, grouped)
    else:
        path = path_of_job(key, results.path_tasks(prepared, spec, grouped, BETAS, alpha, place))
    if path is None:
        return
    title = findings.path_title(path, len(prepared.classes))
    ui.chart(
        charts.strength_lines(
            path.strengths,
            path.coefs,
            lambda j: words.in_figure(prepared.feature_names[j]),
            symbol=path.symbol,
            current=final.strengths["lam" if spec.method == "logistic" else "beta"],
            title=title,
            mode=ui.mode(),
        ),
        key="path",
        alt=f"Weights over the strength. {title}.",
    )
    ui.certificate(float(path.gaps.max()), what="path")


def path_class(choices: Choices, prepared, spec) -> int:
    """The place of the class whose problem the path is of; two classes have one problem."""
    if len(prepared.classes) == 2:
        return 1
    names = [str(name) for name in prepared.classes]
    chosen = choices.draw(
        st.selectbox,
        f"path_class {spec.label}",
        "Path of the class",
        names,
        default=names[0],
        help="Each class is told from the rest by weights of its own.",
    )
    return names.index(chosen)


def path_of_job(key, tasks) -> results.StrengthPath | None:
    """The path as a job found it; None while there is none, with a way to start or stop it."""
    parts = PATH.results.get(key, ())
    if len(parts) == len(tasks):
        return results.joined_path(parts)
    if PATH.is_running():
        PATH.draw_progress()
        return None
    if PATH.failure:
        ui.problem(words.in_markdown(PATH.failure, 400))
    st.button(
        "Draw the path",
        key="csv_path",
        on_click=PATH.start,
        args=(
            key,
            "Path of a table's weights",
            results.strength_path,
            tasks,
            results.parts_done(tasks, parts),
        ),
        help="The weights at every strength of the slider; it takes a while on so large a table.",
    )
    return None
