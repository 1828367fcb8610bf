"""What draws: colours, the frame of a chart, grids, and the live figure.

Columns in, a figure out. A title states the finding; the caller computes it.
"""

from lab.drawing.enlarged import enlarged
from lab.drawing.frame import CHART_HEIGHT, Figure, drawn_once, framed, has_own_styles
from lab.drawing.grids import side_by_side

__all__ = [
    "CHART_HEIGHT",
    "Figure",
    "drawn_once",
    "enlarged",
    "framed",
    "has_own_styles",
    "side_by_side",
]
