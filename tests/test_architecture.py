"""Imports go one way, pages -> lab.ui -> lab.* -> solvers, and `import solvers` stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
STANDARD_LIBRARY = sys.stdlib_module_names

# The two modules that wrap scikit-learn; everything else in solvers is numpy and scipy.
SKLEARN_MODULES = ("solvers.estimators", "solvers.baselines")
HEAVY = ("sklearn", "pandas", "scipy.stats", "scipy.optimize")


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
        allowed = {"solvers", "numpy", "scipy"}
        return root in allowed or (root == "sklearn" and module in SKLEARN_MODULES)
    if is_within(module, "lab.ui"):
        return root not in ("app", "pages", "tests", "benchmarks")
    if is_within(module, "lab"):
        wrong = root in ("streamlit", "app", "pages", "tests", "benchmarks")
        return not wrong and not is_within(name, "lab.ui")
    # app.py and the pages: thin scripts over what lies to their right.
    return root in ("streamlit", "lab", "solvers")


def product_files() -> list[Path]:
    folders = [ROOT / name for name in ("solvers", "lab", "pages")]
    return [ROOT / "app.py", *(path for folder in folders for path in sorted(folder.rglob("*.py")))]


@pytest.mark.parametrize("path", product_files(), ids=module_name)
def test_imports_go_one_way(path):
    source = path.read_text(encoding="utf-8")
    assert violations(source, module_name(path), path.name == "__init__.py") == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "solvers").rglob("*.py")), ids=lambda path: path.stem
)
def test_solvers_never_print(path):
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    assert "print" not in map(_called, calls)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("solvers.fista", "import streamlit"),
        ("solvers.fista", "import plotly.graph_objects as go"),
        ("solvers.fista", "from lab import theme"),
        ("solvers.fista", "from ..lab import theme"),
        ("solvers.fista", "def f():\n    import pandas as pd"),
        ("solvers.fista", "from sklearn.base import BaseEstimator"),
        ("solvers.rivals.kong", "from sklearn import linear_model"),
        ("solvers.fista", "import importlib\nimportlib.import_module('sklearn.svm')"),
        ("solvers.estimators", "import pandas"),
        ("lab.charts", "import streamlit as st"),
        ("lab.charts", "from streamlit.runtime import caching"),
        ("lab.charts", "from lab import theme, ui"),
        ("lab.theme", "from . import ui"),
        ("lab.theme", "from .ui import chart"),
        ("lab.charts.grids", "from lab.ui.frame import chart"),
        ("lab.ui", "import app"),
        ("lab.ui", "from pages import anything"),
        ("app", "import plotly.express as px"),
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
        ("solvers.rivals.kong", "import numpy as np\nfrom ..problems import LassoProblem"),
        ("lab.charts", "import plotly.graph_objects as go\nfrom lab import theme"),
        ("lab.sweeps", "import pandas\nfrom sklearn import svm\nfrom solvers import Groups"),
        ("lab.ui", "import streamlit as st\nfrom lab import charts"),
        ("lab.ui.view", "import streamlit as st\nfrom lab.ui import frame"),
        ("app", "import math\nimport streamlit as st\nfrom lab import ui\nimport solvers"),
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
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
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


@pytest.mark.parametrize("path", LIGHT_PAGES, ids=lambda path: path.stem)
def test_opening_a_page_does_not_wait_for_scikit_learn(path):
    locked = next(
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.With) and ast.unparse(node.items[0]) == "one_at_a_time"
    )
    loaded = loaded_after("\n".join(map(ast.unparse, locked.body)))
    assert "lab.ui" in loaded and "sklearn" not in loaded
