"""The pictures of a race: the one that is replayed, and its still."""

from lab.races.charts.moving import DASHES, FRAMES, LAST, replayed
from lab.races.charts.still import race_lines

__all__ = ["DASHES", "FRAMES", "LAST", "race_lines", "replayed"]
