"""An analysis leaves and comes back as one file, and is reported as one page."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from lab import ui, words
from lab.own_table import analysis_file, findings, pipeline, reader, report, results
from lab.own_table import charts as drawn
from lab.own_table.case import Case
from lab.own_table.view import desk, fit
from lab.own_table.view.addressed import SHORT
from lab.own_table.view.controls import GROUP_SLOT, OWN_FILE, WEIGHT_SLOT
from lab.ui.uploads import Upload, held_upload, hold

_PROBLEM = "_csv_restore_problem"
_WANTED = "_csv_restore_wanted"
NOT_SAVED = ("tab", "keep", "choices")  # choices are there by name, for the file is there too


def analysis_of(view, case: Case, *, with_data: bool) -> analysis_file.Analysis:
    """All that is known about the table of the case, under every setting that was tried."""
    file = None if case.sample else held_upload("csv")
    # Only what was chosen about this table: the names in others are nobody's who gets the file.
    of = f"csv_{(case.sample.key if case.sample else case.table.digest)[:12]}_"
    left = st.session_state.get("_choices:csv_", {})
    left = {name: value for name, value in left.items() if name.startswith(of)}
    beside = [(slot, held_upload(slot)) for slot in (GROUP_SLOT, WEIGHT_SLOT)]
    return analysis_file.Analysis(
        case.name,
        case.table.digest,
        case.table_key,
        {name: value for name, value in view.values().items() if name not in NOT_SAVED},
        {name: list(v) if isinstance(v, tuple) else v for name, v in left.items()},
        desk.mine().ledger.of_table(case.table_key),
        data=file.data if file is not None and with_data else None,
        files={slot: (each.name, each.data) for slot, each in beside if each is not None},
    )


def draw_restore(view) -> None:
    with st.expander("Restore an analysis"):
        st.file_uploader(
            "An analysis saved by this page",
            type=["json"],
            key="csv_restore_uploader",
            on_change=restore,
            args=(view,),
            help="Controls, choices and results come back, and the table if it was saved too.",
        )
        problem = st.session_state.get(_PROBLEM)
        if problem:
            ui.problem(words.in_markdown(problem, 400))
    draw_wanted()


def draw_wanted() -> None:
    """Which table a restored analysis is of, as long as that table is not here."""
    name, digest = st.session_state.get(_WANTED, ("", ""))
    here = held_upload("csv")
    if not digest or (here is not None and here.digest == digest):
        st.session_state.pop(_WANTED, None)
        return
    wanted = f"**{words.in_markdown(name)}** (its SHA-256 begins with {digest[:SHORT]})"
    if here is None:
        st.markdown(
            f"The analysis is of {wanted}, and was saved without it: upload that file above, and "
            "its results come back."
        )
        return
    st.warning(
        f"The analysis that was restored is of {wanted}, and **{words.in_markdown(here.name)}** is "
        "in force: what stands here is of that one. Upload the other above, and its results come "
        "back."
    )


def restore(view) -> None:
    """Put everything of a file back where it was; a callback."""
    st.session_state.pop(_PROBLEM, None)
    file = st.session_state.get("csv_restore_uploader")
    if file is None:
        return
    try:
        found = analysis_file.from_bytes(file.getvalue())
    except analysis_file.AnalysisError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    if found.data is not None:
        hold("csv", Upload(found.name, found.data, found.digest))
        st.session_state["_csv_landed"] = found.digest
    if found.controls.get("data") == OWN_FILE:
        st.session_state[_WANTED] = (found.name, found.digest)
    for slot, (name, data) in found.files.items():
        if slot in (GROUP_SLOT, WEIGHT_SLOT):
            hold(slot, Upload(name, data, hashlib.sha256(data).hexdigest()))
    left = st.session_state.setdefault("_choices:csv_", {})
    for name, value in found.choices.items():
        left[name] = list(value) if isinstance(value, tuple) else value
        st.session_state.pop(name, None)
    saved = set(view.defaults) - set(NOT_SAVED)
    known = {name: value for name, value in found.controls.items() if name in saved}
    view.set({name: value for name, value in known.items() if _fits(view, name, value)})
    for task, value in found.results:
        desk.mine().ledger.put(found.table_key, task, value)


def _fits(view, name: str, value) -> bool:
    return type(value) is type(view.defaults[name])


def model_with_reader(model_json: str) -> bytes:
    """The model and thirty lines of plain Python that read it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", model_json)
        archive.writestr("model_reader.py", Path(reader.__file__).read_text(encoding="utf-8"))
    return out.getvalue()


def report_of(case: Case, doubts) -> str:
    found = case.found
    figures = [
        (
            findings.bars_title(found, found.order(drawn.MOST_BARS).size),
            fit.bars_figure(case, "light"),
        ),
        (
            findings.standings_title(case, case.metric),
            fit.standings_figure(case, case.metric, "light"),
        ),
    ]
    if case.is_classes:
        counts = results.confusion(case.held, len(case.prepared.classes))
        names = [words.in_figure(name, 16) for name in case.prepared.classes]
        title = findings.confusion_title(case.held)
        figures.append((title, drawn.confusion_matrix(counts, names, title=title, mode="light")))
    else:
        held, title = case.held, findings.residuals_title(case.held)
        name = words.in_figure(case.spec.label)
        figures.append(
            (
                title,
                drawn.predicted_and_true(
                    held.predicted, held.true, name=name, title=title, mode="light"
                ),
            )
        )
    return report.html_report(case, doubts, figures, datetime.now(UTC).date())


def draw_downloads(view, case: Case, model, doubts) -> None:
    """One file each for the model with its reader, the report, and the analysis."""
    # Whoever makes the file later has no session to ask. A sample is here anyway.
    with_data = case.sample is None and bool(st.session_state.get("csv_with_data"))
    kept = analysis_of(view, case, with_data=with_data)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.download_button(
            "Model and reader (ZIP)",
            lambda: model_with_reader(model.to_json()),
            file_name="model.zip",
            mime="application/zip",
            on_click="ignore",
            key="csv_model_zip",
            help="The model with a short reader in plain Python that needs no library.",
        )
        st.download_button(
            "Report (HTML)",
            lambda: report_of(case, doubts),
            file_name="report.html",
            mime="text/html",
            on_click="ignore",
            key="csv_report",
            help="Health, settings, figures, scores, certificate and versions in one file.",
        )
        for label, make, ending, help in (
            ("Pipeline (skops)", pipeline.as_skops, "skops", "scikit-learn's own, no pickle."),
            ("Pipeline (ONNX)", pipeline.as_onnx, "onnx", "For any runtime; single precision."),
        ):
            if pipeline.available(ending):
                st.download_button(
                    label,
                    lambda make=make: make(case),
                    file_name=f"model.{ending}",
                    mime="application/octet-stream",
                    on_click="ignore",
                    key=f"csv_{ending}",
                    help=help,
                )
        st.download_button(
            "Analysis with the table (JSON)" if with_data else "Analysis (JSON)",
            lambda: analysis_file.to_bytes(replace(kept, model=model.to_json())),
            file_name="analysis.json",
            mime="application/json",
            on_click="ignore",
            key="csv_analysis",
            help="Settings, choices, results and model; restore it under Your file.",
        )
        if case.sample is None:
            help = "The data go into the analysis too."
            st.toggle("With the table", key="csv_with_data", help=help)
    if pipeline.available("skops") or pipeline.available("onnx"):
        st.caption(pipeline.takes(case))
