"""Where the model errs, what it decides at which price, and which features speak for a row."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lab import ui, words
from lab.own_table import charts, decisions, findings, results
from lab.own_table.case import Case
from lab.own_table.encoding import learnt
from lab.own_table.headline import class_called
from lab.own_table.view import desk
from lab.own_table.view.controls import CURVES, PRICES, SHOWN_ROWS, STRENGTHS
from lab.own_table.view.runs import PATH
from lab.ui.uploads import Choices

BETAS = tuple(float(text) for text in STRENGTHS)
MOST_REASONS = 12


@st.cache_data(scope="session", max_entries=16, show_spinner=False)
def path_of(digest, options, grouping, method, alpha, place, _prepared, _spec, _grouped):
    return results.strength_path(_prepared, _spec, _grouped, BETAS, alpha, place)


def draw_see(view, choices: Choices, case: Case) -> None:
    if case.is_classes:
        draw_classes(view, case)
    else:
        draw_residuals(case)
    st.subheader("Features", anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        title, figure = case.once(("stability", ui.mode()), lambda: stability_figure(case))
        ui.chart(figure, key="stability", alt=f"A tile per feature, a row per group. {title}.")
    with right:
        draw_path(view, choices, case)
    if len(case.prepared.classes) > 2:
        draw_class_weights(case)
    draw_rows(view, case)


def stability_figure(case: Case):
    """Its title and the figure, as from all functions here that draw one."""
    title = findings.stability_title(case.found)
    return title, charts.stability_grid(
        case.found.frequency,
        case.found.members,
        [words.in_figure(name, 18) for name in case.grouped.names],
        lambda j: words.in_figure(case.found.names[j]),
        title=title,
        mode=ui.mode(),
    )


def draw_classes(view, case: Case) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        if len(case.prepared.classes) == 2:
            draw_decision(view, case)
        else:
            title, figure = case.once(("confusion", ui.mode()), lambda: confusion_figure(case))
            ui.chart(figure, key="confusion", alt=f"Confusion matrix. {title}.")
    with right:
        draw_curve(view, case)


def class_names(case: Case) -> list[str]:
    return [words.in_figure(name, 16) for name in case.prepared.classes]


def confusion_figure(case: Case):
    title = findings.confusion_title(case.held)
    counts = results.confusion(case.held, len(case.prepared.classes))
    return title, charts.confusion_matrix(counts, class_names(case), title=title, mode=ui.mode())


def draw_decision(view, case: Case) -> None:
    """The confusion matrix at a threshold on the calibrated chance, and what it costs."""
    calibration = case.calibration
    chances = calibration.chances(case.held.decision)
    positive = case.held.true == 1
    price = float(view["price"])
    if view["threshold"]:
        here = decisions.at_threshold(chances, positive, view["threshold"] / 100.0, price)
    else:
        here = decisions.at_own_line(case.held.decision, positive, calibration, price)
    names, positive_class = class_names(case), class_called(case.prepared.classes[1])
    title = findings.decision_title(here, positive_class)
    figure = case.once(
        ("confusion", ui.mode(), title, here.counts.tobytes()),
        lambda: charts.confusion_matrix(here.counts, names, title=title, mode=ui.mode()),
    )
    ui.chart(figure, key="confusion", alt=f"Confusion matrix. {title}.")
    view.slider(
        "threshold",
        f"Call it {words.in_markdown(positive_class, 20)} from a chance of (%); 0: its own line",
        0,
        99,
        help="Chances are Platt's, learnt from held-out scores. The model's own line is where its "
        "score is 0, as everywhere else on this page.",
    )
    view.scale(
        "price",
        "A missed one costs as many false alarms as",
        PRICES,
        help="The cheapest line, if the chances hold, is at 1/(1 + price).",
    )
    best = None
    if not calibration.flat:
        best = decisions.at_threshold(chances, positive, decisions.cheapest(price), price)
    st.caption(findings.cost_sentence(here, best, positive_class))


def draw_curve(view, case: Case) -> None:
    kinds = CURVES if len(case.prepared.classes) == 2 else CURVES[:2]
    if view["curve"] not in kinds:
        view.set({"curve": view.defaults["curve"]})
    kind = view.segments(
        "curve", "Curve", kinds, help="Over all folds together, one class against the rest."
    )
    make = calibration_figure if kind == "Calibration" else curve_figure
    title, figure = case.once(("curve", kind, ui.mode()), lambda: make(case, kind))
    ui.chart(figure, key="curve", alt=f"{title}.")


def calibration_figure(case: Case, kind: str):
    chances = case.calibration.chances(case.held.decision)
    said, came, counts = decisions.reliability(chances, case.held.true == 1)
    title = findings.calibration_title(said, came, counts)
    return title, charts.curves(
        *([said], [came], [words.in_figure(case.prepared.classes[1], 16)], 0),
        title=title,
        mode=ui.mode(),
        x_title="chance",
        y_title="share",
        diagonal=True,
        steps=False,
    )


def curve_figure(case: Case, kind: str):
    held, classes = case.held, case.prepared.classes
    if kind == "ROC":
        curves = results.roc_curves(held, classes)
        title = findings.curve_title(curves, "ROC", "area")
        axes = dict(x_title="false positive rate", y_title="true positive rate", diagonal=True)
    else:
        curves = results.precision_recall_curves(held, classes)
        title = findings.curve_title(curves, "Precision–recall", "average precision")
        axes = dict(x_title="recall", y_title="precision", diagonal=False)
    return title, charts.curves(
        [curve.x for curve in curves],
        [curve.y for curve in curves],
        [words.in_figure(curve.class_name, 16) for curve in curves],
        findings.worst(curves),
        title=title,
        mode=ui.mode(),
        **axes,
    )


def draw_residuals(case: Case) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        title, figure = case.once(("predicted", ui.mode()), lambda: predicted_figure(case))
        ui.chart(figure, key="predicted", alt=f"Predicted against true values. {title}.")
    with right:
        title, figure = case.once(("residuals", ui.mode()), lambda: residuals_figure(case))
        ui.chart(figure, key="residuals", alt=f"Residuals against predictions. {title}.")


def predicted_figure(case: Case):
    title = findings.residuals_title(case.held)
    return title, charts.predicted_and_true(
        case.held.predicted,
        case.held.true,
        name=words.in_figure(case.spec.label),
        title=title,
        mode=ui.mode(),
    )


def residuals_figure(case: Case):
    held = case.held
    title = findings.spread_title(held)
    residuals = charts.residuals(held.predicted, held.true - held.predicted, title, ui.mode())
    return title, residuals


def draw_class_weights(case: Case) -> None:
    """One column per class: each is told from the rest by weights of its own."""
    table = case.found.table()
    columns = [name for name in table if name.startswith("weight for ")]
    st.markdown("**Weights by class**")
    st.dataframe(
        {name: table[name][:SHOWN_ROWS] for name in ("feature", "group", *columns)},
        hide_index=True,
        height=260,
        alt="Weights of the features for each class against the rest",
    )


def draw_rows(view, case: Case) -> None:
    st.subheader("Rows", anchor=False)
    held = case.held
    if case.is_classes:
        view.toggle("wrong", "Only misclassified rows", help="Otherwise all held-out rows.")
        verb = "is" if held.n_wrong == 1 else "are"
        # The threshold above moves the matrix, not this list.
        line = " of the model's own line" if len(case.prepared.classes) == 2 else ""
        st.markdown(
            f"{words.counted(held.n_wrong, 'held-out prediction')} of {held.row.size:,} {verb} on "
            f"the wrong side{line}; the margin is how far a row is on the right one, the least "
            "safe first."
        )
    wrong_only = bool(case.is_classes and view["wrong"])
    rows = case.once(
        ("rows", wrong_only),
        lambda: results.row_table(case.prepared, held, wrong_only=wrong_only, most=SHOWN_ROWS),
    )
    st.dataframe(rows, height=260, hide_index=True, alt="Held-out rows with margins")
    draw_reasons(view, case)


def draw_reasons(view, case: Case) -> None:
    """What each feature and group adds to one row's score; exact, for the model is linear."""
    place = {int(row) + 1: k for k, row in enumerate(case.prepared.rows)}
    view.number(
        "row",
        "Why this row",
        1,
        99_999,
        step=1,
        help="The row of the table, counted from 1, as in the list above.",
    )
    at = place.get(int(view["row"]))
    if at is None:
        st.caption("The table has no such row with a label.")
        return
    problem = findings.problem_of(case, at)
    reasons = case.once(("reasons", at), lambda: reasons_for(case, at, problem))
    st.markdown(findings.reasons_sentence(case, at, problem, reasons))
    left, right = st.columns(2, gap="medium")
    for column, kind, values, names in (
        (left, "feature", reasons.by_feature, case.found.names),
        (right, "group", reasons.by_group, case.grouped.names),
    ):
        order = results.largest(values, MOST_REASONS)
        column.dataframe(
            {
                kind: [words.short(names[j], 60) for j in order],
                "adds to the score": [float(values[j]) for j in order],
            },
            hide_index=True,
            alt=f"What each {kind} adds to the score of the row",
        )


def reasons_for(case: Case, at: int, problem: int) -> decisions.Contributions:
    coef, intercept = case.final.coef[problem], float(case.final.intercept[problem])
    x = learnt(case.prepared)(case.prepared.X[at : at + 1])[0]
    return decisions.contributions(x, coef, intercept, case.grouped.groups)


def draw_path(view, choices: Choices, case: Case) -> None:
    """Weights over the strength: at once for a small table, by a job for a large one."""
    place = path_class(choices, case)
    # The strength in use is a place on the path, so the path does not depend on it.
    alpha = case.final.strengths.get("alpha", 1.0)
    spec = case.spec
    groups = f"{spec.grouping_digest}{spec.constraints_digest}"
    key = (*case.table_key, groups, spec.method, alpha, place)
    if results.path_is_quick(case.prepared):
        path = path_of(*key, case.prepared, spec, case.grouped)
    else:
        tasks = results.path_tasks(case.prepared, spec, case.grouped, BETAS, alpha, place)
        path = path_of_job(key, tasks)
    if path is None:
        return
    draw_live_path(view, case, place, path)
    ui.certificate(float(path.gaps.max()), what="path")


def draw_live_path(view, case: Case, place: int, path: results.StrengthPath) -> None:
    """The path with a marker to look along it; the model stays as it is."""
    rising = np.argsort(path.strengths)
    strengths, coefs = path.strengths[rising], path.coefs[rising]
    n_classes, names = len(case.prepared.classes), case.prepared.feature_names
    titles = findings.path_titles(path, n_classes)
    titles = [titles[k] for k in rising]
    in_use = case.final.strengths["beta" if path.symbol == "β" else "lam"]
    same = dict(symbol=path.symbol, in_use=in_use)

    def lively():
        alts = findings.path_alts(path, n_classes)
        return charts.live_strengths(
            strengths,
            coefs,
            lambda j: words.short(names[j], 28),
            texts=STRENGTHS,
            titles=titles,
            alts=[alts[k] for k in rising],
            **same,
        )

    def still(text: str):
        k = STRENGTHS.index(text)
        return charts.still_strengths(
            strengths,
            coefs,
            lambda j: words.in_figure(names[j]),
            at=strengths[k],
            title=words.in_figure(titles[k], 200),
            mode=ui.mode(),
            **same,
        )

    view.live(
        "path_at",
        case.once(("path", place), lively),
        still=still,
        help="Where to look; the model keeps the strength that is in use.",
    )


def path_class(choices: Choices, case: Case) -> int:
    """The place of the class whose problem the path is of; two classes have one problem."""
    if len(case.prepared.classes) <= 2:
        return 1
    names = [str(name) for name in case.prepared.classes]
    chosen = choices.draw(
        st.selectbox,
        f"path_class {case.spec.label}",
        "Path of the class",
        names,
        default=names[0],
        help="Each class is told from the rest by weights of its own.",
    )
    return names.index(chosen)


def path_of_job(key, tasks) -> results.StrengthPath | None:
    """The path as a job found it; None while there is none, with a way to start or stop it."""
    running = PATH.is_running()
    parts = desk.mine().paths.get(key, {})
    if len(parts) == len(tasks):
        return results.joined_path(parts.values())
    if running:
        PATH.draw_progress()
        return None
    if PATH.failure:
        ui.problem(words.in_markdown(PATH.failure, 400))
    st.button(
        "Draw the path",
        key="csv_path",
        on_click=PATH.start,
        args=(key, "Path of a table's weights", results.strength_path, tasks, dict(parts)),
        help="The weights at every strength of the slider; it takes a while on so large a table.",
    )
    return None
