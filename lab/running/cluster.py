"""A Dask cluster on this machine, for sweeps and comparisons of the app and for `solvers.fit`.

    python -m lab.running.cluster [--workers 2] [--port 8786]

Started once, it serves every process that names its address, until it is interrupted. It answers
loopback only: whoever reaches a scheduler can run anything on its workers. `make cluster` runs it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading

from lab.running import priority
from lab.running.pools import DASK_VARIABLE

ADDRESS = "127.0.0.1"
PORT = 8786


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cores = os.cpu_count() or 1
    parser.add_argument("--workers", type=int, default=cores, help="processes of one thread each")
    parser.add_argument("--port", type=int, default=PORT, help="0 takes a free one")
    arguments = parser.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # before the workers load their libraries
    try:
        from distributed import LocalCluster
    except ImportError:
        sys.exit("Dask is not installed here; `make cluster` installs it.")
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    if hasattr(os, "nice"):
        os.nice(priority.NICENESS)  # and with it the workers: the app on this machine goes first
    try:
        cluster = LocalCluster(
            n_workers=max(1, arguments.workers),
            threads_per_worker=1,
            host=ADDRESS,
            scheduler_port=arguments.port,
            dashboard_address=f"{ADDRESS}:0",
        )
    except (OSError, RuntimeError):
        sys.exit(f"Port {arguments.port} is taken, perhaps by a cluster that runs already.")
    with cluster:
        address = cluster.scheduler_address
        print(f"A cluster of {len(cluster.workers)} processes answers at {address}.")
        print(f"For the app: {DASK_VARIABLE}={address} make run")
        print("Ctrl-C ends it.", flush=True)
        ended.wait()


if __name__ == "__main__":
    main()
