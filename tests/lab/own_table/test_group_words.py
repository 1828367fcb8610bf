"""What is said about groups, against the fits themselves."""

import re
from pathlib import Path

import numpy as np
import pytest

import lab
from lab.own_table import group_words
from lab.own_table.contenders import selected_features
from lab.own_table.stability import Stability
from tests.lab.own_table.tables import fitted_case, mixed_table

ROOT = Path(lab.__file__).parent
# A share formatted by Python or by plotly ends in a sign without its space.
GLUED = re.compile(r":[,z+]?\.\d%\}|\"\.\d%\"|%\{z:\.\d%\}")


def test_a_weight_is_told_where_the_fold_uses_the_feature():
    case = fitted_case(mixed_table())
    drawn = np.ones((4, case.prepared.n_features), dtype=bool)
    shown = group_words.member_table(case.knowing(stability=Stability(drawn)))
    places = {name: j for j, name in enumerate(case.found.names)}
    used = [selected_features(outcome.coef) for outcome in case.folds]
    assert len(shown["feature"]) == case.prepared.n_features
    for name, told in zip(shown["feature"], shown["weights over folds"], strict=True):
        digits = [float(text) != 0.0 for text in told.replace("−", "-").split(", ")]
        assert digits == [bool(fold[places[name]]) for fold in used]
    for name, weight in zip(shown["feature"], shown["weight"], strict=True):
        assert (weight != 0.0) == bool(case.found.selected[places[name]])


def test_a_loss_that_is_the_same_in_all_folds_claims_no_certainty():
    case = fitted_case(mixed_table(), grouping="prefix")
    drawn = np.ones((4, case.prepared.n_features), dtype=bool)
    case = case.knowing(stability=Stability(drawn))
    losses = [[0.0] * 3, [0.1, 0.2, 0.3], *[[0.0] * 3] * (case.grouped.n_groups - 2)]
    told = group_words.group_table(case, losses)["accuracy lost without it"]
    assert told[0] == "0.000" and told[1].startswith("0.200 [")


@pytest.mark.parametrize("room", ["own_table", "tables"])
def test_a_share_is_spelled_with_a_space(room):
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if GLUED.search(line)
    ]
    assert not found
