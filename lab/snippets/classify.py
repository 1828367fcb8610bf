"""The code of the page that classifies a table: scikit-learn's tools around `solvers`."""

from __future__ import annotations

import numpy as np

from lab.classify.compare import GRIDS, INNER_FOLDS, SELECTED_SHARE, TOLERANCE, own_key
from lab.classify.groupings import Grouping
from lab.classify.samples import Sample
from lab.classify.setup import ClassifySpec, Prepared
from lab.tables import ReadOptions, Table

_WIDTH = 96


def snippet(
    table: Table,
    prepared: Prepared,
    spec: ClassifySpec,
    grouped: Grouping,
    *,
    sample: Sample | None = None,
    file_name: str = "table.csv",
) -> str:
    """A script that refits the model and prints its held-out accuracy, size and certificate."""
    parts = [
        _imports(prepared, spec, sample),
        _reading(table, sample, file_name),
        _columns(table, prepared, spec),
        _preprocessing(prepared),
        _groups(prepared, spec, grouped),
        _model(spec),
        _REPORT.format(share=SELECTED_SHARE, folds=_folds(spec)),
    ]
    return "\n".join(parts)


def _imports(prepared: Prepared, spec: ClassifySpec, sample: Sample | None) -> str:
    n_numbers = prepared.n_numbers
    estimator = "ExclusiveLogistic" if spec.method == "logistic" else "ExclusiveSVC"
    lines = [] if sample else ["from pathlib import Path", ""]
    lines += ["import numpy as np", "import pandas as pd", "from sklearn.base import clone"]
    lines += ["from sklearn.compose import ColumnTransformer"]
    if n_numbers:
        lines.append("from sklearn.impute import SimpleImputer")
    search = "GridSearchCV, " if spec.tuning == "cv" else ""
    lines.append(f"from sklearn.model_selection import {search}StratifiedKFold")
    lines.append("from sklearn.pipeline import make_pipeline")
    tools = [
        *(["OneHotEncoder"] if n_numbers < len(prepared.columns) else []),
        *(["StandardScaler"] if n_numbers and prepared.standardise else []),
    ]
    if tools:
        lines.append(f"from sklearn.preprocessing import {', '.join(tools)}")
    if sample:
        lines += ["", "from lab.classify.samples import SAMPLES"]
    else:
        lines += ["", "from lab.tables import ReadOptions, read_table"]
    lines.append(f"from solvers import {estimator}, Groups")
    lines.append("from solvers.models import category_text")
    return "\n".join(lines) + "\n"


def _reading(table: Table, sample: Sample | None, file_name: str) -> str:
    if sample:
        return f'table = SAMPLES["{sample.key}"].table()\n'
    options = table.options
    chosen = [
        f"    {name}={value!r},"
        for name, field in ReadOptions.__dataclass_fields__.items()
        if (value := getattr(options, name)) != field.default
    ]
    inside = "\n" + "\n".join(chosen) + "\n" if chosen else ""
    return (
        f"FILE = {file_name!r}  # the path to your copy\n"
        f"options = ReadOptions({inside})\n"
        "table = read_table(Path(FILE).read_bytes(), FILE, options)\n"
    )


def _columns(table: Table, prepared: Prepared, spec: ClassifySpec) -> str:
    numbers = [column.name for column in prepared.columns if column.categories is None]
    categories = {
        column.name: list(column.categories)
        for column in prepared.columns
        if column.categories is not None
    }
    kept = set(numbers)
    left_out = [n for n in table.names if n not in kept and n != spec.label and n not in categories]
    lines = [
        f"LABEL = {spec.label!r}",
        f"CLASSES = {_literal([str(name) for name in prepared.classes])}",
        f"CATEGORIES = {_literal(categories)}",
    ]
    # The shorter of the two lists: a wide table has thousands of columns.
    if len(left_out) <= len(numbers):
        lines += [
            f"LEFT_OUT = {_literal(left_out)}",
            "NUMBERS = [n for n in table.names if n not in {LABEL, *CATEGORIES, *LEFT_OUT}]",
        ]
    else:
        lines.append(f"NUMBERS = {_literal(numbers)}")
    dense = ".toarray()" if table.sparse is not None else ""
    lines += [
        "",
        "labels = table.column(LABEL)",
        "labelled = labels.notna().to_numpy()",
        "y = np.array([CLASSES.index(category_text(value)) for value in labels[labelled]])",
        f"numbers = table.matrix(NUMBERS){dense}[labelled]",
        "X = pd.DataFrame(numbers, columns=NUMBERS)",
        "for name in CATEGORIES:",
        "    X[name] = [category_text(value) for value in table.column(name)[labelled]]",
    ]
    return "\n".join(lines) + "\n"


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


def _groups(prepared: Prepared, spec: ClassifySpec, grouped: Grouping) -> str:
    n, groups = prepared.n_features, grouped.groups
    if spec.grouping == "random":
        return f"groups = Groups.random({n}, {groups.n_groups}, random_state={spec.seed})\n"
    if groups.overlapping:
        return f"groups = Groups.from_lists({_literal(groups.lists())}, n_features={n})\n"
    return f"groups = Groups.from_labels({_label_literal(groups.labels)})\n"


def _label_literal(labels: np.ndarray) -> str:
    """Labels one by one, or run by run where that is shorter: wide tables have thousands."""
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    if starts.size == labels.size > _WIDTH and np.array_equal(labels, np.arange(labels.size)):
        return f"np.arange({labels.size})"
    if 2 * starts.size >= labels.size:
        return _literal(labels.tolist())
    lengths = np.diff(starts, append=labels.size)
    return f"np.repeat({_literal(labels[starts].tolist())}, {_literal(lengths.tolist())})"


def _model(spec: ClassifySpec) -> str:
    common = f"groups=groups, tol={TOLERANCE!r}, random_state={spec.seed}"
    if spec.method == "logistic":
        strengths = "" if spec.tuning == "cv" else f"lam={spec.lam!r}, "
        model = f"ExclusiveLogistic({strengths}{common})"
    else:
        by_hand = f"alpha={spec.alpha!r}, beta={spec.beta!r}, "
        model = f"ExclusiveSVC({'' if spec.tuning == 'cv' else by_hand}{common})"
    text = f"model = make_pipeline(preprocess, {model})\n"
    if spec.tuning == "hand":
        return text
    step = "exclusivelogistic" if spec.method == "logistic" else "exclusivesvc"
    grid = GRIDS[own_key(spec)]
    points = ", ".join(f'"{step}__{name}": [{name}]' for name in grid)
    loops = "\n".join(f"    for {name} in {values}" for name, values in grid.items())
    return (
        text
        + "# From strong to weak: of equally good strengths the first is the sparsest.\n"
        + f"grid = [\n    {{{points}}}\n{loops}\n]\n"
        + f"inner = StratifiedKFold({INNER_FOLDS}, shuffle=True, random_state={spec.seed})\n"
        + "model = GridSearchCV(model, grid, cv=inner)\n"
    )


def _folds(spec: ClassifySpec) -> str:
    order = "test, train" if spec.protocol == "inverted" else "train, test"
    split = f"StratifiedKFold({spec.n_folds}, shuffle=True, random_state={spec.seed})"
    return f"outer = {split}\nfor {order} in outer.split(X, y):"


_REPORT = """\
scores = []
{folds}
    fold = clone(model).fit(X.iloc[train], y[train])
    scores.append(fold.score(X.iloc[test], y[test]))

fitted = model.fit(X, y)
final = getattr(fitted, "best_estimator_", fitted)[-1]
size = np.abs(final.coef_)
used = ((size > {share!r} * size.max(axis=1, keepdims=True)) & (size > 0)).any(axis=0)
print(f"held-out accuracy: {{np.mean(scores)!r}}")
print(f"features used: {{np.count_nonzero(used)}} of {{used.size}}")
print(f"certified relative gap: {{final.dual_gap_:.0e}}")
"""


def _literal(value) -> str:
    """A Python literal, one entry a line where it is long; text stays text whatever it holds."""
    text = ascii(value) if _is_odd(value) else repr(value)
    if len(text) <= _WIDTH or not isinstance(value, list | dict):
        return text
    if isinstance(value, dict):
        entries = [f"{_literal(key)}: {_literal(item)}" for key, item in value.items()]
        return "{\n" + "".join(f"    {entry},\n" for entry in entries) + "}"
    lines, line = [], "   "
    for item in value:
        entry = f" {_literal(item)},"
        if len(line) + len(entry) > _WIDTH and line.strip():
            lines.append(line)
            line = "   "
        line += entry
    lines.append(line)
    return "[\n" + "\n".join(lines) + "\n]"


def _is_odd(value) -> bool:
    """Text that cannot be written to a file as it is, or that would hide what it says."""
    return isinstance(value, str) and not value.isprintable()
