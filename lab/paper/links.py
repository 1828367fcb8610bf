"""Where a result can be run again: a page and its controls, from the spec that was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from lab import races
from lab.accuracy import paper_runs, settings
from lab.balance import settings as balance
from lab.data.paper_numbers import TableRow
from lab.paper import bounds, measured
from lab.paper.checks import subgradient
from lab.paper.judges import real_data
from lab.paper.measured import Results
from lab.races.panels import PANELS


@dataclass(frozen=True)
class Link:
    """A page and the values of its controls. `label` says whether it is the measured thing itself.

    `note` is what of the measurement the page cannot show, "" if nothing.
    """

    page: str
    controls: Mapping[str, Any]
    label: str = "Run it again"
    note: str = ""


_PODIUM = (
    "The podium there has places by certificate and by true error; the claims go by the latter."
)
_WITHOUT_KONG = "Kong's n × n form runs in the benchmark only."

LinkMaker = Callable[[Results], Link | None]


def race(key: str, seed: int | None = None) -> LinkMaker:
    """The race of a panel: all its seeds, or one of them."""

    def link(results: Results) -> Link | None:
        panel = measured.panels(results.figure2).get(key)
        if panel is None:
            return None
        return Link(
            "solver_race",
            MappingProxyType(races.controls_of(race_spec(key, panel, seed))),
            note=_PODIUM if key.startswith("2c") else f"{_PODIUM} {_WITHOUT_KONG}",
        )

    return link


def race_spec(key: str, panel: dict, seed: int | None = None) -> races.RaceSpec:
    """The spec that was raced, with the seeds and the budget that the results say."""
    seeds = [run["seed"] for run in panel["runs"]]
    first, count = (seeds[0], len(seeds)) if seed is None else (seed, 1)
    return replace(
        PANELS[key].spec, seed=first, repeats=count, budget=float(panel["runs"][0]["seconds"])
    )


def watch(key: str) -> LinkMaker:
    """A race in which a rate can be watched; the rate itself is measured without a clock."""

    def link(results: Results) -> Link | None:
        found = race(key)(results)
        return None if found is None else replace(found, label="Watch it in a race")

    return link


def watch_small(kind: str) -> LinkMaker:
    """The small race on which the subgradient method's rate was measured."""

    def link(results: Results) -> Link | None:
        controls = MappingProxyType(races.controls_of(subgradient.RACES[kind]))
        return Link("solver_race", controls, "Watch it in a race")

    return link


def fig2d(noise: str) -> LinkMaker:
    def link(results: Results) -> Link | None:
        if results.figure2d is None:
            return None
        values = settings.values_of(paper_runs.fig2d_spec(noise))
        return Link("esvm_accuracy", MappingProxyType(values))

    return link


def table(row: TableRow, look: tuple[str, str, str] = real_data.LOOKS[0]) -> LinkMaker:
    """One way to run a row of Table 1."""

    def link(results: Results) -> Link | None:
        if results.table1 is None or row.data is None:
            return None
        values = settings.values_of(paper_runs.table1_spec(row.data, *look))
        return Link("esvm_accuracy", MappingProxyType(values))

    return link


def grouping(n: int, s: int, m: int, t: float, label: str = "Look at one setting") -> LinkMaker:
    def link(_: Results) -> Link:
        return grouping_link(n, s, m, t, label)

    return link


def grouping_link(n: int, s: int, m: int, t: float, label: str) -> Link:
    controls = {"n": n, "s": str(s), "m": str(m), "t": f"{t:g}"}
    return Link("random_grouping", MappingProxyType(controls), label)


def theorem_cut(n: int, m: int, t: float, s: Iterable[int]) -> Link | None:
    """The largest s of a cut through the grid that the page of random groups can show."""
    possible = [each for each in s if str(each) in balance.TRUE_STEPS]
    if not possible or str(m) not in balance.GROUP_STEPS:
        return None
    return grouping_link(n, max(possible), m, t, "Run it again")


def known_setting(results: Results) -> Link | None:
    """Of the settings that the page can show, the one of which the theorem knows the most."""
    if results.theorem5 is None:
        return None
    grid = results.theorem5["grid"]
    columns = (grid[name] for name in ("theorem", "n", "s", "m", "t"))
    for _, n, s, m, t in sorted(zip(*columns, strict=True), reverse=True):
        if (link := theorem_cut(n, m, t, [s])) is not None:
            return replace(link, label="Look at one setting")
    return None


def widest_by_n(results: Results) -> Link | None:
    """The setting in which the probability depends on n the most, at its largest n."""
    if results.theorem5 is None:
        return None
    (s, m, t), widest = bounds.widest_by_n(results.theorem5)
    shown = max(n for n in widest if n <= balance.MOST_FEATURES)
    return grouping_link(shown, s, m, t, "Run it again")


def cone(which: str, vector: str, height: float) -> LinkMaker:
    """One point of the page of projections at which the printed algorithm fails."""
    controls = {"tab": "Errata", "cone": which, "vector": vector, "height": height}

    def link(_: Results) -> Link:
        return Link("cone_projections", MappingProxyType(controls), "Look at one point")

    return link
