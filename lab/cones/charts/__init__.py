"""Pictures of a cone, a point, its projection, and what is left over."""

from lab.cones.charts import live
from lab.cones.charts.bars import entries, two_proxes
from lab.cones.charts.descent import steps
from lab.cones.charts.group import group
from lab.cones.charts.moreau import moreau
from lab.cones.charts.plane import plane
from lab.cones.charts.space import space

__all__ = ["entries", "group", "live", "moreau", "plane", "space", "steps", "two_proxes"]
