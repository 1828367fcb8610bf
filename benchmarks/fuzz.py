"""Thousands of odd problems through "auto" and every method: certified or honest, and never wrong.

    python -m benchmarks.fuzz [--problems 3000] [--first 0]
    python -m benchmarks.fuzz --options --problems 1000     with signs, weights and the newer losses

Prints every complaint with the seed that repeats it, and writes the counts: how each method ended,
at which scales, how many answers an independent solver could judge, and the slowest answer.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict

from benchmarks import common
from tests.fuzzing import answer, lowest_known, odd_options, odd_problem
from tests.oracles import METHODS

WRITE_EVERY = 50


class Tally:
    """What became of the problems so far."""

    def __init__(self, first_seed: int, draw=odd_problem) -> None:
        self.first_seed = first_seed
        self._draw = draw
        self.problems = Counter()
        self.scales = Counter()
        self.statuses = defaultdict(Counter)
        self.judged = Counter()
        self.slowest = {"cpu_seconds": 0.0}
        self.complaints = []
        self.cpu_seconds = 0.0

    def put(self, seed: int, max_seconds: float) -> None:
        odd = self._draw(seed)
        kind = odd.plain.kind
        self.problems[kind] += 1
        self.scales[scale_name(odd.data_exponent)] += 1
        _, by_reference = lowest_known(odd.plain)
        for key in ("auto", *METHODS[kind]):
            started = time.process_time()
            given = answer(odd, key, max_seconds=max_seconds)
            took = time.process_time() - started
            self.cpu_seconds += took
            if took > self.slowest["cpu_seconds"]:
                self.slowest = {"cpu_seconds": took, "seed": seed, "method": key}
            self.statuses[f"{kind} {key}"][given.status] += 1
            self.judged["CVXPY's point" if by_reference else "w = 0 only"] += 1
            for complaint in given.complaints:
                self.complaints.append({"seed": seed, "method": key, "complaint": complaint})
                print(f"seed {seed}, {kind} {key}: {complaint}", flush=True)

    def record(self) -> dict:
        return {
            "first_seed": self.first_seed,
            "problems": self.problems.total(),
            "problems_by_kind": dict(self.problems),
            "answers": sum(counts.total() for counts in self.statuses.values()),
            "bounds_judged_by": dict(self.judged),
            "scales_of_data": dict(sorted(self.scales.items())),
            "statuses": {key: dict(counts) for key, counts in sorted(self.statuses.items())},
            "slowest_answer": self.slowest,
            "complaints": self.complaints,
            "cpu_seconds": self.cpu_seconds,
        }


def scale_name(exponent: int) -> str:
    """The decade of 50 that a power of two falls in."""
    if exponent == 0:
        return "as drawn"
    size = round(0.30103 * exponent)
    low = 50 * (size // 50)
    return f"1e{low:+d} to 1e{low + 50:+d}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first problem")
    parser.add_argument("--seconds", type=float, default=0.1, help="solver time for each answer")
    parser.add_argument("--options", action="store_true", help="signs, weights and newer losses")
    arguments = parser.parse_args()
    tally = Tally(arguments.first, odd_options if arguments.options else odd_problem)
    file = "fuzz_options" if arguments.options else "fuzz"
    for done in range(1, arguments.problems + 1):
        tally.put(arguments.first + done - 1, arguments.seconds)
        if done % WRITE_EVERY == 0 or done == arguments.problems:
            common.write(file, {"seconds_an_answer": arguments.seconds, **tally.record()})
    found = tally.record()
    print(f"{found['answers']} answers, {len(tally.complaints)} complaints")


if __name__ == "__main__":
    main()
