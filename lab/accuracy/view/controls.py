"""The controls of the open tab, and the visitor's own table."""

from collections.abc import Container, Mapping
from typing import Any

import streamlit as st

from lab import accuracy, tables, ui, words
from lab.accuracy import settings, uploads
from lab.accuracy.specs import REAL_RULES
from lab.ui.address import ANYTHING, AllOf, Between
from lab.ui.own_tables import FILE_TYPES, draw_label, read_upload
from lab.ui.uploads import Choices
from lab.ui.uploads import upload as upload_file

DRAWS = "Draws: new data each, the same for every method"
DRAWS_HELP = "More draws shrink the intervals and take longer."
FOLDS_HELP = "A class needs at least as many samples as folds."
QUANTITY_HELP = "All the others stay as they are."


def labels_of(methods) -> list[str]:
    return [accuracy.LABELS[key] for key in methods]


# What every control can be, so that a link is believed of the tabs that are closed too.
LIMITS: Mapping[str, Any] = {
    "show": settings.SHOWN,
    "keep": (False, True),
    "ms": ANYTHING,
    "repeats": Between(1, 30),
    "noise": accuracy.NOISES,
    "bayes": Between(1, 40),
    "methods": AllOf(tuple(labels_of(accuracy.FIG2D_METHODS))),
    "features": Between(20, 20_000),
    "quantity": settings.QUANTITY_TITLES,
    "values": ANYTHING,
    "draws": Between(1, 50),
    "wide": Between(20, 20_000),
    "samples": Between(8, 5000),
    "known": Between(2, 5000),
    "rule": accuracy.GROUP_RULES,
    "groups": Between(1, 5000),
    "inner": Between(2, 10),
    "weakest": settings.WEAKEST,
    "seed": Between(0, 10**6),
    "openml": ANYTHING,
    "folds": Between(2, 50),
    "kind": accuracy.FOLD_KINDS,
    "times": Between(1, 10),
    "scaling": accuracy.SCALINGS,
    "rivals": AllOf(tuple(labels_of(accuracy.REAL_METHODS))),
    "faintest": settings.WEAKEST,
    "ties": tuple(REAL_RULES),
}


def limits() -> dict[str, Container]:
    """Of all controls; what data there are is seen on the machine."""
    return {**LIMITS, "data": settings.data_choices()}


def ends(name: str) -> tuple[int, int]:
    return LIMITS[name].low, LIMITS[name].high


def draw_main(view) -> None:
    """The main control of the open tab, right under the figure."""
    if view["tab"] == settings.GENERATED:
        view.slider("repeats", DRAWS, *ends("repeats"), help=DRAWS_HELP)
    elif view["tab"] == settings.WHEN:
        view.segments("quantity", "Vary", settings.QUANTITY_TITLES, help=QUANTITY_HELP)
    else:
        view.slider("folds", "Folds", *ends("folds"), help=FOLDS_HELP)


def draw_shown(view) -> None:
    view.segments(
        "show",
        "Show",
        settings.SHOWN,
        help="The difference of E-SVM from the best of the other methods, or every method's own.",
    )


def draw_controls(view):
    """The other controls of the open tab; the visitor's table, if there is one."""
    upload = None
    if view["tab"] == settings.GENERATED:
        draw_generated(view)
    elif view["tab"] == settings.WHEN:
        draw_when(view)
    else:
        upload = draw_real(view)
    with st.expander("More settings"):
        draw_more(view)
    return upload


def draw_generated(view) -> None:
    view.text(
        "ms", "List of m", help="m is the number of samples, groups and true features at once."
    )
    draw_noise(view)
    view.slider(
        "bayes", "Bayes error, %", *ends("bayes"), help="How often the true classifier itself errs."
    )
    draw_methods(view)


def draw_when(view) -> None:
    view.slider("draws", DRAWS, *ends("draws"), help=DRAWS_HELP)
    view.text("values", "Values, if others than usual", help="In the unit of the axis.")
    view.number("samples", "Training samples", *ends("samples"), help="Half of them of each class.")
    draw_noise(view)
    draw_methods(view)


def draw_real(view):
    view.select("data", "Data set", settings.data_choices(), help="Two or more classes.")
    if view["data"] == settings.BY_NAME:
        view.text("openml", "Name on openml.org", help="Downloaded once; numeric columns only.")
    upload = draw_upload(view) if view["data"] == settings.OWN_FILE else None
    view.segments(
        "kind",
        "Folds train on",
        accuracy.FOLD_KINDS,
        help="Inverted: on one, tested on the rest.",
    )
    choices = labels_of(accuracy.REAL_METHODS)
    view.pills("rivals", "Methods", choices, help="E-SVM(R) is compared with the others.")
    return upload


def draw_noise(view) -> None:
    view.segments("noise", "Noise", accuracy.NOISES, help="Shared is what the paper prints.")


def draw_methods(view) -> None:
    choices = labels_of(accuracy.FIG2D_METHODS)
    view.pills("methods", "Methods", choices, help="E-SVM is compared with the best of the others.")


def draw_more(view) -> None:
    """What few visitors change."""
    real = view["tab"] == settings.REAL
    if real:
        view.segments(
            "scaling", "Scaling", accuracy.SCALINGS, help="Learnt on training samples only."
        )
        view.slider("times", "Repeats of the folds", *ends("times"), help="With other shuffles.")
    elif view["tab"] == settings.WHEN:
        view.number("wide", "Features n", *ends("wide"), help="Of all groups together.")
        view.number("known", "Groups", *ends("known"), help="Each with its true features.")
    else:
        view.number("features", "Features n", *ends("features"), help="The paper has 5040.")
    view.select(
        "rule",
        "Random groups of E-SVM(R)",
        accuracy.GROUP_RULES,
        help="The paper's m/log m, or the most that the exact law finds balanced.",
    )
    if view["rule"] == "fixed":
        view.number(
            "groups", "Number of random groups", *ends("groups"), help="The same for every m."
        )
    view.slider(
        "inner", "Inner folds", *ends("inner"), help="Cross-validation that chooses strengths."
    )
    if real:
        view.segments(
            "ties",
            "Ties between strengths go to the",
            tuple(REAL_RULES),
            help="Weakest: tried from a tenth of the scale down; strongest: from all of it.",
        )
    weakest = "faintest" if real else "weakest"
    view.scale(
        weakest, "Weakest strength", settings.WEAKEST, help="As a share of the strength's scale."
    )
    view.number("seed", "Seed", *ends("seed"), help="Of data, folds and random groups.")


def draw_upload(view):
    """The uploaded table as samples and classes, kept in this visit's memory only."""
    file = upload_file(
        "acc",
        "A table with a column of classes",
        types=FILE_TYPES,
        help="CSV, Excel, Parquet, LIBSVM, MATLAB 5, NumPy; up to 50 MB.",
    )
    if file is None:
        return None
    choices = Choices("acc_", file.digest)
    try:
        table = read_upload(file, choices.get("label", None))
        label = draw_label(choices, table)
        upload = prepared_upload(file.digest, file.name, label, view["folds"], table)
    except tables.TableError as error:
        ui.problem(words.in_markdown(error, 400))
        return None
    # Named, since the uploader itself is empty after a visit to another page.
    size = f"{words.in_markdown(file.name)}: {upload.X.shape[0]} × {upload.X.shape[1]}"
    st.caption("; ".join([size, *upload.notes]))
    return upload


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def prepared_upload(digest, name, label, folds, _table):
    return uploads.prepare(_table, label, folds)
