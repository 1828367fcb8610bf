"""The figures of random grouping: live ones, and a still one of each value."""

from lab.balance.charts.curves import live_bounds, live_curve, still_bounds, still_curve
from lab.balance.charts.draws import live_draws, still_draws
from lab.balance.charts.over_n import live_sizes, still_sizes
from lab.balance.charts.phase import live_phase, phase_diagram

__all__ = [
    "live_bounds",
    "live_curve",
    "live_draws",
    "live_phase",
    "live_sizes",
    "phase_diagram",
    "still_bounds",
    "still_curve",
    "still_draws",
    "still_sizes",
]
