"""The committed results of the benchmarks, and what can be read off them.

Results are JSON files that the commands in `benchmarks` write; a file that is not there yet is
None, and whoever asks says so. Nothing here is measured, everything is computed from the files.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from lab import races
from lab.accuracy import paper_runs
from lab.accuracy.protocol import LABELS
from lab.data.paper_numbers import TableRow
from lab.estimates import Estimate, difference, estimate, fold_overlap
from lab.results import shipped, shipped_folder

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "figure2": "python -m benchmarks.figure2",
        "figure2d": "python -m benchmarks.figure2d",
        "table1": "python -m benchmarks.table1",
        "theorem5": "python -m benchmarks.theorem5",
        "theory": "python -m benchmarks.theory",
        "compare": "python -m benchmarks.compare",
        "prox": "python -m benchmarks.prox",
        "statements": "python -m benchmarks.statements",
    }
)


@dataclass(frozen=True, eq=False)
class Results:
    """One attribute per file, None where there is none."""

    figure2: dict | None = None
    figure2d: dict | None = None
    table1: dict | None = None
    theorem5: dict | None = None
    theory: dict | None = None
    compare: dict | None = None
    prox: dict | None = None
    statements: dict | None = None


def read(folder: Path | None = None) -> Results:
    """All results of a folder; those of quick runs are left aside."""
    folder = shipped_folder() if folder is None else folder
    trials = shipped(folder)
    found = {"figure2d": paper_runs.figure2d(trials), "table1": paper_runs.table1(trials)}
    for name in COMMANDS.keys() - found.keys():
        path = folder / f"{name}.json"
        content = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
        found[name] = None if content is None or content.get("quick") else content
    return Results(**found)


def signature(folder: Path | None = None) -> tuple[tuple[str, int], ...]:
    """Changes when a result file does: a key for caches."""
    folder = shipped_folder() if folder is None else folder
    paths = [folder / f"{name}.json" for name in COMMANDS]
    paths += sorted((folder / "trials").glob("*.jsonl"))
    return tuple((path.stem, path.stat().st_mtime_ns) for path in paths if path.is_file())


# -- races (Fig. 2(a)–(c)) -----------------------------------------------------------------------

MEASURES = MappingProxyType(
    {
        "suboptimality": "relative error of the value",
        "gap": "certified relative gap",
        "objective": "objective",
        "change": "relative change of w in one step",
    }
)


def panels(figure2: dict | None) -> dict[str, dict]:
    return {} if figure2 is None else {k: p for k, p in figure2["panels"].items() if p["runs"]}


# Forms of the rivals, told apart without commas, since they are listed in sentences.
_FORMS = MappingProxyType(
    {
        "kong": "Kong (N × N)",
        "kong_smoothed": "Kong (N × N, smoothed)",
        "kong_full": "Kong (n × n, as published)",
        "pls_dn": "PLS-DN (nothing n × n)",
    }
)


def lane_labels(panel: dict) -> dict[str, str]:
    """The lanes of a panel by key, ours named as ours."""
    return {
        key: f"{lane['label']} (ours)" if key == "ours" else _FORMS.get(key, lane["label"])
        for key, lane in panel["runs"][0]["lanes"].items()
    }


def seconds_to(panel: dict, lane: str, target: float, measure: str = "suboptimality") -> float:
    """The median over seeds of the seconds to an accuracy; infinite where it was not reached."""
    return _median(seconds_by_seed(panel, lane, target, measure))


def seconds_by_seed(
    panel: dict, lane: str, target: float, measure: str = "suboptimality"
) -> list[float]:
    """The seconds to an accuracy, seed by seed; infinite where it was not reached."""
    return [at.seconds for at in crossings(panel, lane, target, measure)]


def crossings(panel: dict, lane: str, target: float, measure: str) -> list[races.Crossing]:
    """When a lane was at an accuracy, seed by seed: what the race page's podium tells too."""
    found = (races.noted(run["lanes"][lane], measure, target) for run in panel["runs"])
    return [races.NEVER if at is None else at for at in found]


def seconds_to_change(panel: dict, lane: str, target: float) -> tuple[float, float]:
    """Median seconds until the relative change of w falls to the target, and the gap by then."""
    rows = [run["lanes"][lane]["when_change_reached"][f"{target:.0e}"] for run in panel["runs"]]
    gaps = [row["gap"] for row in rows if row is not None and row["gap"] is not None]
    seconds = seconds_to(panel, lane, target, "change")
    return seconds, _median(gaps) if gaps else math.inf


def ranking(
    panel: dict, lanes: Iterable[str], target: float, measure: str = "suboptimality"
) -> list[tuple[str, float]]:
    """Lanes by their median seconds to an accuracy; those that never got there at the end."""
    times = [(lane, seconds_to(panel, lane, target, measure)) for lane in lanes]
    return sorted(times, key=lambda pair: pair[1])


def history(run: dict, lane: str, measure: str) -> dict[str, np.ndarray]:
    """Columns iteration, seconds and value of one lane of one race; nan where there is none."""
    columns = run["lanes"][lane]["history"]
    rows = {name: _array(columns[name]) for name in ("iteration", "seconds")}
    if measure == "suboptimality":
        objective, bound = _array(columns["objective"]), run["reference"]["bound"]
        rows["value"] = (objective - bound) / np.maximum(np.abs(objective), abs(bound))
    else:
        rows["value"] = _array(columns[measure])
    return rows


def order_of_fall(panel: dict, lane: str, measure: str, share: float = 0.03) -> float:
    """The median power of k by which a measure falls over the last decades of iterations.

    From `share` of the last iteration on, by least squares in logarithms.
    """
    powers = []
    for run in panel["runs"]:
        columns = history(run, lane, measure)
        k, value = columns["iteration"], np.minimum.accumulate(columns["value"])
        inside = (k >= share * k[-1]) & (k > 0) & (value > 0.0) & np.isfinite(value)
        if np.count_nonzero(inside) >= 3:
            powers.append(-np.polyfit(np.log(k[inside]), np.log(value[inside]), 1)[0])
    return _median(powers)


def seconds_an_iteration(panel: dict, lane: str) -> float:
    lanes = [run["lanes"][lane] for run in panel["runs"]]
    return _median(lane["seconds"] / max(lane["iterations"], 1) for lane in lanes)


# -- accuracies (Fig. 2(d), Table 1) -------------------------------------------------------------

METHODS = MappingProxyType({**LABELS, "oracle": "true model"})
FIG2D = ("svm", "sparse_svm", "kong", "esvm", "esvm_r", "oracle")


def trials(figure2d: dict | None, noise: str) -> dict[int, dict[str, np.ndarray]]:
    """Accuracies by m and method, in order of the repeats, of one noise model.

    Only repeats that every method has, so that all comparisons are paired; an m at which a method
    is still missing is left out.
    """
    if figure2d is None:
        return {}
    by_m: dict[int, list[dict]] = {}
    for cell in figure2d["cells"]:
        if cell["noise"] == noise:
            by_m.setdefault(cell["m"], []).append(cell)
    paired = {
        m: {method: values for (method,), values in _paired(by_m[m], ("method",)).items()}
        for m in sorted(by_m)
    }
    return {m: accuracy for m, accuracy in paired.items() if set(FIG2D) <= set(accuracy)}


def _paired(cells: list[dict], names: tuple[str, ...]) -> dict[tuple, np.ndarray]:
    """Accuracies by what the cells differ in, of the repeats or folds that all have."""
    shared = sorted(set.intersection(*(set(cell["number"]) for cell in cells)))
    found = {}
    for cell in cells if shared else ():
        by_number = dict(zip(cell["number"], cell["accuracy"], strict=True))
        key = tuple(cell[name] for name in names)
        found[key] = np.array([by_number[number] for number in shared])
    return found


def worst_gap(results: dict | None, methods: Iterable[str] = ("esvm", "esvm_r")) -> float | None:
    """The largest certified gap of the fits there are, None without any."""
    gaps = [
        gap
        for cell in (results or {}).get("cells", ())
        if cell["method"] in methods
        for gap in cell["gap"]
        if gap is not None
    ]
    return max(gaps, default=None)


def row_key(row: TableRow) -> str:
    """A name for a row of the paper's Table 1, that of its data where we have them."""
    return row.data or row.title.lower()


def in_bold(row: TableRow) -> str:
    """The method that the paper prints in bold."""
    return max(row.accuracy, key=row.accuracy.__getitem__)


PROTOCOLS = MappingProxyType(
    {"inverted": "train on one fold, test on the rest", "ordinary": "train on all folds but one"}
)


# How a rule chooses the strengths; see `lab.accuracy.REAL_RULES`.
RULES = MappingProxyType(
    {
        "weakest": "from a tenth of the scale, ties to the weakest",
        "strongest": "from the full scale, ties to the strongest",
    }
)

TABLE_METHODS = ("svm", "sparse_svm", "kong", "esvm_r")


@dataclass(frozen=True, eq=False)
class Way:
    """One way to run a row of Table 1: a fold protocol and a preprocessing.

    `accuracy` is by rule and method, of the folds that all methods have by all rules there are;
    `folds` is how many the paper has.
    """

    protocol: str
    preprocessing: str
    folds: int
    accuracy: Mapping[str, Mapping[str, np.ndarray]]

    @property
    def done(self) -> int:
        return next(len(values) for rule in self.accuracy.values() for values in rule.values())

    @property
    def by_both_rules(self) -> bool:
        """Whether the paper's four methods are there, by every rule."""
        return set(self.accuracy) == set(RULES) and all(
            set(TABLE_METHODS) <= set(methods) for methods in self.accuracy.values()
        )

    def mean(self, ties: str, method: str) -> Estimate | None:
        """Over folds, with the correction for training sets that overlap; None if not measured."""
        found = self.accuracy[ties].get(method)
        return None if found is None else estimate(found, self._overlap)

    def difference(self, ties: str, one: str, other: str) -> Estimate:
        """Paired over folds, with the same correction."""
        methods = self.accuracy[ties]
        return difference(methods[one], methods[other], self._overlap)

    @property
    def _overlap(self) -> float:
        return fold_overlap(self.protocol, 1.0 / (self.folds - 1))

    def highest(self, ties: str) -> list[str]:
        """Of the paper's four methods that with the highest mean, several where they tie."""
        means = {key: float(self.accuracy[ties][key].mean()) for key in TABLE_METHODS}
        best = max(means.values())
        return [key for key, mean in means.items() if mean >= best - 1e-12]

    def highest_by_all(self) -> str | None:
        """That with the highest mean, alone, by every rule; None where they disagree or tie."""
        found = [self.highest(ties) for ties in self.accuracy]
        return found[0][0] if len(found[0]) == 1 and all(f == found[0] for f in found) else None


def ways(table1: dict | None, row: TableRow) -> list[Way]:
    """Every way that a row was run, as far as it was; none for sets that could not be had."""
    found: dict[tuple[str, str], list[dict]] = {}
    for cell in () if table1 is None else table1["cells"]:
        if cell["data"] == row.data:
            found.setdefault((cell["protocol"], cell["preprocessing"]), []).append(cell)
    made = []
    for (protocol, preprocessing), cells in found.items():
        paired = _paired(cells, ("ties", "method"))
        if paired:
            rules: dict[str, dict[str, np.ndarray]] = {}
            for (ties, method), values in paired.items():
                rules.setdefault(ties, {})[method] = values
            made.append(Way(protocol, preprocessing, row.folds, rules))
    return made


def look(
    table1: dict | None, row: TableRow, protocol: str, preprocessing: str, ties: str
) -> Way | None:
    """One way to run a row by one rule: the paper's four methods on all folds, or None."""
    wanted = (row.data, protocol, preprocessing, ties)
    cells = [
        cell
        for cell in (() if table1 is None else table1["cells"])
        if tuple(cell[name] for name in ("data", "protocol", "preprocessing", "ties")) == wanted
        and cell["method"] in TABLE_METHODS
    ]
    if {cell["method"] for cell in cells} != set(TABLE_METHODS):
        return None
    paired = {method: values for (method,), values in _paired(cells, ("method",)).items()}
    if not paired or min(map(len, paired.values())) < row.folds:
        return None
    return Way(protocol, preprocessing, row.folds, {ties: paired})


def _median(values: Iterable[float]) -> float:
    values = list(values)
    return float(np.median(values)) if values else math.nan


def or_infinite(value: float | None) -> float:
    return math.inf if value is None else float(value)


def _array(values) -> np.ndarray:
    return np.array([math.nan if value is None else value for value in values], dtype=float)
