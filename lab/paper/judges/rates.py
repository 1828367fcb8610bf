"""How fast the methods converge, against what the paper says."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from lab.paper import measured
from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, UNCHECKABLE, Judgement, missing
from lab.paper.wording import percent


def rate_of(name: str) -> Callable[[dict], Judgement]:
    def judge(theory: dict) -> Judgement:
        right, printed = theory["rates"][name], theory["rates"][f"{name} as printed"]
        text = (
            f"error at most {right['share_of_bound']:.2f} of 2‖x₀ − x*‖²/(γ(k+1)²) over "
            f"{right['iterations']:,} iterations"
        )
        if right["share_of_bound"] > 1.0:
            return Judgement(FAILS, text)
        if printed["share_of_bound"] <= 1.0:
            return Judgement(HOLDS, text)
        return Judgement(
            CONDITION,
            text,
            f"With t² in Algorithm 1, step 4; as printed, with t, the error reaches "
            f"{printed['share_of_bound']:.0f} times the bound and is not accelerated.",
        )

    return judge


def licp_rate(theory: dict) -> Judgement:
    dual, last, averaged = (theory["rates"][f"licp {p}"] for p in ("dual", "last", "averaged"))
    text = (
        f"share of the O(1/k²) bound: dual {dual['share_of_bound']:.2f}, averaged w̄ "
        f"{averaged['share_of_bound']:.2f}, last w {last['share_of_bound']:.1f}"
    )
    if max(dual["share_of_bound"], averaged["share_of_bound"]) > 1.0:
        return Judgement(FAILS, text)
    if last["share_of_bound"] <= 1.0:
        return Judgement(HOLDS, text)
    return Judgement(
        CONDITION,
        text,
        "The rate is the dual's. E-SVM's own objective at the last w has no more than O(1/k); the "
        f"averaged w̄ restores O(1/k²). After {last['iterations']:,} iterations the last w is "
        f"{last['last_error'] / averaged['last_error']:.0f} times as far off as the average.",
    )


def step_length(theory: dict) -> Judgement:
    """The three corrected methods at constant steps, and one by line search: the bound is kept?"""
    shares = {
        name: theory["rates"][name]["share_of_bound"] for name in ("pcp", "locp", "licp dual")
    }
    searched = theory["rates"]["locp line search"]["share_of_bound"]
    text = ", ".join(f"{name.split()[0].upper()} {share:.2f}" for name, share in shares.items())
    return Judgement(
        HOLDS if max(searched, *shares.values()) <= 1.0 else FAILS,
        f"largest error over the bound at a constant step: {text}; LOCP by line search: "
        f"{searched:.2f}",
        "With Algorithm 1 mended, at steps of 1/L: the end of what the sentence allows. The "
        "search starts from steps of 64/L and halves them; its bound is that of steps of 1/(2L).",
    )


def kong_limit(theory: dict) -> Judgement:
    kong = theory["kong"]
    if not kong["optimal_from_a_dense_start"]:
        return Judgement(HOLDS, kong["finding"])
    return Judgement(
        CONDITION,
        f"from a dense start Kong's iteration comes within {kong['gap']:.0e} of the optimum, "
        "certified; started with exact zeros where weights belong, it keeps them and ends "
        f"{percent(kong['stuck'], 1)} above",
        "Only a weight that is exactly 0 is stuck, so a dense start is all it takes: each step "
        "majorises the objective and never raises it.",
    )


# What of a rival is ours, so that a reader does not take it for the published method.
_OUR_FORMS = MappingProxyType(
    {
        "lelr": " Measured on our form, which lowers its smoothing as it goes; with one smoothing "
        "throughout, as published, the error stops at the size of what is smoothed away."
    }
)


def falls_like(lane: str, power: float, name: str) -> Callable[[dict], Judgement]:
    def judge(figure2: dict) -> Judgement:
        panel = measured.panels(figure2).get("2a")
        if panel is None:
            return missing("race of Fig. 2(a)")
        seen = measured.order_of_fall(panel, lane, "suboptimality")
        text = f"error falls like k^−{seen:.2f} over the last decades of Fig. 2(a)'s race"
        if seen >= 0.9 * power:
            ours = _OUR_FORMS.get(lane, "")
            verdict = CONDITION if ours else HOLDS
            return Judgement(verdict, text, f"At least as fast as {name}, the guarantee.{ours}")
        return Judgement(
            UNCHECKABLE,
            text,
            f"{name} bounds the worst case; within the budget the method has not reached its "
            "asymptotic regime, so the race neither confirms nor contradicts it.",
        )

    return judge


def rates_of_licp_and_admm(figure2: dict) -> Judgement:
    found = {}
    for key, panel in measured.panels(figure2).items():
        if key.startswith("2c"):
            found[panel["title"]] = tuple(
                measured.order_of_fall(panel, lane, "gap") for lane in ("licp", "admm")
            )
    if not found:
        return missing("race of Fig. 2(c)")
    licp, admm = (float(np.median([pair[i] for pair in found.values()])) for i in (0, 1))
    text = f"certified gap falls like k^−{licp:.1f} (LICP) and k^−{admm:.1f} (ADMM), medians"
    if licp > admm:
        return Judgement(HOLDS, text)
    return Judgement(
        CONDITION,
        text,
        "True of the guarantees, which are worst cases; on these problems ADMM's certified gap "
        "falls faster than LICP's.",
    )
