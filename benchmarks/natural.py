"""Sets with groups of their own: structure bought, accuracy paid or not.

    python -m benchmarks.natural                       every set, as the app ships it
    python -m benchmarks.natural --sets mfeat --processes 2
    python -m benchmarks.natural --sets nmr            NMR mixtures alone, about four minutes
    python -m benchmarks.natural --dry                 what is there and what is to do

Classes: a few training samples of each, drawn anew in each repeat, all others to test on; every
method tuned alike on training samples only, ties between strengths to the strongest. NMR mixtures:
pure spectra mixed anew in each repeat. Adds each trial to benchmarks/results/trials as it ends and
continues where it was stopped. The files are looked for where EXCLUSIVE_SPARSITY_DATA says.
"""

from __future__ import annotations

import argparse

from benchmarks import trials
from lab.accuracy import mixtures
from lab.accuracy.natural import GroupedSpec, run_grouped, specs
from lab.data.natural import NATURAL
from lab.results import Trial

MIXTURES = "nmr"


def run_one(spec: GroupedSpec | mixtures.MixturesSpec, trial: Trial) -> dict:
    """One method on one draw or one mixture."""
    if isinstance(spec, GroupedSpec):
        return run_grouped(spec, trial)
    return mixtures.run_mixture(spec, trial)


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    trials.add_options(parser)
    names = [*NATURAL, MIXTURES]
    parser.add_argument("--sets", nargs="+", choices=names, default=names)
    chosen = parser.parse_args(arguments)
    wanted = [spec for spec in specs() if spec.data in chosen.sets]
    if MIXTURES in chosen.sets:
        wanted += mixtures.specs()
    # The first draw of every set before the second of any.
    tasks = sorted(
        ((spec, trial) for spec in wanted for trial in spec.trials()), key=lambda task: task[1][0]
    )
    trials.ship("Natural groups", tasks, chosen, call=run_one)


if __name__ == "__main__":
    main()
