"""Thousands of odd problems through every method: certified, or honest about it, and never wrong.

    python -m benchmarks.fuzz [--problems 3000] [--first 0]

Prints every complaint with the seed that repeats it, and writes the counts.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from benchmarks import common
from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS
from tests.fuzzing import answer, odd_problem

METHODS = {"lasso": LASSO_METHODS, "logistic": LOGISTIC_METHODS, "svm": SVM_METHODS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first problem")
    parser.add_argument("--seconds", type=float, default=0.1, help="solver time for each answer")
    arguments = parser.parse_args()
    started, answers, wrong = time.perf_counter(), Counter(), []
    for seed in range(arguments.first, arguments.first + arguments.problems):
        odd = odd_problem(seed)
        for key in METHODS[odd.plain.kind]:
            given = answer(odd, key, max_seconds=arguments.seconds)
            answers[f"{odd.plain.kind} {key}: {given.status}"] += 1
            for complaint in given.complaints:
                wrong.append({"seed": seed, "method": key, "complaint": complaint})
                print(f"seed {seed}, {odd.plain.kind} {key}: {complaint}", flush=True)
    seconds = time.perf_counter() - started
    print(f"{sum(answers.values())} answers, {len(wrong)} complaints, {seconds:.0f} s")
    common.write(
        "fuzz",
        {
            "first_seed": arguments.first,
            "problems": arguments.problems,
            "answers": dict(sorted(answers.items())),
            "complaints": wrong,
            "seconds": seconds,
        },
    )


if __name__ == "__main__":
    main()
