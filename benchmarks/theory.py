"""What the paper proves or states in passing, checked on small problems without a clock.

    python -m benchmarks.theory            about half a minute
    python -m benchmarks.theory --quick    fewer points

Writes benchmarks/results/theory.json (or theory-quick.json): the rates of PCP, LOCP and LICP
against the theorem's bound, as printed and as corrected; the exactness of the projections over
random points; Lemma 1; the prox of the norm itself; the equivalence of λ and φ; Kong's limit. The
numbers are the same on every machine up to rounding.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks import common
from lab.cones import projections as cones
from lab.cones import searches
from lab.paper import rates
from lab.paper.errata import balance, experiments, formulations
from solvers import Groups, dual_exclusive_norm, exclusive_norm, l1_norm, solve_lasso

SEED = 0


def rate_rows() -> dict:
    """Error over the theorem's bound, its largest value, and the last error."""
    rows = {}
    for method in ("pcp", "locp"):
        for printed in (False, True):
            name = f"{method} as printed" if printed else method
            rows[name] = _curve(rates.lasso_curve(method, printed))
    rows["locp line search"] = _curve(rates.line_search_curve())
    for printed in (False, True):
        curves = rates.licp_curves(printed)
        for part in ("dual", "last", "averaged"):
            name = f"licp {part}" + (" as printed" if printed else "")
            rows[name] = _curve(getattr(curves, part))
    return rows


def _curve(curve: rates.Rate) -> dict:
    return {
        "iterations": int(curve.iterations[-1]),
        "last_error": _short(curve.errors[-1]),
        "share_of_bound": _short(curve.share_of_bound),
        "growth_of_k2_error": _short(curve.growth),
    }


def projection_rows(points: int) -> dict:
    """How often Algorithms 2 and 3 are right, as printed and as corrected, at random points."""
    rows = {}
    for cone in cones.CONES:
        for where in ("any b", "b = 0"):
            rng = np.random.default_rng(SEED)
            wrong = {"as printed": 0, "corrected": 0}
            gap, unordered = 0.0, 0
            for _ in range(points):
                a = rng.standard_normal(int(rng.integers(1, 9)))
                b = float(rng.standard_normal()) * a.size if where == "any b" else 0.0
                zeta = float(np.exp(rng.normal(0.0, 1.5)))
                right = cones.project(cone, a, b, zeta)
                printed = searches.printed_search(cone, a, b, zeta).result
                wrong["as printed"] += not printed.is_projection
                wrong["corrected"] += not right.is_projection
                gap = max(gap, right.gap)
                # "if |a_i| ≥ |a_j|, then |x_i| ≥ |x_j|"
                x = np.abs(right.x)[np.argsort(-np.abs(a))]
                unordered += bool(np.any(np.diff(x) > 1e-15))
            rows[f"{searches.ALGORITHMS[cone]}, {where}"] = {
                "points": points,
                "wrong_as_printed": wrong["as printed"],
                "wrong_corrected": wrong["corrected"],
                "worst_gap_corrected": _short(gap),
                "not_monotone": unordered,
            }
    return rows


def lemma_1(points: int) -> dict:
    """‖w‖_e² = Σ_g max_v (2/β)⟨w_g, v⟩ − ‖v‖∞²/β²: attained at β‖w_g‖₁·sgn(w_g), not passed."""
    rng = np.random.default_rng(SEED)
    worst, exceeded = 0.0, 0
    for _ in range(points):
        groups = Groups.from_lists(
            [sorted(rng.choice(12, 5, replace=False).tolist()) for _ in range(6)]
            + [list(range(12))],
            12,
        )
        w, beta = rng.standard_normal(12), float(np.exp(rng.normal()))
        norm = exclusive_norm(w, groups) ** 2
        attained = 0.0
        tried = 0.0
        for members in groups.lists():
            part = w[members]
            at = beta * np.abs(part).sum() * np.sign(part)
            other = at + rng.standard_normal(part.size)
            for v, keep in ((at, True), (other, False)):
                value = 2.0 / beta * float(part @ v) - float(np.abs(v).max()) ** 2 / beta**2
                if keep:
                    attained += value
                else:
                    tried += value
        worst = max(worst, abs(attained - norm) / norm)
        exceeded += tried > norm * (1 + 1e-12)
    return {"points": points, "worst_error": _short(worst), "exceeded": exceeded}


def one_group(points: int) -> dict:
    """m = 1 makes ‖·‖_e the ℓ1 norm."""
    rng = np.random.default_rng(SEED)
    vectors = [rng.standard_normal(20) for _ in range(points)]
    group = Groups.contiguous(20, 1)
    worst = max(abs(exclusive_norm(w, group) / l1_norm(w) - 1.0) for w in vectors)
    return {"points": points, "worst_error": _short(worst)}


def norm_prox(points: int) -> dict:
    rng = np.random.default_rng(SEED)
    worst, most = 0.0, 0
    for _ in range(points):
        groups = Groups.random(40, int(rng.integers(1, 20)), rng)
        c = rng.standard_normal(40)
        phi = float(rng.uniform(0.02, 1.2)) * dual_exclusive_norm(c, groups)
        w, evaluations = formulations.prox_of_norm(c, groups, phi)
        worst = max(worst, formulations.norm_prox_residual(c, w, groups, phi))
        most = max(most, evaluations)
    return {"points": points, "worst_residual": _short(worst), "most_squared_proxes": most}


def lam_and_phi() -> dict:
    """The minimiser with λ/2‖w‖_e² is the one with φ‖w‖_e at φ = λ‖w‖_e, and φ < φ_max."""
    rng = np.random.default_rng(SEED)
    X, groups = rng.standard_normal((40, 60)), Groups.contiguous(60, 6)
    y = X[:, ::10].sum(axis=1) + rng.standard_normal(40)
    phi_max = dual_exclusive_norm(X.T @ y, groups)
    rows = {"lam": [], "phi_over_max": [], "residual": []}
    for lam in (0.1, 1.0, 10.0, 100.0, 1e4):
        w = solve_lasso(X, y, groups, lam, tol=1e-13).w
        phi = lam * exclusive_norm(w, groups)
        slope = X.T @ (y - X @ w)
        outside = max(dual_exclusive_norm(slope, groups) / phi - 1.0, 0.0)
        misaligned = abs(float(slope @ w) / (phi * exclusive_norm(w, groups)) - 1.0)
        rows["lam"].append(lam)
        rows["phi_over_max"].append(_short(phi / phi_max))
        rows["residual"].append(_short(max(outside, misaligned)))
    return rows


def kong() -> dict:
    """The certificate that Kong's iteration reaches from a dense start."""
    shown = experiments.kong_limit()
    dense, _, stuck = experiments.kong_ends()
    return {
        "finding": shown.finding,
        "optimal_from_a_dense_start": shown.differs,
        "gap": _short(dense.gap),
        "stuck": _short(stuck),
    }


def constants() -> dict:
    """The least constants available in Theorem 5's proof over t in (0, 1)."""
    found = np.array([balance.available_constants(t) for t in np.linspace(0.001, 0.999, 999)])
    return {
        name: {"available": _short(value), "used": used}
        for name, value, used in zip(
            ("upper", "lower", "total"), found.min(axis=0), (0.08, 0.2, 0.001), strict=True
        )
    }


def _short(value) -> float:
    return float(f"{float(value):.4g}")


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer points, in seconds")
    quick = parser.parse_args(arguments).quick
    points = 300 if quick else 10_000
    started = time.perf_counter()
    results = {
        "quick": quick,
        "seed": SEED,
        "rates": rate_rows(),
        "projections": projection_rows(points),
        "lemma_1": lemma_1(points // 10),
        "one_group": one_group(points // 10),
        "norm_prox": norm_prox(points // 50),
        "lam_and_phi": lam_and_phi(),
        "kong": kong(),
        "constants": constants(),
    }
    results["elapsed_seconds"] = round(time.perf_counter() - started, 1)
    path = common.write("theory-quick" if quick else "theory", results, compact=True)
    for name in ("rates", "projections"):
        for key, row in results[name].items():
            print(f"{key:<28} {row}")
    for name in ("lemma_1", "one_group", "norm_prox", "lam_and_phi", "kong", "constants"):
        print(f"{name:<14} {results[name]}")
    print(f"wrote {path.name} ({results['elapsed_seconds']} s)")


if __name__ == "__main__":
    main()
