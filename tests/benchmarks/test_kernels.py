"""Which cells the matrix of kernels has, and that a row is found again by its cell."""

import json
from dataclasses import asdict

from benchmarks import kernels

NAMES = (*kernels.KERNELS, kernels.WITH_AVX512)


def test_every_kernel_meets_one_thread_two_and_a_busy_machine():
    cells = list(kernels.cells("3.11", NAMES))
    assert len(set(cells)) == len(cells)
    for name in NAMES:
        mine = [cell for cell in cells if cell.kernel == name]
        assert {cell.threads for cell in mine} == {1, 2}
        assert {cell.busy_cores > 0 for cell in mine} == {False, True}
    assert (kernels.ROOT / kernels.TESTS).is_dir()


def test_a_row_that_was_written_is_the_cell_that_was_run():
    for cell in kernels.cells("3.11", NAMES):
        assert kernels.cell_of(json.loads(json.dumps(asdict(cell)))) == cell


def test_no_kernel_failed_with_one_thread_two_or_beside_busy_loops():
    rows = kernels.known()
    assert {row["failed"] + row["exit_code"] for row in rows.values()} == {0}
    ways = {(cell.kernel, cell.threads, cell.busy_cores > 0) for cell in rows}
    assert ways == {(name, *way) for name in NAMES for way in ((1, False), (2, False), (2, True))}
