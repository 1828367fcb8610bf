"""Every public name says what it takes and returns, has its types, and an example that runs."""

import ast
import dataclasses
import doctest
import inspect
import pkgutil
from functools import cached_property
from importlib import import_module

import pytest
from numpydoc.docscrape import ClassDoc
from numpydoc.validate import validate

import solvers
from solvers import grouping
from solvers.docstrings import documented

# A result's attributes are described instead of the arguments it is made from.
RESULTS = [
    "solvers.Result",
    "solvers.Stability",
    "solvers.path.LassoPath",
    "solvers.svm_paths.SVMPath",
    "solvers.svm_paths.SVMGrid",
]
MODELS = ["solvers.model_file.LinearModel"]


def named(name: str):
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def is_estimator(target) -> bool:
    return hasattr(target, "get_params")


PUBLIC = [f"solvers.{name}" for name in solvers.__all__]
FUNCTIONS = [name for name in PUBLIC if inspect.isfunction(named(name))]
FUNCTIONS += [f"solvers.grouping.{name}" for name in grouping.__all__]
CLASSES = [name for name in PUBLIC if inspect.isclass(named(name)) and name not in RESULTS]
CLASSES += MODELS


def methods(class_name: str) -> list[str]:
    """Public methods that are ours, inherited or not; a field that holds a function is none.

    Nor is a cached property, which from Python 3.13 on names the module of its function.
    """
    members = inspect.getmembers(named(class_name), inspect.isroutine)
    fields = getattr(named(class_name), "__dataclass_fields__", {})
    return [
        f"{class_name}.{name}"
        for name, member in members
        if not name.startswith("_")
        and name not in fields
        and not isinstance(member, cached_property)
        and member.__module__.startswith("solvers")
    ]


METHODS = [method for name in CLASSES + RESULTS for method in methods(name)]


def complaints(name: str, example: bool = True) -> list[str]:
    """What numpydoc misses: a docstring, a parameter, a return, an example; or has too many of."""
    watched = {"GL08", "SS01", "PR01", "PR02", "PR03", "PR07", "RT01", "RT03"}
    watched |= {"EX01"} if example else set()
    return [f"{code}: {text}" for code, text in validate(name)["errors"] if code in watched]


def without_types(target) -> list[str]:
    signature = inspect.signature(target)
    missing = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.annotation is parameter.empty and parameter.name not in ("self", "cls")
    ]
    lacks_return = signature.return_annotation is signature.empty
    return missing + (["return"] if lacks_return else [])


def test_the_lists_hold_what_they_should():
    assert {"solvers.solve_lasso", "solvers.load_model"} <= set(FUNCTIONS)
    assert {"solvers.Groups", "solvers.ExclusiveLasso", "solvers.History"} <= set(CLASSES)
    assert {"solvers.Groups.from_lists", "solvers.ExclusiveSVC.predict"} <= set(METHODS)
    rest = set(PUBLIC) - set(FUNCTIONS) - set(CLASSES) - set(RESULTS)
    assert {name for name in rest if not name.endswith("_METHODS")} == {"solvers.grouping"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_documented_and_typed(name):
    assert complaints(name) == []
    assert without_types(named(name)) == []


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_documented_and_typed(name):
    assert complaints(name) == []
    assert without_types(named(name).__init__) == []


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_documented_and_typed(name):
    owner, _, method = name.rpartition(".")
    # A fitted model is needed for most methods of an estimator; the class has the example.
    by_class = is_estimator(named(owner)) or owner in MODELS
    assert complaints(name, example=not by_class) == []
    assert without_types(getattr(named(owner), method)) == []


@pytest.mark.parametrize("name", RESULTS)
def test_results_describe_what_they_hold(name):
    target = named(name)
    assert [code for code, _ in validate(name)["errors"] if code in ("GL08", "EX01")] == []
    described = {
        each.strip()
        for entry in ClassDoc(target)["Attributes"]
        if entry.desc
        for each in entry.name.split(",")
    }
    held = {field.name for field in dataclasses.fields(target)}
    assert held <= described


@pytest.mark.parametrize("name", [name for name in CLASSES if is_estimator(named(name))])
def test_estimators_describe_what_they_keep(name):
    described = [entry.name for entry in ClassDoc(named(name))["Attributes"] if entry.desc]
    kept = {"coef_", "intercept_", "groups_", "n_iter_", "dual_gap_", "n_features_in_"}
    assert kept <= set(described)


@pytest.mark.parametrize("name", ["Groups", "Result"])
def test_properties_are_described(name):
    properties = inspect.getmembers(
        getattr(solvers, name), lambda member: hasattr(member, "fget") or hasattr(member, "func")
    )
    assert properties
    assert [each for each, member in properties if not member.__doc__] == []


MODULES = [
    module.name
    for module in pkgutil.walk_packages(solvers.__path__, "solvers.")
    if ">>> " in inspect.getsource(import_module(module.name))
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name):
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted and not outcome.failed


def test_type_checkers_know_the_names_that_load_late():
    tree = ast.parse(inspect.getsource(solvers))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    told = {alias.name: node.module for node in block.body for alias in node.names}
    assert told == solvers._LAZY


# ---------------------------------------------------------------- how docstrings are completed


def test_shared_descriptions_fill_what_a_docstring_leaves_out():
    shared = {"a": "int\n    A shared word.", "b": "int\n    Another.", "rest": "\n    More."}

    @documented(shared)
    def example(a, b, c, **rest):
        """Opening line

        Parameters
        ----------
        c : float
            Its own word.
        b : str
            Its own word for b.

        Returns
        -------
        int
            A number.
        """

    assert example.__doc__.splitlines()[4:14] == [
        "a : int",
        "    A shared word.",
        "b : str",
        "    Its own word for b.",
        "c : float",
        "    Its own word.",
        "**rest",
        "    More.",
        "",
        "Returns",
    ]


def bare(a, b):
    """Something

    Parameters
    ----------
    a : int
        Described.
    c : int
        Not an argument.
    """
    return a


def test_the_checks_see_what_is_missing():
    codes = {text[:4] for text in complaints(f"{__name__}.bare")}
    assert {"PR01", "PR02", "RT01", "EX01"} <= codes
    assert without_types(bare) == ["a", "b", "return"]
