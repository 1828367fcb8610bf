"""Which cells the matrix of kernels has, and that a row is found again by its cell."""

import json
from dataclasses import asdict

from benchmarks import kernels

NAMES = (*kernels.KERNELS, kernels.WITH_AVX512)


def test_every_kernel_meets_one_thread_two_and_a_busy_machine():
    cells = list(kernels.cells("3.11", NAMES, full=False))
    assert len(set(cells)) == len(cells)
    for name in NAMES:
        mine = [cell for cell in cells if cell.kernel == name]
        assert {cell.threads for cell in mine} == {1, 2}
        assert {cell.busy_cores > 0 for cell in mine} == {False, True}
        assert kernels.ALL in {cell.tests for cell in mine}
    assert all((kernels.ROOT / path).exists() for cell in cells for path in cell.tests)


def test_all_of_the_matrix_runs_all_tests():
    cells = list(kernels.cells("3.11", NAMES, full=True))
    assert len(cells) == len(set(cells)) == 4 * len(NAMES)
    assert {cell.tests for cell in cells} == {kernels.ALL}


def test_a_row_that_was_written_is_the_cell_that_was_run():
    for cell in kernels.cells("3.11", NAMES, full=False):
        assert kernels.cell_of(json.loads(json.dumps(asdict(cell)))) == cell
