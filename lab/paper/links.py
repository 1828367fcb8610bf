"""Where a result can be run again: a page and its controls, from the spec that was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from lab import races
from lab.accuracy import paper_runs, settings
from lab.accuracy.specs import Fig2dSpec
from lab.balance import settings as balance
from lab.data.paper_numbers import FIG2D_REPEATS, TABLE_1, TableRow
from lab.paper import bounds, measured
from lab.paper.checks import group_count as sweep
from lab.paper.checks import patterns, proofs, subgradient
from lab.paper.judges import real_data
from lab.paper.measured import Results
from lab.paper.points import FAILING, USUAL, Point
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


_WITHOUT_KONG = "Kong's n × n form runs in the benchmark only."
_PODIUM = "The podium there has places by certificate and by true error; the claims go by"
BY_TRUE_ERROR = f"{_PODIUM} the latter. {_WITHOUT_KONG}"
BY_GAP_AND_CHANGE = f"{_PODIUM} the certificate and by the change of w, which can be drawn there."
BY_ITERATION = f"The podium there has the iterations a second. {_WITHOUT_KONG}"
SMALLER = "What was measured are small problems, without a clock; these are the paper's."
GREYED = "LOCP is greyed there, with the reason."

LinkMaker = Callable[[Results], Link | None]


def race(key: str, note: str = "") -> LinkMaker:
    """The race of a panel, with all its draws: the medians on show are of them."""
    usual = BY_GAP_AND_CHANGE if key.startswith("2c") else BY_TRUE_ERROR

    def link(results: Results) -> Link | None:
        panel = measured.panels(results.figure2).get(key)
        if panel is None:
            return None
        controls = MappingProxyType(races.controls_of(race_spec(key, panel)))
        return Link("solver_race", controls, note=note or usual)

    return link


def race_spec(key: str, panel: dict) -> races.RaceSpec:
    """The spec that was raced, with the seeds and the budget that the results say."""
    seeds = [run["seed"] for run in panel["runs"]]
    budget = float(panel["runs"][0]["seconds"])
    return replace(PANELS[key].spec, seed=seeds[0], repeats=len(seeds), budget=budget)


def watch(key: str, note: str = SMALLER) -> LinkMaker:
    """A race in which a rate can be watched; the rate itself is measured without a clock."""

    def link(results: Results) -> Link | None:
        found = race(key, note)(results)
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


def point(at: Point, label: str = "Look at one point", tab: str = "Errata") -> Link:
    """The page of projections at a point: its errata, or the search for the threshold."""
    controls = {
        "tab": tab,
        "cone": at.cone,
        "vector": at.text,
        "height": at.b,
        "zeta": f"{at.zeta:g}",
    }
    return Link("cone_projections", MappingProxyType(controls), label)


def failing(erratum: str) -> LinkMaker:
    """One point of the page of projections at which the printed algorithm fails."""
    return lambda _: point(FAILING[erratum])


def search(cone: str) -> LinkMaker:
    """The search for the threshold, step by step, at what the solvers ask for."""
    return lambda _: point(USUAL[cone], tab="The search")


def computed(erratum: str) -> LinkMaker:
    """The erratum of this page that computes it while one waits."""
    controls = MappingProxyType({"tab": "Errata", "erratum": erratum})
    return lambda _: Link("paper_vs_measured", controls, "See it computed")


def opened(claim: str, label: str) -> Link:
    """Another claim of this page."""
    return Link("paper_vs_measured", MappingProxyType({"claim": claim}), label)


def pattern(_: Results) -> Link:
    """The four norms on data like those of the measurement, one draw at a time."""
    sizes = patterns.FIGURE_1
    controls = {
        "tab": "Figure 1",
        "groups": sizes.groups,
        "size": sizes.size,
        "true": sizes.true // sizes.groups,
        "samples": sizes.samples,
        "noise": round(sizes.noise / sizes.true**0.5, 1),
    }
    note = "The page has a true feature in every group; the draws measured have as many anywhere."
    return Link("norm_patterns", MappingProxyType(controls), _SIMILAR, note)


def pair(_: Results) -> Link:
    """Two nearly equal features of which one has company."""
    sizes = patterns.PAIR
    controls = {
        "tab": "Correlated twins",
        "twin_rho": f"{sizes.rho:g}",
        "busy": str(sizes.company),
        "quiet": 0,
        "twin_samples": sizes.samples,
        "twin_noise": sizes.noise,
    }
    note = "The page's groups are larger, and it weighs the two by one half each."
    return Link("norm_patterns", MappingProxyType(controls), _SIMILAR, note)


_SIMILAR = "Watch similar data"


def one_group(_: Results) -> Link:
    """The unit balls of the norms where all features are one group."""
    controls = MappingProxyType({"tab": "Unit balls", "grouping": "{1,2,3}"})
    return Link("norm_patterns", controls, "See the two balls agree")


def group_count(_: Results) -> Link:
    """E-SVM(R) on the data of the sweep over numbers of groups, at the most that is allowed."""
    spec = Fig2dSpec(
        n_features=sweep.FEATURES, ms=(sweep.TRUE,), repeats=FIG2D_REPEATS, noise="independent"
    )
    note = "One number of groups, s/log s; the command goes through all."
    values = MappingProxyType(settings.values_of(spec))
    return Link("esvm_accuracy", values, "Run one number of groups", note)


def one_of_the_rows(row: TableRow, look: tuple[str, str, str] = real_data.LOOKS[0]) -> LinkMaker:
    """A row that can be run, for what is said of all."""

    def link(results: Results) -> Link | None:
        found = table(row, look)(results)
        note = f"{row.title} only; every row of the table is a claim with a link of its own."
        return None if found is None else replace(found, label="Run one row again", note=note)

    return link


one_row = one_of_the_rows(next(row for row in TABLE_1 if row.data))


def union_of_tails(_: Results) -> Link:
    """One of the settings whose groupings were drawn."""
    return grouping_link(*proofs.UNION_SETTINGS[1], "Draw one of the settings")
