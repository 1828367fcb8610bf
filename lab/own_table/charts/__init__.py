"""Charts of an analysed table. Names come from files: they arrive escaped (`words.in_figure`)."""

from lab.own_table.charts.features import (
    MOST_BARS,
    MOST_GRID_ROWS,
    group_sizes,
    stability_grid,
    weight_bars,
)
from lab.own_table.charts.numbers import predicted_and_true, residuals
from lab.own_table.charts.scores import confusion_matrix, curves, score_intervals
from lab.own_table.charts.strengths import live_strengths, still_strengths

__all__ = [
    "MOST_BARS",
    "MOST_GRID_ROWS",
    "confusion_matrix",
    "curves",
    "group_sizes",
    "live_strengths",
    "predicted_and_true",
    "residuals",
    "score_intervals",
    "stability_grid",
    "still_strengths",
    "weight_bars",
]
