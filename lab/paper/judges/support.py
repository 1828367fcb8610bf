"""How strong the evidence for a verdict is, what would change it, and its numbers for a chart.

A judge decides; what stands here explains. `supported` joins the two, and leaves alone what has
nothing measured yet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from lab.paper import bounds, measured
from lab.paper.evidence import Bar, Evidence
from lab.paper.judges.verdicts import PENDING, Judge, Judgement, draws

Support = Callable[[dict], tuple[str, str, Evidence | None]]


def supported(judge: Judge, support: Support) -> Judge:
    def both(content) -> Judgement:
        found = judge(content)
        return found if found.verdict == PENDING else found.with_strength(*support(content))

    return both


# -- rates -----------------------------------------------------------------------------------------


def shares_of_bound(*names: str) -> Support:
    """Largest error over the theorem's bound, for rows of `rates` by their label."""

    def support(theory: dict):
        rows = {name: theory["rates"][name] for name in names}
        counts = sorted({row["iterations"] for row in rows.values()})
        iterations = " or ".join(f"{count:,}" for count in counts)
        bars = tuple(
            Bar(_spoken(name), row["share_of_bound"], own="as printed" not in name)
            for name, row in rows.items()
        )
        return (
            f"One small problem without a clock, every one of {iterations} iterations compared "
            "with the bound; the same numbers on every machine.",
            "An iteration whose error exceeds the bound where it does not now, or the reverse.",
            Evidence("largest error over the O(1/k²) bound", bars, 1.0, "the bound", log=True),
        )

    return support


def _spoken(name: str) -> str:
    first, _, rest = name.partition(" ")
    return f"{first.upper()} {rest}".strip()


def power(lane: str, guaranteed: float) -> Support:
    """The power of 1/k by which a lane's error falls in the race of Fig. 2(a)."""

    def support(figure2: dict):
        panel = measured.panels(figure2)["2a"]
        seen = measured.order_of_fall(panel, lane, "suboptimality")
        return (
            f"{draws(panel).capitalize()} of the paper's problem, the last decades of iterations.",
            f"An error that falls {'slower' if seen >= 0.9 * guaranteed else 'as fast'} over more "
            "iterations.",
            Evidence(
                "power of 1/k", (Bar("measured", seen, own=True),), guaranteed, "the guarantee"
            ),
        )

    return support


def powers_of_licp_and_admm(figure2: dict):
    bars, count = [], 0
    for key, panel in measured.panels(figure2).items():
        if key.startswith("2c"):
            count += len(panel["runs"])
            for lane, name in (("licp", "LICP"), ("admm", "ADMM")):
                case = panel["title"].removeprefix("E-SVM, ")
                seen = measured.order_of_fall(panel, lane, "gap")
                bars.append(Bar(f"{name}, {case}", seen, own=lane == "licp"))
    return (
        f"{count} races, the certified gap over the last decades of iterations.",
        "Medians in the other order.",
        Evidence("power of 1/k by which the gap falls", tuple(bars), 1.0, "ADMM's guarantee"),
    )


def kong(theory: dict):
    row = theory["kong"]
    bars = ()
    if "gap" in row:
        bars = (
            Bar("dense start", row["gap"], own=True),
            Bar("start with zeros", row["stuck"]),
        )
    return (
        "One small problem; the gap is certified, so it bounds the distance to the optimum.",
        "A dense start that ends above the optimum.",
        Evidence("distance to the optimum, relative", bars, 1e-6, "tolerance", log=True),
    )


# -- projections -----------------------------------------------------------------------------------


def projection(algorithm: str) -> Support:
    def support(theory: dict):
        rows = {
            where: theory["projections"][f"{algorithm}, {where}"] for where in ("any b", "b = 0")
        }
        bars = [
            Bar(f"{name}, {where}", 100 * row[f"wrong_{key}"] / row["points"], own=key[0] == "c")
            for where, row in rows.items()
            for name, key in (("as printed", "as_printed"), ("corrected", "corrected"))
        ]
        points = rows["any b"]["points"]
        return (
            f"{points:,} random points with any b and as many with b = 0, each answer certified by "
            "its optimality conditions.",
            "A point at which the corrected algorithm is wrong.",
            Evidence("wrong answers, per cent of the points", tuple(bars), 0.0, "exact"),
        )

    return support


def monotone(theory: dict):
    rows = theory["projections"]
    bars = tuple(Bar(name, row["not_monotone"]) for name, row in rows.items())
    points = sum(row["points"] for row in rows.values())
    return (
        f"{points:,} random points of both cones.",
        "A single exception.",
        Evidence("exceptions", bars, 0.0, "none"),
    )


def error_of(name: str, key: str, allowed: float = 1e-9) -> Support:
    """The largest error of one of the small checks."""

    def support(theory: dict):
        row = theory[name]
        points = f"{row['points']:,} random points" if "points" in row else "Several λ"
        worst = max(row[key]) if isinstance(row[key], list) else row[key]
        return (
            f"{points}; exact apart from rounding.",
            f"A single case that is off by more than {allowed:.0e}.",
            Evidence(
                "largest error",
                (
                    Bar("found", max(worst, 1e-17), own=True),
                    Bar("rounding of one number", 2.2e-16),
                ),
                allowed,
                "allowed",
                log=True,
            ),
        )

    return support


def sorts(prox: dict):
    rows = prox["against_sort"]
    bars = tuple(Bar(f"{row['groups']}, ζ = {row['zeta']:g}", row["ratio"]) for row in rows)
    return (
        f"{len(rows)} kinds of groups and ζ at a million features, medians, timings interleaved.",
        "A ratio above 5.",
        Evidence("time of the prox over that of one sort", bars, 5.0, "allowed"),
    )


def shares_of_iteration(prox: dict):
    rows = prox["locp_iteration"]
    bars = tuple(
        Bar(
            f"{row['groups']}, {row['blas_threads']} thread{'s' * (row['blas_threads'] > 1)}",
            100 * row["share"],
        )
        for row in rows
    )
    return (
        f"{len(rows)} kinds of groups and threads at 400 × 4000, medians of many iterations.",
        "A share of one half or more.",
        Evidence("share beside the products with X, per cent", bars, 50.0, "half"),
    )


def exponent(_):
    return (
        "By definition of the two sums.",
        "Nothing: it is what the formula says.",
        Evidence(
            "penalty of w = (1, 1) in one group at q = 2",
            (Bar("as printed", 2.0), Bar("exclusive", 4.0, own=True)),
        ),
    )


# -- races -----------------------------------------------------------------------------------------


_CHANGES = "Another order in every draw, or a rival as published that arrives earlier."


def finish(
    panel_key: str, own: Sequence[str], changes: str = _CHANGES, target: float = 1e-2
) -> Support:
    """Seconds to an accuracy by lane, with the range over the draws."""

    def support(figure2: dict):
        panel = measured.panels(figure2)[panel_key]
        labels = measured.lane_labels(panel)
        bars = []
        for lane, median in measured.ranking(panel, labels, target):
            times = [
                run["lanes"][lane]["times"]["suboptimality"][f"{target:.0e}"]
                for run in panel["runs"]
            ]
            reached = [value for value in times if value is not None]
            low, high = (min(reached), max(reached)) if reached else (math.nan, math.nan)
            value = median if math.isfinite(median) else math.nan
            bars.append(Bar(labels[lane], value, low, high, lane in own))
        budget = panel["runs"][0]["seconds"]
        return (
            f"{draws(panel).capitalize()} of the paper's problem, {budget:g} s of processor time a "
            "lane; the whiskers are the range over the draws.",
            changes,
            Evidence(
                f"seconds to a true error of {target:.0e} (no mark: not within the budget)",
                tuple(bars),
                log=True,
            ),
        )

    return support


def licp_and_admm(figure2: dict):
    bars, count = [], 0
    for key, panel in measured.panels(figure2).items():
        if not key.startswith("2c"):
            continue
        count += len(panel["runs"])
        case = panel["title"].removeprefix("E-SVM, ")
        for lane, name in (("licp", "LICP"), ("admm", "ADMM")):
            seconds = measured.seconds_to(panel, lane, 1e-2, "gap")
            value = seconds if math.isfinite(seconds) else math.nan
            bars.append(Bar(f"{name}, {case}", value, own=lane == "licp"))
    return (
        f"{count} races: two readings of the groups, two pairs of α and β, three draws each.",
        "LICP first by both measures in every case, or in none.",
        Evidence(
            "seconds to a certified gap of 1e-02 (no mark: not within the budget)",
            tuple(bars),
            log=True,
        ),
    )


def kong_cost(figure2: dict):
    panel = measured.panels(figure2)["2a"]
    labels = measured.lane_labels(panel)
    bars = tuple(
        Bar(labels[lane], 1e3 * measured.seconds_an_iteration(panel, lane), own=lane == "kong_full")
        for lane in ("kong_full", "kong_smoothed")
    )
    return (
        f"{draws(panel).capitalize()} of the paper's problem.",
        "An iteration in n × n systems that is not dearer.",
        Evidence("milliseconds an iteration", bars, log=True),
    )


# -- grouping --------------------------------------------------------------------------------------


def known(theorem5: dict):
    summary = theorem5["summary"]
    likely = summary["theorem"]["likely"]
    bars = tuple(
        Bar(label, summary[name]["likely_and_known"], own=name == "theorem")
        for name, label in (
            ("theorem", "Theorem 5"),
            ("chernoff", "Chernoff bound"),
            ("union", "union bound"),
        )
    )
    return (
        f"{summary['rows']:,} settings (n, s, m, t), the probability computed exactly in each.",
        "A single setting whose exact probability lies below the bound.",
        Evidence(
            "settings with P ≥ 0.9 that the bound knows", bars, float(likely), "all there are"
        ),
    )


def constants(theory: dict):
    rows = theory["constants"]
    bars = tuple(
        Bar(f"{name} tail" if name != "total" else name, row["available"] / row["used"])
        for name, row in rows.items()
    )
    return (
        "999 values of t between 0 and 1, Bernstein's inequality in closed form.",
        "A t at which less is available than used.",
        Evidence("available over used", bars, 1.0, "needed", log=True),
    )


def by_n(theorem5: dict):
    (s, m, t), widest = bounds.widest_by_n(theorem5)
    bars = tuple(Bar(f"n = {n:,}", p) for n, p in sorted(widest.items()))
    return (
        f"{len(set(theorem5['independence']['n']))} n for each setting, exact probabilities.",
        "Probabilities that do not depend on n.",
        Evidence(f"P(balanced), s = {s}, m = {m}, t = {t:g}", bars),
    )


def rule(theorem5: dict):
    rows = theorem5["rule"]
    bars = tuple(
        Bar(f"s = {s:,}", p, own=True) for s, p in zip(rows["s"], rows["exact 0.5"], strict=True)
    )
    return (
        f"{len(rows['s'])} values of s at n = 5,040, exact probabilities.",
        "P ≥ 0.9 with the constant 1.",
        Evidence("P(balanced) at m = s/log s, t = ½", bars, 0.9, "likely", log=True),
    )
