"""Races: several methods on one problem, each given its turn in solver time, and who may race.

A `RaceSpec` says what is raced; a `Race` of it is a suspended computation that advances when it is
told to, and a `RemoteRace` one that does so in a process of its own. A `Turnstile` lets one race of
a server advance at a time and keeps the others in a queue.
"""

from lab.races.controls import (
    CORRELATIONS,
    ELSEWHERE,
    LAMS,
    LANES,
    PAPER,
    PRESELECTED,
    PRESET_WORDS,
    QUICK,
    STRENGTHS,
    TOLERANCES,
    controls_for,
    controls_of,
    default_controls,
    presets,
    problem_called,
    source_called,
    spec_of,
)
from lab.races.crossings import NEVER, Crossing, certified_gaps, crossing, noted, true_errors
from lab.races.files import document, table
from lab.races.lanes import SLICE, Heat, Runner
from lab.races.lines import MEASURES, RATES, RateLine, Trace, curves, guides, values, why_not_log
from lab.races.outlook import seconds_left
from lab.races.race import Race, solver_clock
from lab.races.remote import RaceHost, RemoteRace, the_host
from lab.races.specs import (
    METHODS,
    MOST_BUDGET,
    MOST_FEATURES,
    MOST_NUMBERS,
    MOST_REPEATS,
    MOST_SAMPLES,
    PROBLEMS,
    SOURCES,
    RaceSpec,
    refusal,
    refused_by,
    refused_methods,
)
from lab.races.standings import LEVELS, Standing, podium
from lab.races.words import (
    answer,
    expectation,
    headline,
    origin,
    podium_table,
    progress_line,
    queue,
    title,
)
from lab.running.turnstile import Turnstile

__all__ = [
    "CORRELATIONS",
    "ELSEWHERE",
    "LAMS",
    "LANES",
    "LEVELS",
    "MEASURES",
    "METHODS",
    "MOST_BUDGET",
    "MOST_FEATURES",
    "MOST_NUMBERS",
    "MOST_REPEATS",
    "MOST_SAMPLES",
    "NEVER",
    "PAPER",
    "PRESELECTED",
    "PRESET_WORDS",
    "PROBLEMS",
    "QUICK",
    "RATES",
    "SLICE",
    "SOURCES",
    "STRENGTHS",
    "TOLERANCES",
    "Crossing",
    "Heat",
    "Race",
    "RaceHost",
    "RaceSpec",
    "RateLine",
    "RemoteRace",
    "Runner",
    "Standing",
    "Trace",
    "Turnstile",
    "answer",
    "certified_gaps",
    "controls_for",
    "controls_of",
    "crossing",
    "curves",
    "default_controls",
    "document",
    "expectation",
    "guides",
    "headline",
    "noted",
    "origin",
    "podium",
    "podium_table",
    "presets",
    "problem_called",
    "progress_line",
    "queue",
    "refusal",
    "refused_by",
    "refused_methods",
    "seconds_left",
    "solver_clock",
    "source_called",
    "spec_of",
    "table",
    "the_host",
    "title",
    "true_errors",
    "values",
    "why_not_log",
]
