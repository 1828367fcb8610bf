"""Imports go one way, pages -> a room's view -> the room -> shared parts of lab -> solvers.

A page is a room: a folder of `lab` with the same furniture in each. What keeps the rooms apart, and
everything small enough to read, is checked here; and `import solvers` stays light.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
STANDARD_LIBRARY = sys.stdlib_module_names

# The packages that wrap scikit-learn; everything else in solvers is numpy and scipy.
SKLEARN_PACKAGES = ("solvers.estimators", "solvers.comparisons")
# Where its arrays are.
DASK_PACKAGE = "solvers.large"
# Where files are read for the command line, which alone needs a table; it imports them on use.
TABLE_READER = "solvers.large.reading"
# A command without a screen has nothing but the terminal to say anything on.
COMMAND = "solvers.fit"
ROOMS = ("home", "norms", "balance", "cones", "races", "accuracy", "paper", "own_table")
# Its job is to point at the others.
MAY_POINT_AT = {"paper": ("races", "accuracy", "balance", "cones")}

LONGEST_FILE, LONGEST_PAGE, LONGEST_FUNCTION = 400, 60, 60
HEAVY = ("dask", "sklearn", "pandas", "scipy.stats", "scipy.optimize")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(source: str, module: str, is_package: bool = False) -> list[str]:
    """Absolute names of all that a module imports, anywhere in it and in whatever way it spells it.

    `from a import b` counts as `a.b`, since b may be a module; import_module("a") counts as `a`.
    """
    package = module.split(".") if is_package else module.split(".")[:-1]
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            found += [f"{stem}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
            name = node.args[0] if node.args else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                relative = name.value.startswith(".")
                found.append(".".join(package) + name.value if relative else name.value)
    return found


def _called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")


def violations(source: str, module: str, is_package: bool = False) -> list[str]:
    """What a module imports against the rule of its layer; empty if nothing."""
    return [
        f"{module} imports {name}"
        for name in imported_modules(source, module, is_package)
        if not _allowed(name, module)
    ]


def _allowed(name: str, module: str) -> bool:
    root = name.split(".")[0]
    if root in STANDARD_LIBRARY:
        return True
    if is_within(module, "solvers"):
        # threadpoolctl comes with scikit-learn and costs nothing to load.
        allowed = {"solvers", "numpy", "scipy", "threadpoolctl"}
        if root in ("dask", "distributed") and is_within(module, DASK_PACKAGE):
            return True
        if root == "pandas" and module == TABLE_READER:
            return True
        # joblib comes with scikit-learn too.
        return root in allowed or (root in ("sklearn", "joblib") and _may_use_scikit_learn(module))
    if is_within(module, "lab"):
        return _allowed_in_lab(name, module)
    # app.py and the pages show a room's view, and do nothing else.
    return root == "lab" and (name.startswith("lab.loading.") or _is_view(name))


def room_of(name: str) -> str | None:
    """The room that a module of `lab` belongs to; None for what the rooms share."""
    parts = name.split(".")
    return parts[1] if parts[0] == "lab" and len(parts) > 1 and parts[1] in ROOMS else None


def _is_view(name: str) -> bool:
    return room_of(name) is not None and name.split(".")[2:3] == ["view"]


def _draws(module: str) -> bool:
    in_room = room_of(module) is not None and module.split(".")[2:3] == ["charts"]
    return in_room or is_within(module, "lab.drawing")


def _allowed_in_lab(name: str, module: str) -> bool:
    root, room = name.split(".")[0], room_of(module)
    shows = _is_view(module) or is_within(module, "lab.ui")
    if root in ("app", "pages", "tests", "benchmarks", "docs"):
        return False
    if root == "streamlit" or is_within(name, "lab.ui"):
        return shows
    if root == "plotly":
        return _draws(module)
    if _is_view(name):
        return _is_view(module) and room_of(name) == room
    entered = room_of(name)
    return entered in (None, room) or entered in MAY_POINT_AT.get(room, ())


def _may_use_scikit_learn(module: str) -> bool:
    return any(is_within(module, package) for package in SKLEARN_PACKAGES)


def product_files() -> list[Path]:
    folders = [ROOT / name for name in ("solvers", "lab", "pages")]
    return [ROOT / "app.py", *(path for folder in folders for path in sorted(folder.rglob("*.py")))]


PRODUCT = {path: path.read_text(encoding="utf-8") for path in product_files()}


def is_page(path: Path) -> bool:
    return path.parent in (ROOT, ROOT / "pages")


def test_imports_go_one_way():
    assert len(PRODUCT) > 100
    found = [
        violation
        for path, source in PRODUCT.items()
        for violation in violations(source, module_name(path), path.name == "__init__.py")
    ]
    assert found == []


def test_files_are_short_enough_to_read():
    lengths = {path: len(source.splitlines()) for path, source in PRODUCT.items()}
    too_long = {
        module_name(path): length
        for path, length in lengths.items()
        if length > (LONGEST_PAGE if is_page(path) else LONGEST_FILE)
    }
    assert too_long == {}


def long_functions(source: str) -> list[str]:
    """Functions above the limit; what a docstring takes does not count."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            told = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) else 0
            if node.end_lineno - node.lineno + 1 - told > LONGEST_FUNCTION:
                found.append(node.name)
    return found


def test_functions_are_short_enough_to_read():
    found = {module_name(path): long_functions(source) for path, source in PRODUCT.items()}
    assert {name: functions for name, functions in found.items() if functions} == {}


def test_a_docstring_may_be_long_and_a_body_may_not():
    told = ["def told():", '    """What', *["    and why"] * 80, '    """', "    return 1"]
    assert long_functions("\n".join(told)) == []
    assert long_functions("\n".join([*told, *["    told()"] * 60])) == ["told"]


# Tests of what many modules do together, which no path can name.
ACROSS = {
    "tests/benchmarks/test_paper_experiments.py": "the paper's experiments as commands",
    "tests/lab/accuracy/test_sweeps.py": "specs, trials, panels and summaries of one sweep",
    "tests/lab/accuracy/test_when.py": "sweeps over one quantity, from the data to what is shipped",
    "tests/lab/drawing/test_live_maths.py": "what the browser computes, run in node",
    "tests/lab/own_table/test_taking_home.py": "what leaves the page: files, report, reader",
    "tests/lab/paper/test_quotes.py": "quotations in the whole room",
    "tests/lab/races/test_sources.py": "problems from elsewhere, to the code taken home",
    "tests/lab/tables/test_corpus.py": "every reader, on a corpus of files",
    "tests/lab/tables/test_fuzz.py": "every reader, on files that hypothesis writes",
    "tests/lab/test_sentences.py": "the reader of sentences that other tests use",
    "tests/lab/ui/test_mathematics.py": "formulas in the sources of all views",
    "tests/solvers/estimators/test_choices.py": "what all estimators offer, inside scikit-learn",
    "tests/solvers/large/test_cluster.py": "every door, on a cluster that loses a worker",
    "tests/solvers/large/test_solve.py": "every door, on Dask arrays",
    "tests/solvers/test_bad_input.py": "every door, on input that must be refused",
    "tests/solvers/test_errata.py": "the paper's misprints against our formulas",
    "tests/solvers/test_fuzz.py": "every method, on odd problems",
    "tests/solvers/test_options.py": "signs, weights and losses in every combination",
    "tests/solvers/test_solve.py": "every method against solutions we did not write",
}


def mirrored_tests() -> list[Path]:
    folders = [ROOT / "tests" / name for name in ("solvers", "lab", "benchmarks")]
    return [path for folder in folders for path in sorted(folder.rglob("test_*.py"))]


def subject(path: Path) -> Path:
    """What a test file is about by its path: tests/solvers/test_path.py is about solvers/path."""
    folder = path.relative_to(ROOT / "tests").parent
    name = path.stem.removeprefix("test_")
    # tests/lab/races/test_races.py is about the package itself.
    return ROOT / folder if name == folder.name else ROOT / folder / name


def test_tests_have_the_same_paths_again():
    without_subject = {
        path.relative_to(ROOT).as_posix()
        for path in mirrored_tests()
        if not (subject(path).with_suffix(".py").exists() or subject(path).is_dir())
    }
    assert without_subject == set(ACROSS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_the_same_furniture(room):
    folder = ROOT / "lab" / room
    for piece in ("charts", "code", "view"):
        assert (folder / f"{piece}.py").exists() or (folder / piece).is_dir()


def test_page_scripts_define_nothing():
    kinds = (ast.ClassDef, ast.FunctionDef)
    pages = {path: source for path, source in PRODUCT.items() if is_page(path)}
    defining = {
        module_name(path)
        for path, source in pages.items()
        if any(isinstance(node, kinds) for node in ast.walk(ast.parse(source)))
    }
    assert len(pages) > 5 and defining == set()


def test_solvers_never_print():
    printing = {
        module_name(path)
        for path, source in PRODUCT.items()
        if is_within(module_name(path), "solvers")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and _called(node) == "print"
    }
    assert printing == {COMMAND}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("solvers.first_order.fista", "import streamlit"),
        ("solvers.first_order.fista", "import plotly.graph_objects as go"),
        ("solvers.first_order.fista", "from lab import theme"),
        ("solvers.first_order.fista", "from ...lab import theme"),
        ("solvers.first_order.fista", "def f():\n    import pandas as pd"),
        ("solvers.first_order.fista", "from sklearn.base import BaseEstimator"),
        ("solvers.scales", "from sklearn.base import BaseEstimator"),
        ("solvers.rivals.kong", "from sklearn import linear_model"),
        ("solvers.first_order.fista", "import importlib\nimportlib.import_module('sklearn.svm')"),
        ("solvers.estimators", "import pandas"),
        ("solvers.estimators", "import dask.array"),
        ("solvers.fit", "import pandas"),
        ("solvers.design", "def f():\n    import dask"),
        ("lab.norms.shown", "import streamlit as st"),
        ("lab.norms.charts.paths", "from streamlit.runtime import caching"),
        ("lab.drawing", "from lab import exports, ui"),
        ("lab.drawing.theme", "from ..ui import chart"),
        ("lab.drawing.grids", "from lab.ui.frame import chart"),
        ("lab.norms.shown", "import plotly.graph_objects as go"),
        ("lab.norms.view.paths", "import plotly.graph_objects as go"),
        ("lab.norms.shown", "from lab.home.shrinkage import answer"),
        ("lab.norms.shown", "from lab.norms.view import show"),
        ("lab.norms.view.paths", "from lab.balance.view import show"),
        ("lab.races.specs", "from lab.paper import claims"),
        ("lab.paper.view.races", "from lab.races.view import board"),
        ("lab.results", "from lab.accuracy import specs"),
        ("lab.ui", "import app"),
        ("lab.ui", "from pages import anything"),
        ("lab.ui.frame", "from lab.races import specs"),
        ("app", "import plotly.express as px"),
        ("app", "import streamlit as st"),
        ("pages.1_Norm_patterns", "from lab.norms import shown"),
        ("pages.1_Norm_patterns", "import sklearn"),
        ("pages.1_Norm_patterns", "from tests import naive"),
    ],
)
def test_the_rule_catches(module, source):
    assert len(violations(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("solvers.estimators", "from sklearn.base import BaseEstimator"),
        ("solvers.large.passes", "def f():\n    from dask import delayed"),
        ("solvers.comparisons.norm_fits", "from sklearn.linear_model import Lasso"),
        ("solvers.rivals.kong", "import numpy as np\nfrom ..problems import LassoProblem"),
        (
            "lab.norms.charts.paths",
            "import plotly.graph_objects as go\nfrom lab.drawing import theme",
        ),
        ("lab.accuracy", "import pandas\nfrom sklearn import svm\nfrom solvers import Groups"),
        ("lab.ui", "import streamlit as st\nfrom lab import drawing"),
        ("lab.ui.view", "import streamlit as st\nfrom lab.ui import frame"),
        ("lab.races.view.board", "import streamlit as st\nfrom lab import races, ui"),
        ("lab.paper.claims", "from lab import races\nfrom lab.accuracy import settings"),
        ("app", "from lab.loading import one_at_a_time\nfrom lab.home.view import show"),
    ],
)
def test_the_rule_lets_pass(module, source):
    assert violations(source, module) == []


def test_relative_imports_of_a_package_count_from_the_package():
    assert imported_modules("from . import kong", "solvers.rivals", True) == ["solvers.rivals.kong"]
    assert imported_modules("from .. import norms", "solvers.rivals.kong") == ["solvers.norms"]


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_solvers_loads_nothing_heavy():
    loaded = loaded_after("import solvers")
    assert "solvers" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_the_loading_check_sees_a_heavy_import():
    assert "scipy.optimize" in loaded_after("import scipy.optimize")


# What these show is computed elsewhere or read from files, so their first visitor need not wait for
# scikit-learn. Classifying trains in the server's own process and cannot do without.
LIGHT_PAGES = [
    path
    for path in [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
    if "Classify" not in path.name
]


def imports_under_the_lock(path: Path) -> str:
    locked = next(
        node
        for node in ast.parse(PRODUCT[path]).body
        if isinstance(node, ast.With) and ast.unparse(node.items[0]) == "one_at_a_time"
    )
    return "\n".join(map(ast.unparse, locked.body))


def test_opening_a_page_does_not_wait_for_scikit_learn():
    """All in one process: what they do not load together, none of them loads."""
    opened = [
        f"{imports_under_the_lock(path)}\nassert 'sklearn' not in sys.modules, {path.name!r}"
        for path in LIGHT_PAGES
    ]
    assert len(opened) > 5 and "lab.ui" in loaded_after("\n".join(opened))
