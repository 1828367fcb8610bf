"""What the paper states in passing, claims of its figures' sketch and steps of its proofs.

    python -m benchmarks.statements            about ten minutes
    python -m benchmarks.statements --quick    few points and draws, about a minute
    python -m benchmarks.statements --only subgradient_svm     these, beside what is there

Writes benchmarks/results/statements.json (or statements-quick.json). The mathematics is in
`lab.paper.checks`; apart from the two costs, the numbers are the same on every machine up to
rounding.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from benchmarks import common
from lab.paper.checks import (
    costs,
    formulations,
    group_count,
    group_lasso,
    lemmas,
    patterns,
    proofs,
    subgradient,
)
from lab.results import made_here


def checks(quick: bool) -> dict[str, Callable[[], dict]]:
    """Every check by its name, still to be run."""
    points, draws = (100, 4) if quick else (2000, 60)
    few = 10 if quick else 100
    return {
        "figure_1": lambda: patterns.figure_1(draws),
        "correlated_pair": lambda: patterns.correlated_pair(4 if quick else 200),
        "split": lambda: formulations.split(few),
        "q_matrix": lambda: formulations.q_matrix(few),
        "simple_proxes": lambda: formulations.simple_proxes(points),
        "prox_by_cone": lambda: formulations.prox_by_cone(points),
        "closed_form": lambda: formulations.closed_form(points),
        "separable": lambda: formulations.separable(points),
        "nonsmooth": lambda: formulations.nonsmooth(),
        "overlapped_prox": lambda: formulations.overlapped_prox(5 if quick else 20),
        "theorem_4": lambda: formulations.theorem_4(few),
        "locp_unavailable": lambda: formulations.locp_unavailable(),
        "group_lasso": lambda: group_lasso.by_shrinking_groups(2 if quick else 20),
        "lemma_1_steps": lambda: lemmas.lemma_1_steps(points),
        "lemma_2_steps": lambda: lemmas.lemma_2_steps(points),
        "lemma_3_steps": lambda: lemmas.lemma_3_steps(points),
        "conditioning": lambda: proofs.conditioning(),
        "monotone_in_s": lambda: proofs.monotone_in_s(),
        "bernstein": lambda: proofs.bernstein(),
        "half": lambda: proofs.half(),
        "final_union": lambda: proofs.final_union(points),
        "group_sizes": lambda: proofs.group_sizes(points),
        "pcp_iteration": lambda: costs.pcp_iteration(20 if quick else 300),
        "locp_growth": lambda: costs.locp_growth(5 if quick else 30),
        "subgradient_lasso": lambda: subgradient.falls("lasso", 2 if quick else 5),
        "subgradient_svm": lambda: subgradient.falls("svm", 2 if quick else 5),
        "group_count": lambda: group_count.sweep(2 if quick else 20),
    }


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few points and draws")
    parser.add_argument("--only", nargs="+", choices=checks(True), help="run these alone")
    chosen = parser.parse_args(arguments)
    quick, name = chosen.quick, "statements-quick" if chosen.quick else "statements"
    started = time.perf_counter()
    wanted = checks(quick)
    found = {key: wanted[key]() for key in chosen.only or wanted}
    results = {"quick": quick, "seed": 0, **found}
    results["elapsed_seconds"] = round(time.perf_counter() - started, 1)
    if chosen.only and common.path_of(name).exists():
        # The rest stays as it was made: date, versions and time of the file are those of that run.
        again = {key: {**row, "made": made_here()} for key, row in found.items()}
        results = {**common.read(name), **again}
    path = common.write(name, results, compact=True)
    for key, row in results.items():
        print(f"{key:<18} {row}")
    print(f"wrote {path.name} ({results['elapsed_seconds']} s)")


if __name__ == "__main__":
    main()
