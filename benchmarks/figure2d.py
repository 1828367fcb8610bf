"""The paper's Fig. 2(d): accuracy of SVM, S-SVM, Kong, E-SVM and E-SVM(R) against m.

    python -m benchmarks.figure2d                      the paper's setting, both noise models
    python -m benchmarks.figure2d --quick              n = 504 and m = 28, 56, in seconds
    python -m benchmarks.figure2d --ms 112 315 --noise independent --workers 2
    python -m benchmarks.figure2d --dry                what is there and what is to do

n = 5040, m = 112 … 2520 samples and groups, 10 repeats, strengths chosen for every method by the
same cross-validation on training data only, and every E-SVM certified to a relative gap of 1e-4 or
better. Writes benchmarks/results/figure2d.json after every trial and continues where it was
stopped: cheap cells are complete early, dear ones get their first repeats in between.
"""

from __future__ import annotations

import argparse

from benchmarks import cells
from lab.sweeps import FIG2D_METHODS, NOISES, PAPER_MS, Fig2dSpec


def tasks(specs: list[Fig2dSpec]) -> list[cells.Task]:
    return cells.in_useful_order(
        cells.Task(
            (("noise", spec.noise), ("m", m), ("method", method)),
            repeat,
            spec,
            (m, repeat, method),
            spec.cost((m, repeat, method)),
        )
        for spec in specs
        for m, repeat, method in spec.trials()
    )


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cells.add_options(parser)
    parser.add_argument("--ms", nargs="+", type=int, default=None)
    parser.add_argument("--repeats", type=int, default=None)
    parser.add_argument("--noise", nargs="+", choices=NOISES, default=list(NOISES))
    parser.add_argument("--methods", nargs="+", choices=FIG2D_METHODS, default=list(FIG2D_METHODS))
    chosen = parser.parse_args(arguments)
    quick = chosen.quick
    sizes = dict(n_features=504) if quick else {}
    specs = [
        Fig2dSpec(
            ms=tuple(chosen.ms or ((28, 56) if quick else PAPER_MS)),
            repeats=chosen.repeats or (2 if quick else 10),
            noise=noise,
            methods=tuple(chosen.methods),
            **sizes,
        )
        for noise in chosen.noise
    ]
    head = {
        "quick": quick,
        "n_features": specs[0].n_features,
        "seed": specs[0].seed,
        "group_rule": specs[0].group_rule,
        "protocol": specs[0].protocol.in_words(),
        "wanted": {"ms": list(PAPER_MS), "repeats": 10},
    }
    name = "figure2d-quick" if quick else "figure2d"
    cells.run(
        name,
        tasks(specs),
        head,
        workers=chosen.workers,
        seconds=0.0 if chosen.dry else chosen.seconds,
    )


if __name__ == "__main__":
    main()
