"""The frame, controls and exports that the views of all rooms share."""

from lab.ui.export import Export, ExportRow, export_row
from lab.ui.frame import (
    HOME,
    PAGES,
    PRODUCT,
    ROOT,
    Page,
    bring_into_view,
    certificate,
    chart,
    entered,
    existing_pages,
    figure_and_controls,
    kept,
    mode,
    page,
    problem,
)
from lab.ui.view import View

__all__ = [
    "HOME",
    "PAGES",
    "PRODUCT",
    "ROOT",
    "Export",
    "ExportRow",
    "Page",
    "View",
    "bring_into_view",
    "certificate",
    "chart",
    "entered",
    "existing_pages",
    "export_row",
    "figure_and_controls",
    "kept",
    "mode",
    "page",
    "problem",
]
