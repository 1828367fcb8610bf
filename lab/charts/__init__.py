"""Charts: columns in, a plotly Figure out. A title states the finding; the caller computes it."""

from lab.charts.frame import CHART_HEIGHT, drawn_once, framed, has_own_styles
from lab.charts.grids import weight_grid

__all__ = ["CHART_HEIGHT", "drawn_once", "framed", "has_own_styles", "weight_grid"]
