"""The figures of the page: verdicts and their evidence, measured results, errata."""

from lab.paper.charts.errata import erratum_lines, text_table
from lab.paper.charts.live import live_bounds
from lab.paper.charts.results import (
    Dots,
    Line,
    Points,
    accuracy_lines,
    bound_lines,
    classifier_style,
    lane_style,
    race_lines,
    table_dots,
)
from lab.paper.charts.verdicts import Tile, evidence_dots, verdict_tiles

__all__ = [
    "Dots",
    "Line",
    "Points",
    "Tile",
    "accuracy_lines",
    "bound_lines",
    "classifier_style",
    "erratum_lines",
    "evidence_dots",
    "lane_style",
    "live_bounds",
    "race_lines",
    "table_dots",
    "text_table",
    "verdict_tiles",
]
