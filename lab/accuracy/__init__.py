"""Accuracy sweeps: frozen specs, pure trials, results that survive a restart.

spec = Fig2dSpec(n_features=1008, ms=(48, 96), repeats=3)
results = {trial: run_trial(spec, trial) for trial in spec.trials()}
cells = summarise(spec, results)
"""

from importlib import import_module

from lab.accuracy.protocol import HOW_SETTLED, LABELS, TIES, TOLERANCE, Protocol
from lab.accuracy.quantities import QUANTITIES
from lab.accuracy.specs import (
    FIG2D_METHODS,
    FOLD_KINDS,
    GROUP_RULES,
    NOISES,
    REAL_METHODS,
    REAL_RULES,
    SCALINGS,
    Fig2dSpec,
    RealSpec,
    Spec,
    Trial,
    UploadSpec,
    WhenSpec,
    from_dict,
    started,
)
from lab.accuracy.summary import Cell, summarise
from lab.loading import one_at_a_time


def __getattr__(name):
    """Trials load scikit-learn, which takes a while; who only shows results does without."""
    if name != "run_trial":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with one_at_a_time:
        return import_module("lab.accuracy.trials").run_trial


__all__ = [
    "FIG2D_METHODS",
    "FOLD_KINDS",
    "GROUP_RULES",
    "HOW_SETTLED",
    "LABELS",
    "NOISES",
    "QUANTITIES",
    "REAL_METHODS",
    "REAL_RULES",
    "SCALINGS",
    "TIES",
    "TOLERANCE",
    "Cell",
    "Fig2dSpec",
    "Protocol",
    "RealSpec",
    "Spec",
    "Trial",
    "UploadSpec",
    "WhenSpec",
    "from_dict",
    "run_trial",
    "started",
    "summarise",
]
