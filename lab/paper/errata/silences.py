"""What the paper leaves unsaid or says by a slip: strengths, scaling, spread, captions."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import bdtr

from lab.data.datasets import BundledSpec, ESVMSpec, load
from lab.loading import one_at_a_time
from lab.paper.bounds import bernstein_bound
from lab.paper.errata.demonstration import Demonstration, yes
from lab.paper.wording import percent
from solvers import grouping, solve_svm


def lower_tail() -> Demonstration:
    """The printed lower tail against the exact binomial law."""
    rows = {"variables": [], "p": [], "exact": [], "as printed, c = 1 − p": [], "with c = 1": []}
    above = []
    for k, p in ((1, 0.9), (1, 0.99), (10, 0.99)):
        count = math.floor(k * p) - 1 if k > 1 else 0
        delta = k * p - count
        exact = float(bdtr(count, k, p))
        printed, right = (bernstein_bound(k, p, delta, c) for c in (1.0 - p, 1.0))
        above.append(exact > printed and exact <= right)
        rows["variables"].append(str(k))
        rows["p"].append(f"{p:g}")
        rows["exact"].append(f"{exact:.3g}")
        rows["as printed, c = 1 − p"].append(f"{printed:.3g}")
        rows["with c = 1"].append(f"{right:.3g}")
    return Demonstration(
        "Bernstein's lower tail needs a bound on E Y − Y, which for a Bernoulli variable is p, not "
        f"1 − p. As printed it fails in {sum(above)} of {len(above)} examples; with c = 1, which "
        "the proof's constants allow, it holds.",
        rows,
        all(above),
    )


def closing_references() -> Demonstration:
    """What the end of the proof refers to, and what it should."""
    n, m, t = 40_000, 20, 0.5
    rows = {"s": [], "P(min ≤ s/m·(1 − t))": [], "P(max/min ≥ (1+t)/(1−t))": []}
    small = []
    for s in (200, 1000, 4000):
        counts = grouping.simulate_balance(n, s, m, 2000, random_state=0)
        least = counts.min(axis=1)
        low = float(np.mean(least <= s / m * (1 - t)))
        ratio = float(np.mean(counts.max(axis=1) * (1 - t) >= least * (1 + t)))
        small.append((low, ratio))
        rows["s"].append(f"{s:,}")
        rows["P(min ≤ s/m·(1 − t))"].append(f"{low:.3f}")
        rows["P(max/min ≥ (1+t)/(1−t))"].append(f"{ratio:.3f}")
    return Demonstration(
        f"Both probabilities vanish as s grows ({small[-1][0]:.3f} and {small[-1][1]:.3f} at s = "
        f"{s:,}): that is what is proved, not that the first “holds with high "
        "probability” or that the “left hand side converges to 1”. The formula meant is the "
        "last one, not (29); and the footnote's solution is that of (5), not of (4).",
        rows,
        max(small[-1]) < 0.05 < min(small[0]),
    )


def captions() -> Demonstration:
    printed = ["PCMAT", "Handwritten Digits (PCMAT)", "#Flods", "formation", "0.4/ ‖w*‖₁)"]
    right = ["PCMAC", "Handwritten Digits (MNIST)", "#Folds", "formulation", "0.4/‖w*‖₁"]
    printed.append("P(max ≤ 2s/m), less than 2s/m")
    right.append("at most 2s/m")
    printed.append("Computer (ISOLET, Handwritten Digits (…)")
    right.append("Computer (ISOLET), Handwritten Digits (…)")
    return Demonstration(
        f"{len(printed)} slips that a reader can mend: the data of 3,289 features and 1,943 "
        "samples are PCMAC, and the digits are MNIST, which the caption cites as the former.",
        {
            "where": [
                "Table 1",
                "Table 1, caption",
                "Table 1",
                "Fig. 2(d), caption",
                "Section 5.1",
                "Proof of Theorem 5, its start",
                "Table 1, caption",
            ],
            "printed": printed,
            "right": right,
        },
        all(a != b for a, b in zip(printed, right, strict=True)),
    )


def which_groups() -> Demonstration:
    disjoint = load(ESVMSpec(n_features=1008, n_groups=144)).groups
    overlapped = load(ESVMSpec(n_features=1008, n_groups=144, extras=7)).groups
    counts = [int(groups.overlap_counts.max()) for groups in (disjoint, overlapped)]
    return Demonstration(
        "The caption of Fig. 2(c) says overlapped E-SVM, its data come from Section 5.2, where "
        f"the groups are disjoint: there no feature is in more than {counts[0]} group, with seven "
        f"random others added to each (our reading) in up to {counts[1]}. We race both.",
        {
            "reading": ["as generated", "as captioned"],
            "group sizes": [str(int(g.sizes.max())) for g in (disjoint, overlapped)],
            "overlapping": [yes(g.overlapping) for g in (disjoint, overlapped)],
        },
        overlapped.overlapping and not disjoint.overlapping,
    )


def error_bars() -> Demonstration:
    """95 % of a mean of ten accuracies that are each counted on m samples."""
    halves = {m: 1.96 * math.sqrt(0.8 * 0.2 / (10 * m)) for m in (112, 504, 2520)}
    return Demonstration(
        "Means of ten repeats are drawn without intervals. By the number of test samples alone a "
        f"mean near 80 % is uncertain by ± {100 * halves[112]:.1f} points at m = 112 and "
        f"± {100 * halves[2520]:.1f} at m = 2,520; differences within that mean nothing.",
        {
            "m": [f"{m:,}" for m in halves],
            "± 95 % of a mean of ten, points": [f"{100 * h:.2f}" for h in halves.values()],
        },
        halves[112] > 0.01,
    )


@lru_cache(maxsize=1)
def unstated_scaling() -> Demonstration:
    """One set that everybody has: a plain SVM after three preparations of the features."""
    with one_at_a_time:
        from sklearn.model_selection import StratifiedKFold, cross_val_score
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MaxAbsScaler, Normalizer, StandardScaler
        from sklearn.svm import LinearSVC

    data = load(BundledSpec("breast_cancer"))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    preparations = {
        "each feature standardised": StandardScaler(),
        "each feature to at most 1": MaxAbsScaler(),
        "each sample to unit length": Normalizer(),
    }
    mean = {
        name: float(
            np.mean(
                cross_val_score(
                    make_pipeline(step, LinearSVC(dual=True, max_iter=20_000, random_state=0)),
                    data.X,
                    data.y,
                    cv=folds,
                )
            )
        )
        for name, step in preparations.items()
    }
    spread = max(mean.values()) - min(mean.values())
    return Demonstration(
        f"How features were scaled is not said. On a set that everybody has a plain SVM reaches "
        f"{percent(min(mean.values()), 1)} to {percent(max(mean.values()), 1)} by it, more "
        "than most differences in Table 1.",
        {"features": list(mean), "SVM accuracy": [f"{100 * v:.1f} %" for v in mean.values()]},
        spread > 0.01,
    )


@lru_cache(maxsize=1)
def unstated_strengths() -> Demonstration:
    """E-SVM with its true groups at a few α and β."""
    rows = {"α": [], "β": [], "accuracy": []}
    values = []
    draws = [load(ESVMSpec(n_features=504, n_groups=56, seed=seed)) for seed in range(5)]
    for alpha in (1.0, 100.0):
        for beta in (1.0, 100.0, 10_000.0):
            right = []
            for data in draws:
                w = solve_svm(data.X, data.y, data.groups, alpha, beta, tol=1e-4).w
                right.append(float(np.mean(np.sign(data.test.X @ w) == data.test.y)))
            values.append(float(np.mean(right)))
            rows["α"].append(f"{alpha:g}")
            rows["β"].append(f"{beta:,g}")
            rows["accuracy"].append(f"{100 * values[-1]:.1f} %")
    return Demonstration(
        "α, β and how they were chosen are not given. With the true groups E-SVM reaches "
        f"{percent(min(values), 1)} to {percent(max(values), 1)} on the same five "
        "small data sets by them alone.",
        rows,
        max(values) - min(values) > 0.02,
    )


@lru_cache(maxsize=1)
def two_classes() -> Demonstration:
    """Ten digits that everybody has, made into two classes in three ways: a plain SVM."""
    with one_at_a_time:
        from sklearn.model_selection import StratifiedKFold, cross_val_score
        from sklearn.svm import LinearSVC

    data = load(BundledSpec("digits"))
    X, digits = data.X[:500] / 16.0, data.y[:500]
    ways = {
        "0–4 against 5–9": digits >= 5,
        "odd against even": digits % 2 == 1,
        "1 against all others": digits == 1,
    }
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    model = LinearSVC(dual=True, max_iter=20_000, random_state=0)
    mean = {
        way: float(np.mean(cross_val_score(model, X, positive, cv=folds)))
        for way, positive in ways.items()
    }
    larger = [
        max(float(np.mean(positive)), 1.0 - float(np.mean(positive))) for positive in ways.values()
    ]
    return Demonstration(
        "Handwritten digits have ten classes and ISOLET's letters 26, but E-SVM has two; which, "
        "and how many classes were left, is not said. On 500 digits that everybody has a plain SVM "
        f"reaches {percent(min(mean.values()), 1)} to {percent(max(mean.values()), 1)} by that "
        "alone.",
        {
            "classes": list(mean),
            "larger class": [f"{100 * share:.1f} %" for share in larger],
            "SVM accuracy": [f"{100 * v:.1f} %" for v in mean.values()],
        },
        max(mean.values()) - min(mean.values()) > 0.02,
    )
