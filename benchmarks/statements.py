"""What the paper states in passing, claims of its figures' sketch and steps of its proofs.

    python -m benchmarks.statements            about ten minutes
    python -m benchmarks.statements --quick    few points and draws, about a minute

Writes benchmarks/results/statements.json (or statements-quick.json). The mathematics is in
`lab.paper.checks`; apart from the two costs, the numbers are the same on every machine up to
rounding.
"""

from __future__ import annotations

import argparse
import time

from benchmarks import common
from lab.paper.checks import costs, formulations, group_count, patterns, proofs


def measure(quick: bool) -> dict:
    points, draws = (100, 4) if quick else (2000, 60)
    few = 10 if quick else 100
    return {
        "figure_1": patterns.figure_1(draws),
        "correlated_pair": patterns.correlated_pair(4 if quick else 200),
        "split": formulations.split(few),
        "q_matrix": formulations.q_matrix(few),
        "simple_proxes": formulations.simple_proxes(points),
        "prox_by_cone": formulations.prox_by_cone(points),
        "closed_form": formulations.closed_form(points),
        "separable": formulations.separable(points),
        "nonsmooth": formulations.nonsmooth(),
        "overlapped_prox": formulations.overlapped_prox(5 if quick else 20),
        "theorem_4": formulations.theorem_4(few),
        "locp_unavailable": formulations.locp_unavailable(),
        "lemma_1_steps": proofs.lemma_1_steps(points),
        "lemma_2_steps": proofs.lemma_2_steps(points),
        "lemma_3_steps": proofs.lemma_3_steps(points),
        "conditioning": proofs.conditioning(),
        "monotone_in_s": proofs.monotone_in_s(),
        "bernstein": proofs.bernstein(),
        "half": proofs.half(),
        "final_union": proofs.final_union(points),
        "group_sizes": proofs.group_sizes(points),
        "pcp_iteration": costs.pcp_iteration(20 if quick else 300),
        "locp_growth": costs.locp_growth(5 if quick else 30),
        "group_count": group_count.sweep(2 if quick else 20),
    }


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few points and draws")
    quick = parser.parse_args(arguments).quick
    started = time.perf_counter()
    results = {"quick": quick, "seed": 0, **measure(quick)}
    results["elapsed_seconds"] = round(time.perf_counter() - started, 1)
    path = common.write("statements-quick" if quick else "statements", results, compact=True)
    for name, row in results.items():
        print(f"{name:<18} {row}")
    print(f"wrote {path.name} ({results['elapsed_seconds']} s)")


if __name__ == "__main__":
    main()
