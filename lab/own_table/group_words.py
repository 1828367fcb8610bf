"""What each group says: its members by selection probability, partners, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.estimates import fold_overlap
from lab.own_table.case import Case
from lab.own_table.contenders import selected_features
from lab.own_table.encoding import encoded
from lab.own_table.scores import METRICS, score
from lab.own_table.stability import Partner, partners
from lab.words import counted, percent, short, signed

MOST_GROUPS = 200
MOST_MEMBERS = 400
_NAMED = 3


def stability_sentence(case: Case) -> str:
    """How many features are selected again and again, and how many of these may be false."""
    found = case.stability.without(case.found.covariates)
    many = int(np.count_nonzero(found.stable))
    groups = int(np.count_nonzero(case.grouped.groups.sum(found.stable.astype(float))))
    bound = found.expected_false
    false = (
        f"of which at most {bound:.1f} are expected to be false"
        if bound < max(many, 1)
        else "but a draw selects so many that the bound on false ones says nothing"
    )
    often = f"{percent(found.threshold, 0)} of {found.n_draws} half-samples"
    if many == 0:
        return f"No feature is selected in {often}: which members decide is not settled."
    kind = ", each with groups of its own" if case.spec.grouping == "random" else ""
    kind = kind if case.grouped.n_groups > 1 else ""
    return (
        f"{counted(many, 'feature')} in {counted(groups, 'group')} {'is' if many == 1 else 'are'} "
        f"selected in at least {often}{kind}, {false} (Meinshausen and Bühlmann)."
    )


def group_table(case: Case, losses: Sequence[Sequence[float]] | None) -> dict[str, list]:
    """A row per group, whole however groups overlap: members, favourites, its worth."""
    probability, names = case.stability.probability, case.found.names
    rows: dict[str, list] = {
        "group": [],
        "members": [],
        "used": [],
        "most often selected": [],
    }
    what = f"{METRICS[case.metric]} lost without it"
    if losses is not None:
        rows[what] = []
    overlap = fold_overlap(case.spec.protocol, 1.0 / (case.spec.n_folds - 1))
    for g, members in enumerate(case.found.members[:MOST_GROUPS]):
        order = members[np.argsort(-probability[members], kind="stable")][:_NAMED]
        rows["group"].append(short(case.grouped.names[g]))
        rows["members"].append(int(members.size))
        rows["used"].append(int(np.count_nonzero(case.found.selected[members])))
        rows["most often selected"].append(
            ", ".join(f"{short(names[j], 24)} {percent(probability[j], 0)}" for j in order)
        )
        if losses is not None:
            each = score(losses[g], overlap)
            # Folds that all lose the same, nothing for instance, are no certainty.
            known = each.known and each.low < each.high
            span = f" [{each.low:z.3f}, {each.high:z.3f}]" if known else ""
            said = signed(f"{each.mean:z.3f}{span}")
            rows[what].append("–" if np.isnan(each.mean) else said)
    return rows


def member_table(case: Case) -> dict[str, list]:
    """The members that were ever selected, group after group, with partners and weights."""
    found, stability = case.found, case.stability
    shown: list[tuple[int, int]] = []
    for g, members in enumerate(found.members):
        kept = members[(stability.probability[members] > 0.0) | found.selected[members]]
        order = kept[np.argsort(-stability.probability[kept], kind="stable")]
        shown += [(g, int(j)) for j in order]
    shown = shown[:MOST_MEMBERS]
    stands_in = {each.feature: each for each in partners_of(case, [j for _, j in shown])}
    # What does not count as used is not told in digits.
    used = np.array([selected_features(coef) for coef in found.in_folds])
    weights = np.where(used[:, None, :], found.in_folds, 0.0)
    return {
        "group": [short(case.grouped.names[g]) for g, _ in shown],
        "feature": [short(found.names[j], 60) for _, j in shown],
        "selected (%)": [float(100.0 * stability.probability[j]) for _, j in shown],
        "or": [partner_words(stands_in.get(j), found.names) for _, j in shown],
        "weight": [float(found.weight[j]) if found.selected[j] else 0.0 for _, j in shown],
        "weights over folds": [
            signed(", ".join(f"{value:.2g}" for value in _largest(weights[:, :, j])))
            for _, j in shown
        ],
    }


def partners_of(case: Case, features: Sequence[int]) -> list[Partner]:
    X = encoded(case.prepared)
    return partners(X, case.grouped.groups, case.stability, sorted(set(features)))


def partner_words(partner: Partner | None, names: Sequence[str]) -> str:
    if partner is None:
        return ""
    return (
        f"{short(names[partner.other], 40)} (correlation {partner.correlation:.2f}; in "
        f"{percent(partner.takes_over, 0)} of the draws without it)"
    )


def _largest(coefs: np.ndarray) -> np.ndarray:
    """Of the problems of several classes the largest weight in each fold."""
    return coefs[np.arange(len(coefs)), np.argmax(np.abs(coefs), axis=1)]
