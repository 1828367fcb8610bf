"""Factorisations and eigenvalues, and each of their fallbacks, forced."""

import ast
from pathlib import Path

import numpy as np
import pytest
from scipy import linalg
from scipy.linalg import lapack

import lab
import solvers
from solvers import (
    LASSO_METHODS,
    LOGISTIC_METHODS,
    SVM_METHODS,
    Groups,
    linear_algebra,
    solve_lasso,
    solve_logistic,
    solve_svm,
)
from solvers.linear_algebra import (
    Banded,
    Cholesky,
    cholesky,
    eigen,
    lanczos_bound,
    largest_eigenvalue,
    least_squares,
    left_singular,
    orthonormal_basis,
    solve_definite,
    span,
)
from solvers.scales import lambda_0
from solvers.second_order import face_systems
from solvers.second_order.face_systems import ThinSystem
from solvers.selection import degrees_of_freedom


def definite(size, seed=0, smallest=1e-3):
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((size, size)))[0]
    return (basis * np.geomspace(smallest, 1.0, size)) @ basis.T


def refusing(*drivers):
    """LAPACK that gives out, as OpenBLAS's kernels do on near-orthonormal Gram matrices."""

    def refuse(*_, **options):
        if not drivers or options.get("driver", "evr") in drivers:
            raise np.linalg.LinAlgError("Internal Error.")
        return refuse.original(*_, **options)

    refuse.original = linalg.eigvalsh
    return refuse


# -- Cholesky --------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_factor_solves(dtype):
    matrix = definite(30, smallest=0.1).astype(dtype)
    right = np.arange(30.0).astype(dtype)
    factor = cholesky(matrix.copy())
    assert not factor.lifted and len(factor) == 30
    accuracy = 1e-12 if dtype is np.float64 else 1e-4
    assert matrix @ factor.solve(right) == pytest.approx(right, abs=30 * accuracy)
    half = factor.half_solve(right)
    assert half @ half == pytest.approx(right @ factor.solve(right), rel=accuracy)


def test_half_a_solution_where_elimination_gives_out():
    lower = np.array([[1e-200, 0.0], [1.0, 1e-200]])
    found = Cholesky(lower, lifted=False).half_solve(np.array([2e-200, 0.0]))
    assert found == pytest.approx([2.0, -2e200])


def test_an_indefinite_matrix_has_no_factor():
    assert cholesky(np.diag([1.0, -1.0])) is None
    assert cholesky(np.diag([1.0, np.nan])) is None
    assert cholesky(np.diag([1.0, np.inf])) is None
    # Not even a lifted one, where it is not rounding that made it so.
    assert cholesky(np.diag([1.0, -1.0]), lift=1e-16) is None


@pytest.mark.parametrize("order", ["C", "F"])
def test_what_rounding_made_indefinite_is_lifted(order):
    matrix = np.ones((3, 3)) - 1e-15 * np.eye(3)
    assert cholesky(np.array(matrix, order=order)) is None
    factor = cholesky(np.array(matrix, order=order), lift=1e-14)
    assert factor.lifted
    # Which of many solutions rounding decides, but it solves the system.
    assert matrix @ factor.solve(np.ones(3)) == pytest.approx(np.ones(3), abs=1e-12)


def test_each_lift_is_tried(monkeypatch):
    tries = []
    original = np.linalg.cholesky

    def at_the_fourth(matrix):
        tries.append(float(matrix[0, 0]))
        if len(tries) < 4:
            raise np.linalg.LinAlgError("Matrix is not positive definite")
        return original(matrix)

    monkeypatch.setattr(np.linalg, "cholesky", at_the_fourth)
    assert cholesky(np.eye(2), lift=1e-10).lifted
    assert tries == pytest.approx([1.0, 1.0 + 1e-10, 1.0 + 1.01e-8, 1.0 + 1.0101e-6], abs=1e-15)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("size", [20, 300])
def test_a_definite_system(size, order):
    matrix, right = definite(size), np.linspace(-1.0, 1.0, size)
    found = solve_definite(np.array(matrix, order=order), right, shift=0.5)
    assert (matrix + 0.5 * np.eye(size)) @ found == pytest.approx(right, abs=1e-12)
    assert solve_definite(np.array(matrix, order=order), right, shift=-2.0) is None


def test_a_banded_factor_or_none(monkeypatch):
    bands = np.array([[2.0, 2.0, 2.0], [1.0, 1.0, 0.0]])
    matrix = np.diag(bands[0]) + np.diag(bands[1, :2], 1) + np.diag(bands[1, :2], -1)
    assert matrix @ Banded.of(bands).solve(np.arange(3.0)) == pytest.approx(np.arange(3.0))
    assert Banded.of(bands * [[1.0], [np.nan]]) is None
    assert Banded.of(bands * [[1.0], [9.0]]) is None
    monkeypatch.setattr(linalg, "cholesky_banded", refusing())
    assert Banded.of(bands) is None


# -- QR and singular values ------------------------------------------------------------------


@pytest.mark.parametrize("refused", [False, True])
def test_orthonormal_basis(monkeypatch, refused):
    if refused:
        monkeypatch.setattr(np.linalg, "qr", refusing())
    matrix = np.random.default_rng(0).standard_normal((9, 4))
    basis, triangle = orthonormal_basis(matrix)
    assert basis.shape == (9, 4) and np.array_equal(triangle, np.triu(triangle))
    assert basis @ triangle == pytest.approx(matrix, abs=1e-13)
    assert basis.T @ basis == pytest.approx(np.eye(4), abs=1e-13)


def without_divide_and_conquer(original):
    def svd(*matrix, **options):
        if options.get("lapack_driver", "gesdd") == "gesdd":
            raise np.linalg.LinAlgError("SVD did not converge")
        return original(*matrix, **options)

    return svd


@pytest.mark.parametrize("refused", [False, True])
def test_left_singular_vectors(monkeypatch, refused):
    if refused:
        monkeypatch.setattr(linalg, "svd", without_divide_and_conquer(linalg.svd))
    matrix = np.random.default_rng(0).standard_normal((9, 4))
    left, singular = left_singular(matrix)
    assert (left * singular**2) @ left.T == pytest.approx(matrix @ matrix.T, abs=1e-12)
    # The degrees of freedom of an exclusive lasso stand on it.
    assert degrees_of_freedom(matrix, [0, 1, 2, 3], 1e-12, np.ones(4)) == pytest.approx(4.0)


@pytest.mark.parametrize("refused", [False, True])
def test_least_squares_of_dependent_columns(monkeypatch, refused):
    rng = np.random.default_rng(2)
    matrix = rng.standard_normal((9, 3))[:, [0, 1, 1, 2]]
    right = rng.standard_normal(9)
    expected = np.linalg.pinv(matrix) @ right
    if refused:
        monkeypatch.setattr(np.linalg, "lstsq", refusing())
    assert least_squares(matrix, right) == pytest.approx(expected)


@pytest.mark.parametrize("refused", [False, True])
def test_eigenvalues_and_vectors(monkeypatch, refused):
    matrix = definite(20)
    if refused:
        monkeypatch.setattr(np.linalg, "eigh", refusing())
    values, vectors = eigen(matrix)
    assert values == pytest.approx(np.geomspace(1e-3, 1.0, 20))
    assert (vectors * values) @ vectors.T == pytest.approx(matrix, abs=1e-14)


def test_span_of_dependent_columns():
    rng = np.random.default_rng(3)
    matrix = rng.standard_normal((9, 3))[:, [0, 1, 1, 2]] * [1.0, 1e-9, 1.0, 1e9]
    basis = span(np.column_stack([matrix, np.zeros(9)]))
    assert basis.shape == (9, 3)
    assert basis.T @ basis == pytest.approx(np.eye(3), abs=1e-12)
    assert np.abs(matrix - basis @ (basis.T @ matrix)).max() < 1e-5


# -- the largest eigenvalue ------------------------------------------------------------------

FALLBACKS = ["_by_bisection", "_by_expert_driver", "_of_all", "_by_lanczos"]


@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("kind", ["ordinary", "near orthonormal", "rank one", "zero", "diagonal"])
def test_whoever_answers_the_largest_eigenvalue_is_bounded_tightly(monkeypatch, first, kind):
    for name in FALLBACKS[:first]:
        monkeypatch.setattr(linear_algebra, name, refusing())
    basis = np.linalg.qr(np.random.default_rng(1).standard_normal((60, 40)))[0]
    gram = {
        "ordinary": definite(40),
        "near orthonormal": basis.T @ basis,
        "rank one": np.ones((40, 40)),
        "zero": np.zeros((40, 40)),
        "diagonal": np.diag(np.arange(40.0)),
    }[kind]
    largest = np.linalg.eigvalsh(gram)[-1] if gram.any() else 0.0
    found = largest_eigenvalue(gram)
    # Nobody is below; Lanczos is within its margin; the row sums are within √n of it.
    slack = [1e-8, 1e-8, 1e-8, 0.021, np.sqrt(40.0) - 1.0][first]
    assert largest <= found <= largest * (1.0 + slack)


def test_each_lapack_driver_may_refuse(monkeypatch):
    gram = definite(30)
    for drivers in (("evr",), ("evr", "evx")):
        monkeypatch.setattr(linalg, "eigvalsh", refusing(*drivers))
        assert largest_eigenvalue(gram) == pytest.approx(1.0, rel=1e-8)
        monkeypatch.undo()


@pytest.mark.parametrize("answer", [0.0, 1e-3, 1e9, np.nan, -1.0])
def test_nonsense_is_not_believed(monkeypatch, answer):
    monkeypatch.setattr(linear_algebra, "_by_bisection", lambda gram: answer)
    assert largest_eigenvalue(definite(30)) == pytest.approx(1.0, rel=1e-8)


def test_matrices_that_break_the_search_for_one_eigenvalue():
    """With every kernel tried, LAPACK ends in an internal error on one in sixteen of these."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(5, 40))
        basis = np.linalg.qr(rng.standard_normal((size + 5, size)))[0]
        assert 1.0 - 1e-14 <= largest_eigenvalue(basis.T @ basis) <= 1.0 + 1e-8


def test_lanczos_without_the_tridiagonal_solver(monkeypatch):
    gram = definite(50)
    usual = lanczos_bound(gram.__matmul__, 50)
    monkeypatch.setattr(linalg, "eigvalsh_tridiagonal", refusing())
    assert lanczos_bound(gram.__matmul__, 50) == pytest.approx(usual, rel=1e-12)
    assert 1.0 <= usual <= 1.03


# -- what the methods do then ----------------------------------------------------------------


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((30, 12))
    return X, np.sign(X[:, 0] + 0.3 * rng.standard_normal(30)), [0, 1, 2, 3] * 3


METHODS = [
    *((solve_lasso, (0.5,), key) for key in LASSO_METHODS),
    *((solve_logistic, (0.5,), key) for key in LOGISTIC_METHODS),
    *((solve_svm, (0.5, 0.5), key) for key in SVM_METHODS),
]


@pytest.mark.parametrize(
    ("solve", "strengths", "key"), METHODS, ids=lambda value: getattr(value, "__name__", None)
)
def test_without_any_factorisation_every_method_still_certifies_what_it_has(
    monkeypatch, data, solve, strengths, key
):
    monkeypatch.setattr(np.linalg, "cholesky", refusing())
    monkeypatch.setattr(linalg, "eigvalsh", refusing())
    # A call that reports failure rather than raising it.
    monkeypatch.setattr(lapack, "dpotrf", lambda matrix, **_: (matrix, 1))
    X, y, groups = data
    result = solve(X, y, groups, *strengths, method=key, max_iter=300)
    assert np.isfinite(result.w).all() and 0.0 <= result.gap <= 1.0
    assert result.status in ("converged", "stalled", "max_iter")


@pytest.mark.parametrize(
    ("solve", "strengths", "key"), METHODS, ids=lambda value: getattr(value, "__name__", None)
)
def test_without_eigenvalues_from_lapack_every_method_solves(
    monkeypatch, data, solve, strengths, key
):
    X, y, groups = data
    usual = solve(X, y, groups, *strengths, method=key, max_iter=3000)
    monkeypatch.setattr(linalg, "eigvalsh", refusing())
    monkeypatch.setattr(linalg, "eigvalsh_tridiagonal", refusing())
    monkeypatch.setattr(linear_algebra, "_of_all", refusing())
    other = solve(X, y, groups, *strengths, method=key, max_iter=3000)
    # Steps shorter by 2 % cost a few iterations, no more.
    assert other.gap <= max(2.0 * usual.gap, 2e-6)
    assert other.objective == pytest.approx(usual.objective, rel=1e-5)


def windows(n_features):
    return Groups.from_lists([[i, i + 1, i + 2] for i in range(n_features - 2)], n_features)


@pytest.mark.parametrize("refused", [False, True])
def test_many_small_groups_without_a_banded_factor(monkeypatch, refused):
    """The dense system takes the place of the thin one."""
    made, fitting = [], ThinSystem.fitting

    def noted(*arguments):
        made.append(fitting(*arguments))
        return made[-1]

    monkeypatch.setattr(ThinSystem, "fitting", noted)
    monkeypatch.setattr(face_systems, "THIN_OVERHEAD", -1e9)
    monkeypatch.setattr(face_systems, "THIN_FROM", 40)
    if refused:
        monkeypatch.setattr(linalg, "cholesky_banded", refusing())
    X = np.random.default_rng(0).standard_normal((3, 300))
    y, groups = X[:, 0] + X[:, 9], windows(300)
    lam = 1e-2 * lambda_0(X, y, groups)
    result = solve_lasso(X, y, groups, lam, method="active_set", tol=1e-9)
    assert result.converged
    assert [system is None for system in made] == [refused] * len(made) and made


def test_a_thin_system_hands_over_nothing_that_is_not_a_number():
    system = ThinSystem.__new__(ThinSystem)
    system._U, system._B, system._precondition = np.ones((1, 2)), np.eye(2), np.copy
    assert system.solve(np.ones(2), np.array([np.nan, 0.0])) is None


@pytest.mark.parametrize("factors", [0, 6])
def test_banded_groups_of_an_svm_whose_factor_gives_out(monkeypatch, factors):
    """At the start or on the way the interior point ends, and another method solves the problem."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((10, 60))
    problem = X, np.sign(X[:, 0] + X[:, 9]), windows(60), 1.0, 1.0
    made, original = [], linalg.cholesky_banded

    def gives_out(*arguments, **options):
        made.append(arguments)
        return (original if len(made) <= factors else refusing())(*arguments, **options)

    monkeypatch.setattr(linalg, "cholesky_banded", gives_out)
    ended = solve_svm(*problem, method="interior")
    assert ended.status == "stalled" and ended.n_iter == factors == len(made) - 1
    assert np.isfinite(ended.w).all() and 0.0 < ended.gap <= 1.0
    assert solve_svm(*problem, tol=1e-4).converged


# -- the rule --------------------------------------------------------------------------------

ALLOWED = {"norm", "LinAlgError"}


def calls_of_lapack(source: str) -> list[str]:
    """What a module takes from numpy.linalg or scipy.linalg, norms and the error's name apart."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith(".linalg"):
            found += [node.attr] if node.attr not in ALLOWED else []
        if isinstance(node, ast.Import | ast.ImportFrom):
            start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = [start + alias.name for alias in node.names]
            found += [name for name in names if "linalg" in name]
    return found


@pytest.mark.parametrize("package", [lab, solvers], ids=lambda package: package.__name__)
def test_nobody_else_factors(package):
    files = set(Path(package.__file__).parent.rglob("*.py")) - {Path(linear_algebra.__file__)}
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    found = {path: calls_of_lapack(text) for path, text in texts.items() if "linalg" in text}
    assert found and {path: calls for path, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    "source",
    [
        "np.linalg.cholesky(M)",
        "import scipy.linalg",
        "import numpy.linalg as la",
        "import scipy; scipy.linalg.qr(M)",
        "from scipy import linalg",
        "from scipy.linalg import lapack",
        "from scipy.sparse import linalg",
    ],
)
def test_the_rule_catches(source):
    assert len(calls_of_lapack(source)) == 1
