"""Why the page about accuracy may answer otherwise for the same table: what it does differently.

A room knows no other, so what is done there stands here as `THERE`; a test holds it against that
page's own specs, and holds both pages' models, at the same strengths in the same fold, equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lab.own_table.case import Case
from lab.own_table.fits import INNER_FOLDS
from lab.own_table.scores import METRICS
from lab.own_table.spec import PROTOCOLS
from lab.own_table.strengths import SHARES
from lab.words import counted, listed

THERE: Mapping[str, object] = MappingProxyType(
    {
        "folds": 5,
        "protocol": "ordinary",
        "settings": 12,
        "ties": "weakest",
        "inner_folds": 3,
        "group_rule": "m/log m",
        "standardise": True,
        "metric": "accuracy",
    }
)


def sentence(case: Case) -> str:
    """In Markdown, for the table and the settings on show."""
    if not case.is_classes:
        return "The page about accuracy compares classifiers, so it has no answer for this table."
    listed = "\n".join(f"- {reason}" for reason in reasons(case))
    return (
        "**The page about accuracy** may order the methods otherwise for this table. Both are "
        f"right about what they ask:\n\n{listed}\n\nOn small tables any of these changes the "
        "order, which is why differences stand here with their paired intervals, and methods that "
        "these cannot tell apart are called equally good. At the same strengths, groups and fold "
        "a model is the same on both pages."
    )


def reasons(case: Case) -> list[str]:
    """What differs, most telling first; of the table only what it has."""
    spec, prepared, found = case.spec, case.prepared, []
    incomplete = prepared.n_incomplete
    if incomplete:
        rows = counted(incomplete, "row")
        found.append(f"there {rows} with gaps {_is(incomplete)} left out, here gaps are filled;")
    texts = len(prepared.columns) - prepared.n_numbers
    if texts:
        columns = counted(texts, "column")
        found.append(f"there {columns} of categories {_is(texts)} left out, here they count;")
    if case.metric != THERE["metric"]:
        found.append(
            f"there settings are chosen and judged by {METRICS[str(THERE['metric'])]}, here by "
            f"{METRICS[case.metric]};"
        )
    if spec.class_weight == "balanced":
        found.append("there every row counts alike in a fit, here every class;")
    if spec.subjects is not None:
        found.append("there rows of one subject may be in training and in test;")
    own = [
        *(["repeated rows left out"] if spec.distinct else []),
        *(["logarithms"] if spec.logs else []),
        *(["signs, weights and covariates"] if spec.is_constrained else []),
    ]
    if own:
        found.append(f"{listed(own)}: that page has none of this;")
    if not spec.standardise:
        found.append("there features are standardised unless one says otherwise;")
    if (spec.n_folds, spec.protocol) != (THERE["folds"], THERE["protocol"]):
        found.append(
            f"there {THERE['folds']} folds are the usual, {PROTOCOLS[str(THERE['protocol'])]}, "
            f"here {spec.n_folds}, {PROTOCOLS[spec.protocol]};"
        )
    found.append(
        f"there a method takes the best of {THERE['settings']} settings over "
        f"{THERE['inner_folds']} inner folds, of equals the {THERE['ties']} penalty; here "
        f"{_chosen_here(case)};"
    )
    found.append(
        f"there random groups follow the paper's rule {THERE['group_rule']} and are drawn anew in "
        f"every fold, here there {_is(many := case.groupings.random.n_groups)} "
        f"{counted(many, 'group')}, the same in all;"
    )
    same = not incomplete and not spec.distinct and spec.subjects is None
    found.append(
        f"inner folds are drawn from other seeds there; {'the' if same else 'even the'} folds that "
        f"test are {'the same for the same number, kind and seed' if same else 'others'}."
    )
    return found


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _chosen_here(case: Case) -> str:
    if case.spec.tuning == "hand":
        return "ours has the strengths that were set, and the others choose as ours would"
    return (
        f"ours takes the strongest of {len(SHARES)} or more that is within one standard error of "
        f"the best over {INNER_FOLDS}, and the others do so from grids of their own"
    )
