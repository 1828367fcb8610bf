"""What the model gets wrong, which features it uses, and how sure it is of each row."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lab import ui
from lab.charts import classify as charts
from lab.classify import compare, findings, results, words
from lab.ui.classify.controls import CURVES, SHOWN_ROWS, STRENGTHS


@st.cache_data(scope="session", max_entries=16, show_spinner=False)
def path_of(digest: str, options: str, spec: str, alpha: float, _prepared, _spec, _grouped):
    strengths = [float(text) for text in STRENGTHS]
    return results.strength_path(_prepared, _spec, _grouped, strengths, alpha=alpha)


def draw_see(view, table_key, prepared, spec, grouped, outcomes, found) -> None:
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
                [words.in_figure(name, 18) for name in found.group_names],
                [words.in_figure(name) for name in found.names],
                title=title,
                mode=ui.mode(),
            ),
            key="stability",
            alt=f"A tile per feature, a row per group. {title}.",
        )
    with right:
        if compare.is_quick(prepared, replace(spec, tuning="hand")):
            draw_path(table_key, prepared, spec, grouped, outcomes)
        else:
            st.caption("The path over the strength is drawn for smaller tables only.")
    st.subheader("Rows", anchor=False)
    view.toggle("wrong", "Only misclassified rows", help="Otherwise all held-out rows.")
    rows = results.row_table(prepared, held, wrong_only=view["wrong"], most=SHOWN_ROWS)
    st.markdown(
        f"{words.counted(held.n_wrong, 'held-out prediction')} of {held.row.size:,} on the wrong "
        "side; the margin is how far a row is on the right one, the least safe first."
    )
    st.dataframe(rows, height=260, hide_index=True, alt="Held-out rows with margins")


def draw_path(table_key, prepared, spec, grouped, outcomes) -> None:
    final, _ = results.own_outcomes(outcomes)
    # The strength in use is a place on the path, so the path does not depend on it.
    same = replace(spec, tuning="hand", alpha=1.0, beta=1.0, lam=1.0)
    alpha = final.strengths.get("alpha", 1.0)
    path = path_of(*table_key, same.digest, alpha, prepared, spec, grouped)
    selected = [compare.selected_features(row[None, :]) for row in path.coefs]
    title = findings.path_title(path, selected)
    ui.chart(
        charts.strength_lines(
            path.strengths,
            path.coefs,
            [words.in_figure(name) for name in prepared.feature_names],
            symbol=path.symbol,
            current=final.strengths["lam" if spec.method == "logistic" else "beta"],
            title=title,
            mode=ui.mode(),
        ),
        key="path",
        alt=f"Weights over the strength. {title}.",
    )
    ui.certificate(float(path.gaps.max()), what="path")
