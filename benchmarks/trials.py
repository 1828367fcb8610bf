"""Long experiments as trials of sweeps: run what is not known, in a useful order, keep each.

The queue is that of the app and so is the store: a trial that was run by any command, by a visitor
or for the committed results is not run again. A run may be stopped at any time and continued.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lab.accuracy import run_trial
from lab.accuracy.specs import Spec
from lab.results import Store, Trial, complete, shipped
from lab.running import jobs
from lab.words import clock, percent

Task = tuple[Spec, Trial]


def ship(title: str, tasks: Sequence[Task], chosen, call: Callable[..., dict] = run_trial) -> str:
    """Run as the options of `add_options` say, into what comes with the product; how it ended."""
    return run(
        title,
        tasks,
        shipped(),
        also=[Store()],
        processes=chosen.processes,
        seconds=0.0 if chosen.dry else chosen.seconds,
        call=call,
    )


def run(
    title: str,
    tasks: Sequence[Task],
    store: Store,
    *,
    also: Sequence[Store] = (),
    processes: int = 1,
    seconds: float = np.inf,
    call: Callable[..., dict[str, Any]] = run_trial,
    report: Callable[[str], None] = print,
) -> str:
    """Run the tasks that are not known, in their order, into the store; how it ended.

    What is known in other stores (`also`) is copied to this one with its maker. With `seconds` at 0
    nothing is run or written.
    """
    specs = {spec for spec, _ in tasks}
    found = {spec: complete(spec, *(each.load(spec) for each in (store, *also))) for spec in specs}
    todo = [(spec, trial) for spec, trial in tasks if trial not in found[spec]]
    report(f"{title}: {len(todo)} of {len(tasks)} trials to do")
    if seconds <= 0.0:
        return "dry"
    _copy(tasks, found, store)
    if not todo:
        return "done"
    for spec in {spec for spec, _ in todo}:
        store.open(spec)
    queue = jobs.JobQueue(workers=processes, expiry_seconds=float("inf"))
    job = queue.submit(
        title,
        call,
        todo,
        on_result=lambda index, result: store.add(todo[index][0], result),
        costs=[spec.cost(trial) for spec, trial in todo],
    )
    try:
        return _follow(job, time.monotonic() + seconds, report)
    except KeyboardInterrupt:
        report("stopped; the same command continues where this one ended")
        job.cancel()
        raise SystemExit(130) from None
    finally:
        queue.close()


def _copy(tasks: Sequence[Task], found: dict[Spec, dict[Trial, dict]], store: Store) -> None:
    there = {spec: store.load(spec) for spec in found}
    for spec, trial in tasks:
        if trial in found[spec] and trial not in there[spec]:
            result = found[spec][trial]
            store.add(spec, result, result.get("made") or {})


def _follow(job, deadline: float, report: Callable[[str], None]) -> str:
    shown, told = 0, ""
    while True:
        now = job.snapshot()
        if now.error != told:
            told = now.error
            print(f"  {told}", file=sys.stderr, flush=True)
        if now.done != shown and now.results:
            shown = now.done
            _, result = now.results[-1]
            left = "" if now.seconds_left is None else f", about {clock(now.seconds_left)} left"
            trial = " ".join(str(part) for part in result["trial"])
            report(
                f"  {now.done}/{now.total}  {trial}: {percent(result['accuracy'])} "
                f"({result['seconds']:.1f} s){left}"
            )
        if now.state in jobs.ENDED:
            report(f"  {now.state} after {clock(now.seconds)}")
            return now.state
        if time.monotonic() > deadline:
            job.cancel()
        time.sleep(0.2)


def add_options(parser) -> None:
    """The options that all long experiments share."""
    parser.add_argument(
        "--processes",
        type=int,
        default=max(1, os.cpu_count() or 1),
        help="worker processes, one BLAS thread each (one per core)",
    )
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop after about so long")
    parser.add_argument("--dry", action="store_true", help="only say what there is to do")
