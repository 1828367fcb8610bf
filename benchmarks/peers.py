"""How do we compare with others' software for the exclusive lasso, on their own problems?

    python -m benchmarks.peers              B1 to B5, their 500 × 100,000, and R's printed problems
    python -m benchmarks.peers --quick      small versions of the same, in under a minute

B1 to B5 are the problems of PPDNA's authors (Lin, Yuan, Sun and Toh), drawn anew as their paper
describes them; R1 to R3 are those that the package ExclusiveLasso prints times for (of R2 with
degrees of freedom, which ours then includes too), R4 and R5 two on which we ran it. Ours are
timed in processor seconds of one thread, and judged by both measures: the certified relative gap,
and the authors' η = ‖w − prox(w − ∇f(w))‖/(1 + ‖∇f‖ + ‖w‖). Beside them stand the others' times,
quoted with where they come from, on other machines unless said: not a race.

For the wide paths B4 and B5 the same run also goes point by point with warm starts: by an interior
point, which is what this software did before it sieved, and by calls of `solve_lasso` or
`solve_logistic` with `w0`. Products Xᵀθ are counted. What a former version of
this software takes for the path of B4, on the same data and within the same run, is measured by

    git worktree add ../former 4e79af4
    python -m benchmarks.peers --only B4 --former ../former
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import common
from lab.data.peers import LAM, PeersSpec
from solvers import Groups, lasso_path, logistic_path, solve_lasso, solve_logistic
from solvers.design import Design
from solvers.problems import LassoProblem, LogisticProblem
from solvers.scales import lambda_0
from solvers.selection import degrees_of_freedom

GROUPS = 20
TOL = 1e-6
SINGLE_TOL = 1e-9  # of B1 to B3, where a gap of 1e-6 leaves η at 1e-4
OCTAVE = "their Matlab code in Octave on another day, one thread, busy machine"
PRINTED = "printed by the package's authors, on their machine"
RAN = "the package on another day, one thread, busy machine"


@dataclass(frozen=True)
class Peer:
    """One problem: how it is drawn, at what strengths, and what its authors need."""

    title: str
    loss: str
    n_samples: int
    n_features: int
    banded: bool
    theirs: float | None
    source: str | None
    points: int = 1
    n_groups: int = GROUPS
    degrees_of_freedom: bool = False

    @property
    def logistic(self) -> bool:
        return "logistic" in self.loss

    @property
    def by_r(self) -> bool:
        return self.loss.startswith("R")


PEERS = {
    "B1": Peer("E-LASSO, 200 × 2,000", "squared", 200, 2_000, False, 1.9, OCTAVE),
    "B2": Peer("E-LASSO, 200 × 10,000", "squared", 200, 10_000, False, 4.2, OCTAVE),
    "B3": Peer("logistic, 200 × 4,000", "logistic", 200, 4_000, False, 21.5, OCTAVE),
    "B4": Peer("E-LASSO, 500 × 20,000, 20 λ", "squared", 500, 20_000, True, 29.0, OCTAVE, 20),
    "B5": Peer("logistic, 500 × 20,000, 20 λ", "logistic", 500, 20_000, True, 114.0, OCTAVE, 20),
    "B4 wide": Peer("E-LASSO, 500 × 100,000, 20 λ", "squared", 500, 100_000, True, None, None, 20),
    "R1": Peer("E-LASSO, 200 × 500, 100 λ", "R", 200, 500, False, 0.162, PRINTED, 100, 5),
    "R2": Peer(
        "E-LASSO, 100 × 100, 100 λ with degrees of freedom",
        *("R", 100, 100, False, 2.5, PRINTED, 100, 5),
        degrees_of_freedom=True,
    ),
    "R3": Peer("E-LASSO, 200 × 1,000, 100 λ", "R", 200, 1_000, False, 3.7, PRINTED, 100, 10),
    "R4": Peer("E-LASSO, 400 × 4,000, 100 λ", "R", 400, 4_000, False, 148.0, RAN, 100, 100),
    "R5": Peer("logistic, 200 × 500, 100 λ", "R logistic", 200, 500, False, 0.55, RAN, 100, 5),
}


def draw(peer: Peer, seed: int = 0):
    """X, y and the groups, columns permuted."""
    if not peer.by_r:
        spec = PeersSpec(
            peer.n_samples,
            peer.n_features,
            peer.n_groups,
            task="classification" if peer.logistic else "regression",
            banded=peer.banded,
            seed=seed,
        )
        data = spec.make()
        return data.X, data.y, data.groups
    rng = np.random.default_rng(seed)
    size = peer.n_features // peer.n_groups
    X = rng.standard_normal((peer.n_samples, peer.n_features))
    w = np.zeros(peer.n_features)
    w[::size] = 1.0
    y = X @ w + rng.standard_normal(peer.n_samples)
    if peer.logistic:
        y = np.where(y >= 0.0, 1.0, -1.0)
    return X, y, Groups.from_labels(np.arange(peer.n_features) // size)


def strengths(peer: Peer, X, y) -> np.ndarray:
    """Our λ: twice theirs, because their penalty is λ‖·‖² where ours is λ/2 ‖·‖²."""
    if peer.by_r:
        kind = LogisticProblem if peer.logistic else LassoProblem
        scale = lambda_0(X, y, Groups.contiguous(peer.n_features, peer.n_groups), kind=kind)
        return scale * np.geomspace(1.0, 1e-3, peer.points)
    if not peer.banded:
        return np.array([LAM])
    return 2.0 * np.abs(X.T @ y).max() * np.geomspace(1e-1, 1e-4, peer.points)


def eta(problem, w, intercept=0.0) -> float:
    """The authors' residual of a proximal step of length one."""
    gradient = problem.gradient(w, intercept)
    moved = problem.geometry.shrink(w - gradient, problem.lam)
    size = 1.0 + np.linalg.norm(gradient) + np.linalg.norm(w)
    return float(np.linalg.norm(w - moved) / size)


class Counter:
    """Counts products Xᵀθ while it is entered."""

    def __enter__(self):
        self.products = 0
        self._before: Callable = Design._transposed_product
        counter = self

        def counted(design, theta):
            counter.products += 1
            return counter._before(design, theta)

        Design._transposed_product = counted
        return self

    def __exit__(self, *_):
        Design._transposed_product = self._before


def timed(function):
    with Counter() as counter:
        started = time.process_time()
        found = function()
        seconds = time.process_time() - started
    return found, seconds, counter.products


def measure(peer: Peer, before: bool) -> dict:
    X, y, groups = draw(peer)
    lams = strengths(peer, X, y)
    kind = LogisticProblem if peer.logistic else LassoProblem
    one = solve_logistic if peer.logistic else solve_lasso
    problem = kind(X, y, groups, float(lams[0]))
    if peer.points == 1:
        result, seconds, products = timed(lambda: one(X, y, groups, float(lams[0]), tol=SINGLE_TOL))
        coefs, gaps = [result.w], [result.gap]
    else:
        path, seconds, products = timed(lambda: along(peer, X, y, groups, lams))
        coefs, gaps = path.coefs, path.gaps
    etas = [eta(problem.with_strength(float(lam)), w) for lam, w in zip(lams, coefs, strict=True)]
    row = {
        "title": peer.title,
        "points": peer.points,
        "cpu_seconds": seconds,
        "products": products,
        "worst_gap": float(np.max(gaps)),
        "worst_eta": max(etas),
        "nonzeros": [int(np.count_nonzero(coefs[0])), int(np.count_nonzero(coefs[-1]))],
        "their_seconds": peer.theirs,
        "source": peer.source,
        "peak_memory_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }
    if before and peer.banded:
        for name, method in (("before", "newton"), ("by_auto", "auto")):
            solve_one = partial(one, X, y, groups, tol=TOL, method=method)
            row[name] = point_by_point(solve_one, lams)
            row[name]["times_longer"] = row[name]["cpu_seconds"] / seconds
    return row


def along(peer: Peer, X, y, groups, lams):
    """The path, and the degrees of freedom of every point where those are part of the problem."""
    path = (logistic_path if peer.logistic else lasso_path)(X, y, groups, lams, tol=TOL)
    if peer.degrees_of_freedom:
        for lam, w in zip(lams, path.coefs, strict=True):
            degrees_of_freedom(X, groups, lam, w)
    return path


def point_by_point(solve_one, lams) -> dict:
    """A call for every λ, each from the solution of the one before."""

    def run():
        w, gaps = None, []
        for lam in lams:
            result = solve_one(float(lam), w0=w)
            w = result.w
            gaps.append(result.gap)
        return gaps

    gaps, seconds, products = timed(run)
    return {"cpu_seconds": seconds, "products": products, "worst_gap": max(gaps)}


FORMER = """
import sys, time, numpy as np
from solvers import Groups, lasso_path
data = np.load(sys.argv[1])
groups = Groups.from_labels(data["labels"])
started = time.process_time()
path = lasso_path(data["X"], data["y"], groups, data["lams"], tol=float(sys.argv[2]))
print(time.process_time() - started, path.gaps.max())
"""


def measure_former(peer: Peer, folder: Path) -> dict:
    """The path by the version of this software in that folder, in a process of its own."""
    X, y, groups = draw(peer)
    lams = strengths(peer, X, y)
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, X=X, y=y, labels=groups.labels, lams=lams)
        file.flush()
        told = subprocess.run(
            [sys.executable, "-c", FORMER, file.name, str(TOL)],
            cwd=folder,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    seconds, gap = map(float, told.split())
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=folder, capture_output=True, text=True
    ).stdout.strip()
    return {"commit": commit, "cpu_seconds": seconds, "worst_gap": gap}


def small(peer: Peer) -> Peer:
    """The same at a tenth of the size."""
    return Peer(
        peer.title,
        peer.loss,
        max(peer.n_samples // 5, 30),
        max(peer.n_features // 20, 100) // peer.n_groups * peer.n_groups,
        peer.banded,
        None,
        None,
        min(peer.points, 10),
        peer.n_groups,
        peer.degrees_of_freedom,
    )


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--former", type=Path, help="folder of a former version of this software")
    chosen = parser.parse_args(arguments)
    file = "peers-quick" if chosen.quick else "peers"
    rows = {}
    if len(chosen.only) < len(PEERS) and common.path_of(file).exists():
        rows = common.read(file)["rows"]
    with threadpool_limits(1):
        for name in chosen.only:
            peer = small(PEERS[name]) if chosen.quick else PEERS[name]
            row = rows[name] = measure(peer, before="wide" not in name)
            if chosen.former and name == "B4":
                row["former"] = measure_former(peer, chosen.former.resolve())
                ratio = row["former"]["cpu_seconds"] / row["cpu_seconds"]
                row["times_faster_than_former"] = ratio
                print(f"{name}: {ratio:.1f} × faster than {row['former']['commit']}", flush=True)
            theirs = row["their_seconds"]
            print(
                f"{name:<8} {row['cpu_seconds']:7.3f} s  {row['products']:4d} products  "
                f"gap {row['worst_gap']:.0e}  η {row['worst_eta']:.0e}"
                + ("" if theirs is None else f"  theirs {theirs:g} s")
                + "".join(
                    f"  {name} {row[name]['times_longer']:.1f} ×"
                    for name in ("before", "by_auto")
                    if name in row
                ),
                flush=True,
            )
        # Within the limit, so that the record says one thread.
        common.write(file, {"quick": chosen.quick, "tol": TOL, "rows": rows})


if __name__ == "__main__":
    main()
