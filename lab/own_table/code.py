"""The script of an analysis: pandas, scikit-learn's tools and `solvers`, nothing of this app."""

from __future__ import annotations

from functools import cache

import numpy as np

from lab.own_table.case import Case
from lab.own_table.code_parts import (
    BY_HAND,
    CHOOSING,
    CLUSTERS,
    DEVIANCE,
    FINAL,
    FOREST,
    HUBER,
    ONE_TARGET,
    PATHS,
    REPORT,
    SCALES,
    SCORES,
    SPLITS,
    TARGETS,
    TURNED,
    WHAT,
)
from lab.own_table.constraints import constraints_of, covariates
from lab.own_table.contenders import SELECTED_SHARE, TOLERANCE, TREES
from lab.own_table.fits import INNER_FOLDS
from lab.own_table.groupings import recommended_n_groups
from lab.own_table.literals import label_literal, literal, runs
from lab.own_table.paths import TUNING_TOLERANCE
from lab.own_table.setup import Prepared
from lab.own_table.strengths import ALPHA_SHARE, MOST_WIDENINGS, SHARES
from lab.tables import MISSING, NONE, Table
from lab.tables.model import WHITESPACE

ESTIMATORS = {
    "esvm": "ExclusiveSVC",
    "logistic": "ExclusiveLogistic",
    "lasso": "ExclusiveLasso",
    "poisson": "ExclusivePoisson",
    "huber": "ExclusiveHuber",
}
_BUNDLED = {"breast_cancer", "digits", "wine"}


def snippet(case: Case, file_name: str | None = None) -> str:
    """A script that refits the model and prints its held-out score, size and certificate."""
    parts = [
        _imports(case),
        _reading(case, file_name or case.name),
        _columns(case),
        _preprocessing(case.prepared),
        _groups(case),
        DEVIANCE if case.metric == "d2" else "",
        _constraints(case),
        HUBER.format(weight=_bound(case)) if case.spec.method == "huber" else "",
        _folds(case),
        BY_HAND.format(point=_point(case)) if case.spec.tuning == "hand" else _choosing(case),
        _report(case),
    ]
    return "\n".join(part for part in parts if part)


def forest_snippet(case: Case, file_name: str | None = None) -> str:
    """A script that makes the random forest of the comparison again, and scores it."""
    kind = "RandomForestClassifier" if case.is_classes else "RandomForestRegressor"
    lines = _tool_imports(case)
    lines.insert(
        lines.index("from sklearn.pipeline import make_pipeline") - 1,
        f"from sklearn.ensemble import {kind}",
    )
    lines += ["", "from solvers.model_file import category_text"]
    parts = [
        "\n".join(lines) + "\n",
        _reading(case, file_name or case.name),
        _columns(case),
        _preprocessing(case.prepared),
        DEVIANCE if case.metric == "d2" else "",
        _folds(case),
        FOREST.format(
            model=f"{kind}({TREES}, random_state={case.spec.seed})",
            weight=_weight(case, kind),
            order=_order(case),
            folds=case.spec.n_folds,
            score=FINAL[case.metric],
            what=WHAT[case.metric],
        ),
    ]
    return "\n".join(part for part in parts if part)


def _imports(case: Case) -> str:
    spec = case.spec
    lines = _tool_imports(case)
    if _clustered(case):
        lines[2:2] = [
            "from scipy.cluster.hierarchy import fcluster, linkage",
            "from scipy.spatial.distance import squareform",
        ]
    huber = spec.method == "huber"
    names = ["Groups", "solve_huber"] if huber else [ESTIMATORS[spec.method], "Groups"]
    if huber:
        lines[lines.index("from sklearn.base import clone")] += ", BaseEstimator, RegressorMixin"
    elif spec.tuning == "auto":
        names.append("svm_path" if spec.method == "esvm" else f"{spec.method}_path")
    lines += ["", f"from solvers import {', '.join(names)}"]
    lines.append("from solvers.model_file import category_text")
    if spec.tuning == "auto":
        scale = "svm_scales" if spec.method == "esvm" else "lambda_0"
        lines.append(f"from solvers.scales import {scale}")
    return "\n".join(lines) + "\n"


def _tool_imports(case: Case) -> list[str]:
    prepared, spec = case.prepared, case.spec
    n_numbers = prepared.n_numbers
    lines = ["import numpy as np", "import pandas as pd", "from sklearn.base import clone"]
    lines += ["from sklearn.compose import ColumnTransformer"]
    if _loader(case):
        lines.append(f"from sklearn.datasets import {_loader(case)}")
    if n_numbers:
        lines.append("from sklearn.impute import SimpleImputer")
    lines.append(f"from sklearn.model_selection import {_splitter(case)}")
    lines.append("from sklearn.pipeline import make_pipeline")
    tools = [
        *(["OneHotEncoder"] if n_numbers < len(prepared.columns) else []),
        *(["StandardScaler"] if n_numbers and prepared.standardise else []),
    ]
    if any(sign < 0 for _, sign in spec.signs):
        tools.append("FunctionTransformer")
        tools.sort()
    if tools:
        lines.append(f"from sklearn.preprocessing import {', '.join(tools)}")
    if spec.class_weight == "balanced":
        lines.append("from sklearn.utils.class_weight import compute_sample_weight")
    return lines


def _loader(case: Case) -> str:
    key = case.sample.key if case.sample else ""
    return f"load_{key}" if key in _BUNDLED else ""


def _reading(case: Case, file_name: str) -> str:
    if _loader(case):
        classes, *names = case.table.frame.columns  # whichever is the label
        return (
            f"bunch = {_loader(case)}()\n"
            f"NAMES = {literal(names)}\n"
            "table = pd.DataFrame(bunch.data, columns=NAMES)\n"
            f"table.insert(0, {classes!r}, np.array({_class_literal(case)})[bunch.target])\n"
        )
    return f"FILE = {file_name!r}  # the path to your copy\n{_read_call(case)}"


def _class_literal(case: Case) -> str:
    """The names of a bundled set's classes, in the order of its codes."""
    column, codes = case.table.frame.iloc[:, 0].to_numpy(), _bundled_codes(_loader(case))
    return literal([str(column[np.flatnonzero(codes == k)[0]]) for k in range(codes.max() + 1)])


@cache
def _bundled_codes(loader: str) -> np.ndarray:
    """Read once: every move of a slider writes the code anew."""
    from sklearn import datasets as bundled

    return np.asarray(getattr(bundled, loader)().target)


def _read_call(case: Case) -> str:
    options, label = case.table.options, case.spec.label
    if options.format == "parquet":
        return "table = pd.read_parquet(FILE)\n"
    as_in_file = not (options.transposed or case.table.groups)
    if options.format == "excel" and as_in_file:
        return f"table = pd.read_excel(FILE, sheet_name={options.member!r})\n"
    if options.format != "csv" or not as_in_file or options.header is False:
        return "table = pd.read_csv(FILE)  # of the page's copy: Data, Table (CSV)\n"
    usual = {"sep": ",", "encoding": "utf-8", "decimal": ".", "thousands": NONE, "quotechar": '"'}
    said = {
        "sep": r"\s+" if options.delimiter == WHITESPACE else options.delimiter,
        "encoding": options.encoding,
        "decimal": options.decimal,
        "thousands": options.thousands,
        "quotechar": options.quote,
    }
    dialect = [
        f"{name}={value!r}"
        for name, value in said.items()
        if value not in (None, NONE, usual[name])
    ]
    common = ", ".join(["FILE", *dialect, "keep_default_na=False", "skipinitialspace=True"])
    missing = literal(list(options.missing or MISSING))
    text = f"MISSING = {missing}\ntable = pd.read_csv({common}, na_values=MISSING)\n"
    if any(str(name) in MISSING for name in case.prepared.classes):
        text += f"labels = pd.read_csv({common}, usecols=[{label!r}], dtype=str)\n"
        text += f"table[{label!r}] = labels[{label!r}]  # NA is a class here\n"
    return text


def _columns(case: Case) -> str:
    table, prepared, spec = case.table, case.prepared, case.spec
    numbers = [column.name for column in prepared.columns if column.categories is None]
    categories = {
        column.name: list(column.categories)
        for column in prepared.columns
        if column.categories is not None
    }
    lines = [f"LABEL = {spec.label!r}", *_chosen_numbers(table, spec, numbers, categories)]
    lines += [f"CATEGORIES = {literal(categories)}"]
    if case.is_classes:
        lines.append(f"CLASSES = {literal([str(name) for name in prepared.classes])}")
    lines += ["", "table = table[[text not in ('', 'nan') for text in table[LABEL].astype(str)]]"]
    if prepared.n_samples < int(table.column(spec.label).notna().sum()):
        lines.append(f"table = table.iloc[{literal(_places(case))}]  # one of each repeated row")
    lines.append(
        "y = np.array([CLASSES.index(category_text(value)) for value in table[LABEL]])"
        if case.is_classes
        else "y = table[LABEL].to_numpy(dtype=float)"
    )
    lines.append("X = table[NUMBERS].astype(float)")
    logs = [column.name for column in prepared.columns if column.log]
    if logs:
        lines += [f"LOGS = {literal(logs)}", "X[LOGS] = np.log1p(X[LOGS])"]
    lines += [
        "for name in CATEGORIES:",
        "    X[name] = [category_text(value) for value in table[name]]",
    ]
    if spec.subjects:
        lines.append(f"subjects = pd.factorize(table[{spec.subjects!r}])[0]")
        if table.column(spec.subjects).iloc[prepared.rows].isna().any():
            lines += [
                "alone = subjects < 0  # without a name, each is somebody of its own",
                "subjects = np.where(alone, subjects.max() + np.cumsum(alone), subjects)",
            ]
    return "\n".join(lines) + "\n"


def _places(case: Case) -> list[int]:
    known = np.flatnonzero(case.table.column(case.spec.label).notna().to_numpy())
    return np.searchsorted(known, case.prepared.rows).tolist()


def _chosen_numbers(table: Table, spec, numbers, categories) -> list[str]:
    """The shorter of two lists: a wide table has thousands of columns."""
    kept = {*numbers, *categories, spec.label}
    left_out = [name for name in table.names if name not in kept]
    if len(left_out) <= len(numbers):
        return [
            f"LEFT_OUT = {literal([*left_out, spec.label, *categories])}",
            "NUMBERS = [name for name in table if name not in LEFT_OUT]",
        ]
    return [f"NUMBERS = {literal(numbers)}"]


def _preprocessing(prepared: Prepared) -> str:
    parts = []
    if prepared.n_numbers:
        scaler = ", StandardScaler()" if prepared.standardise else ""
        fill = 'SimpleImputer(strategy="median", keep_empty_features=True)'
        parts.append(f'        ("numbers", make_pipeline({fill}{scaler}), NUMBERS),')
    if prepared.n_numbers < len(prepared.columns):
        encoder = (
            "OneHotEncoder(\n"
            "            categories=list(CATEGORIES.values()),\n"
            '            handle_unknown="ignore",\n'
            "            sparse_output=False,\n"
            "        )"
        )
        parts.append(f'        ("categories", {encoder}, list(CATEGORIES)),')
    body = "\n".join(parts)
    return f"preprocess = ColumnTransformer(\n    [\n{body}\n    ]\n)\n"


def _groups(case: Case) -> str:
    n, groups = case.prepared.n_features, case.grouped.groups
    if _clustered(case):
        held = np.flatnonzero(covariates(case.prepared, case.spec)).tolist()
        n_groups = case.spec.n_groups or recommended_n_groups(case.prepared)
        apart = f"    labels[{literal(held)}] = labels.max() + 1  # covariates\n" if held else ""
        return CLUSTERS.format(n_groups=n_groups, apart=apart)
    if case.spec.grouping == "random" and not case.covariate_names:
        return f"groups = Groups.random({n}, {groups.n_groups}, random_state={case.spec.seed})\n"
    if groups.overlapping:
        lists = [list(map(int, members)) for members in groups.lists()]
        return f"groups = Groups.from_lists({literal(lists)}, n_features={n})\n"
    return f"groups = Groups.from_labels({label_literal(groups.labels)})\n"


def _clustered(case: Case) -> bool:
    """Whether each fold has groups of its own; a single feature is a group whatever its rows."""
    return bool(case.groupings.in_folds) and case.prepared.n_features > 1


def _bound(case: Case) -> str:
    return ", **CONSTRAINTS" if case.spec.is_constrained else ""


def _constraints(case: Case) -> str:
    """Signs and weights of the features, in the order of the encoded ones."""
    if not case.spec.is_constrained:
        return ""
    bound = constraints_of(case.prepared, case.spec)
    told = [f"    {name}=np.repeat({runs(values)}),\n" for name, values in bound.options.items()]
    text = "CONSTRAINTS = dict(\n" + "".join(told) + ")\n"
    if bound.turned is not None:
        text += TURNED.format(signs=runs(bound.turned))
    return text


# -- strengths and folds ---------------------------------------------------------------------


def _splitter(case: Case) -> str:
    together = "Group" if case.spec.subjects else ""
    return f"Stratified{together}KFold" if case.is_classes else f"{together}KFold"


def _folds(case: Case) -> str:
    whose = ", subjects[rows]" if case.spec.subjects else ""
    return SPLITS.format(splitter=_splitter(case), seed=case.spec.seed, whose=whose)


def _point(case: Case) -> str:
    spec = case.spec
    if spec.method == "esvm":
        return f"{{'alpha': {spec.alpha!r}, 'beta': {spec.beta!r}}}"
    return f"{{'lam': {spec.lam!r}}}"


def _choosing(case: Case) -> str:
    weight = ', sample_weight=compute_sample_weight("balanced", y)'
    weight = weight if case.spec.class_weight == "balanced" else ""
    weight += _bound(case)
    return CHOOSING.format(
        shares=list(SHARES),
        scales=SCALES[case.spec.method].format(share=ALPHA_SHARE, weight=weight),
        path=PATHS[case.spec.method].format(tol=TUNING_TOLERANCE, weight=weight),
        score=SCORES[case.metric],
        inner=INNER_FOLDS,
        targets=TARGETS if case.is_classes else ONE_TARGET,
        first="beta" if case.spec.method == "esvm" else "lam",
        widenings=MOST_WIDENINGS,
    )


def _report(case: Case) -> str:
    spec = case.spec
    model = f"{ESTIMATORS[spec.method]}(groups=groups, tol={TOLERANCE!r}, random_state={spec.seed}"
    model += "" if spec.method == "huber" else _bound(case)
    return REPORT.format(
        model=model,
        groups="    groups = clusters(rows)\n" if _clustered(case) else "",
        weight=_weight(case, ESTIMATORS[spec.method]),
        order=_order(case),
        folds=spec.n_folds,
        share=SELECTED_SHARE,
        score=FINAL[case.metric],
        what=WHAT[case.metric],
        chosen="[CONSTRAINTS['feature_weight'] > 0]" if case.covariate_names else "",
    )


def _weight(case: Case, estimator: str) -> str:
    if case.spec.class_weight != "balanced":
        return ""
    name = f"{estimator.lower()}__sample_weight"
    return f', {name}=compute_sample_weight("balanced", y[rows])'


def _order(case: Case) -> str:
    return "test, train" if case.spec.protocol == "inverted" else "train, test"
