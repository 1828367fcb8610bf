"""What 10⁹ features × 10⁶ samples would cost: a model of time and bytes, checked on small sizes.

    python -m benchmarks.scale_model            # writes results/scale_model.json and the tables

The model has three parts, each put to a test here. A pass over sparse data (Xw and Xᵀθ) takes time
in proportion to the nonzeros, and a prox in proportion to the weights: fitted on three sizes in
processor time, they predict a fourth. The passes to a certified answer are counted by our own
solvers on Dask arrays. Machines that each hold some features add up Xw around a ring, and wait for
the slowest: the closed form is compared with a simulation, message by message, whose machines have
hiccups. Networks and machines of the forecast are assumptions, named in `MACHINE`; nothing of that
size was run.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy import sparse, stats

from benchmarks import common
from solvers import Groups, prox_exclusive, solve_lasso, solve_svm

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "internet_scale.md"
FEATURES, SAMPLES = 10**9, 10**6
NONZEROS_A_SAMPLE = (100, 1000)
MACHINES = (10, 100, 1000)
BYTES_A_NONZERO = 8  # single precision and a 32-bit row number, stored by columns
BYTES_A_NUMBER = 8
PASSES = 60  # the bound that E-SVM is held to on Dask; E-LASSO's is half of it


@dataclass(frozen=True)
class Machine:
    """What the forecast assumes: a data centre's network, eight cores each, mild hiccups."""

    bytes_a_second: float = 1.25e9  # 10 Gbit/s
    latency_seconds: float = 50e-6
    cores: int = 8
    hiccups: float = 0.2  # standard deviation of the logarithm of a machine's time
    memory_bytes: float = 64e9


MACHINE = Machine()


# -- the model -----------------------------------------------------------------------------


def slowest(machines: int, spread: float) -> float:
    """The mean of the largest of so many log-normal times of median 1."""
    grid = np.exp(np.linspace(-8.0, 8.0, 4001) * max(spread, 1e-12))
    beyond = 1.0 - stats.lognorm.cdf(grid, max(spread, 1e-12)) ** machines
    return float(grid[0] + np.trapezoid(beyond, grid))


def ring_seconds(numbers: float, machines: int, machine: Machine) -> float:
    """Adding up vectors around a ring: 2(K − 1) messages of a K-th part each."""
    part = BYTES_A_NUMBER * numbers / machines
    return 2 * (machines - 1) * (machine.latency_seconds + part / machine.bytes_a_second)


def pass_seconds(work: float, numbers: float, machines: int, machine: Machine) -> float:
    """`work` seconds of a mean machine, times the slowest, and the sum of vectors."""
    return work * slowest(machines, machine.hiccups) + ring_seconds(numbers, machines, machine)


# -- its tests on small sizes --------------------------------------------------------------


def seconds_of_pass(nonzeros: int, rng, repeats: int = 5) -> float:
    """Processor seconds of Xw and Xᵀθ on sparse data by columns, the least of some repeats."""
    samples = SAMPLES  # so that θ is as far from the processor as it would be
    rows = rng.integers(0, samples, nonzeros, dtype=np.int32)
    values = rng.standard_normal(nonzeros).astype(np.float32)
    starts = np.arange(0, nonzeros + 1, 10, dtype=np.int32)
    X = sparse.csc_array((values, rows, starts), shape=(samples, len(starts) - 1))
    w, theta = rng.standard_normal(X.shape[1]), rng.standard_normal(samples)
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        X @ w, X.T @ theta
        taken.append(time.process_time() - began)
    return min(taken)


def seconds_of_prox(features: int, rng, repeats: int = 5) -> float:
    """Processor seconds of one prox of the exclusive norm, random groups of about a thousand."""
    groups = Groups.random(features, features // 1000, random_state=0)
    c, taken = rng.standard_normal(features), []
    for _ in range(repeats):
        began = time.process_time()
        prox_exclusive(c, groups, 1.0)
        taken.append(time.process_time() - began)
    return min(taken)


def cost(measure, sizes: list[int]) -> dict:
    """Seconds for each of so many from all sizes but the largest, and what they say of that."""
    rng = np.random.default_rng(0)
    taken = [measure(size, rng) for size in sizes]
    each = float(np.dot(sizes[:-1], taken[:-1]) / np.dot(sizes[:-1], sizes[:-1]))
    return {
        "sizes": sizes,
        "processor_seconds": taken,
        "seconds_each": each,
        "predicted_over_measured": each * sizes[-1] / taken[-1],
    }


def counted_passes(shapes: list[tuple[int, int]]) -> list[dict]:
    """Passes over X until the relative gap is at most 1e-3, counted by the solvers."""
    import dask.array as da

    found = []
    for samples, features in shapes:
        rng = np.random.default_rng(features)
        X = rng.standard_normal((samples, features))
        w = np.zeros(features)
        w[:: features // 10] = 1.0
        z = X @ w + 0.1 * rng.standard_normal(samples)
        groups = Groups.random(features, 10, random_state=0)
        blocks = da.from_array(X, chunks=(samples, features // 4))
        lasso = solve_lasso(blocks, z, groups, 1.0, tol=1e-3)
        svm = solve_svm(blocks, np.where(z > 0, 1.0, -1.0), groups, 1.0, 1.0, tol=1e-3)
        found.append(
            {
                "samples": samples,
                "features": features,
                "lasso": {"passes": lasso.n_passes, "gap": lasso.gap},
                "svm": {"passes": svm.n_passes, "gap": svm.gap},
            }
        )
    return found


def simulated_pass(work, numbers, machines, machine: Machine, rng) -> float:
    """One pass, message by message: a machine goes on when it and the one before are ready."""
    ready = work * np.exp(machine.hiccups * rng.standard_normal(machines))
    part = BYTES_A_NUMBER * numbers / machines
    message = machine.latency_seconds + part / machine.bytes_a_second
    for _ in range(2 * (machines - 1)):
        ready = np.maximum(ready, np.roll(ready, 1)) + message
    return float(ready.max())


def against_simulation(draws: int) -> list[dict]:
    """The closed form over the mean of the simulation, for few and for many machines."""
    rng, found = np.random.default_rng(1), []
    for machines in (2, 4, 16, 64, 256):
        for work in (0.01, 1.0):
            numbers = 1e6
            drawn = [simulated_pass(work, numbers, machines, MACHINE, rng) for _ in range(draws)]
            model = pass_seconds(work, numbers, machines, MACHINE)
            found.append(
                {
                    "machines": machines,
                    "work_seconds": work,
                    "model_seconds": model,
                    "simulated_seconds": float(np.mean(drawn)),
                    "model_over_simulated": model / float(np.mean(drawn)),
                }
            )
    return found


def heaviest_share(features: int, samples: int, a_sample: int, machines: int, rng) -> float:
    """The most loaded machine's nonzeros over the mean's, features dealt at random, Zipf's law.

    A feature is in a sample once at most, so none has more nonzeros than there are samples.
    """
    popularity = 1.0 / np.arange(1, features + 1)
    counts = np.minimum(samples, a_sample * samples * popularity / popularity.sum())
    load = np.bincount(rng.integers(0, machines, features), counts, machines)
    return float(load.max() / load.mean())


# -- the forecast --------------------------------------------------------------------------


def forecast(a_nonzero: float, a_weight: float, machine: Machine = MACHINE) -> list[dict]:
    """Rows of the table, from the seconds of a pass a nonzero and of a prox a weight."""
    rows = []
    prox = a_weight * FEATURES / machine.cores
    gathered = 2 * BYTES_A_NUMBER * FEATURES / machine.bytes_a_second
    for a_sample in NONZEROS_A_SAMPLE:
        nonzeros = a_sample * SAMPLES
        for machines in MACHINES:
            products = a_nonzero * nonzeros / machines / machine.cores
            by_features = pass_seconds(products + prox / machines, SAMPLES, machines, machine)
            by_samples = pass_seconds(products + prox, FEATURES, machines, machine)
            rows.append(
                {
                    "nonzeros_a_sample": a_sample,
                    "machines": machines,
                    "gigabytes_of_data_a_machine": BYTES_A_NONZERO * nonzeros / machines / 1e9,
                    "gigabytes_of_weights_a_machine": BYTES_A_NUMBER * FEATURES / machines / 1e9,
                    "products_seconds": products,
                    "prox_seconds": prox / machines,
                    "pass_by_features_seconds": by_features,
                    "pass_by_samples_seconds": by_samples,
                    "pass_with_weights_on_the_client_seconds": products + gathered + prox,
                    "answer_by_features_seconds": PASSES * by_features,
                }
            )
    return rows


def table(found: dict) -> str:
    """The forecast as Markdown."""
    lines = [
        "| nonzeros a sample | machines | data a machine | pass, by features | pass, by samples "
        f"| pass, weights on the client | {PASSES} passes, by features |",
        "| --: | --: | --: | --: | --: | --: | --: |",
    ]
    for row in found["forecast"]:
        seconds = [
            row[name]
            for name in (
                "pass_by_features_seconds",
                "pass_by_samples_seconds",
                "pass_with_weights_on_the_client_seconds",
                "answer_by_features_seconds",
            )
        ]
        cells = [
            f"{row['nonzeros_a_sample']:,}",
            f"{row['machines']:,}",
            f"{row['gigabytes_of_data_a_machine']:.2g} GB",
            *(f"{value:.2g} s" for value in seconds),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def checks(found: dict) -> str:
    """What the tests of the model found, as Markdown."""
    ratios = [row["model_over_simulated"] for row in found["simulation"]]
    passes = [row[kind]["passes"] for row in found["passes"] for kind in ("lasso", "svm")]
    sizes = [row["features"] for row in found["passes"]]
    costs = [
        f"- The time of {what}, fitted on {len(each['sizes']) - 1} sizes, predicts the largest "
        f"({each['sizes'][-1]:,} {units}s) with the ratio {each['predicted_over_measured']:.2f}: "
        f"{1e9 * each['seconds_each']:.0f} ns a {units} on one core.\n"
        for what, units, each in (
            ("a pass", "nonzero", found["pass_cost"]),
            ("a prox", "weight", found["prox_cost"]),
        )
    ]
    return "".join(costs) + (
        f"- The closed form of a pass is between {min(ratios):.2f} and {max(ratios):.2f} times the "
        "simulated one, with 2 to 256 machines.\n"
        f"- Our solvers took {min(passes):.0f} to {max(passes):.0f} passes to a gap of 1e-3, with "
        f"{min(sizes):,} to {max(sizes):,} features.\n"
        "- Features dealt at random, as popular as Zipf's law says: the fullest of 1,000 machines "
        f"has {found['heaviest_of_1000']:.1f} times the mean."
    )


def write_document(found: dict) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, content in (("checks", checks(found)), ("forecast", table(found))):
        head, tail = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, after = text.split(head)[0], text.split(tail)[1]
        text = f"{before}{head}\n{content}\n{tail}{after}"
    DOCUMENT.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    arguments = parser.parse_args()
    found: dict = {
        "machine": asdict(MACHINE),
        "pass_cost": cost(seconds_of_pass, [2_000_000, 4_000_000, 8_000_000, 16_000_000]),
        "prox_cost": cost(seconds_of_prox, [250_000, 500_000, 1_000_000, 2_000_000]),
        "passes": counted_passes([(200, 2_000), (200, 8_000), (200, 32_000), (800, 8_000)]),
        "simulation": against_simulation(400),
        "heaviest_of_1000": heaviest_share(
            10**7, SAMPLES, NONZEROS_A_SAMPLE[0], 1000, np.random.default_rng(2)
        ),
    }
    found["forecast"] = forecast(
        *(found[f"{what}_cost"]["seconds_each"] for what in ("pass", "prox"))
    )
    print(checks(found), table(found), sep="\n\n")
    if not arguments.dry:
        common.write("scale_model", found)
        write_document(found)


if __name__ == "__main__":
    main()
