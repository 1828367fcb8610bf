"""Charts: columns in, a plotly Figure out. A title states the finding; the caller computes it."""

from lab.charts.frame import CHART_HEIGHT, framed
from lab.charts.grids import weight_grid

__all__ = ["CHART_HEIGHT", "framed", "weight_grid"]
