"""What is known about a model, beside its weights: for its file, and as a page of Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import sklearn

from lab.own_table.case import Case
from lab.own_table.contenders import LABELS, SELECTED_SHARE
from lab.own_table.findings import SYMBOLS
from lab.own_table.fits import INNER_FOLDS, Outcome
from lab.own_table.headline import answer
from lab.own_table.model import groups_by_name
from lab.own_table.scores import ERRORS, METRICS, metrics_of
from lab.own_table.spec import GROUPINGS, PROTOCOLS, TableSpec
from lab.words import (
    capitalised,
    counted,
    in_markdown,
    listed_in_markdown,
    percent,
    plain_number,
    signed,
)
from solvers import __version__

MOST_FEATURES_ON_CARD = 50


def about(case: Case, final: Outcome | None = None) -> dict[str, Any]:
    """Settings, data, verdict, scores and certificate as plain JSON values."""
    spec, prepared = case.spec, case.prepared
    final = case.final if final is None else final
    settings = {
        field.name: getattr(spec, field.name)
        for field in fields(spec)
        if field.name not in ("features", "categorical", "group_lists", "logs")
    }
    settings |= {name: dict(settings[name]) for name in ("signs", "feature_weights")}
    verdict = case.verdict
    return {
        "software": f"exclusive sparsity {__version__}, NumPy {np.__version__}, "
        f"scikit-learn {sklearn.__version__}",
        "data": {
            "source": case.name,
            "sha256": case.table.digest,
            "rows": prepared.n_samples,
            "columns": len(prepared.columns),
            "features": prepared.n_features,
            "rows per class": {
                str(name): int(count)
                for name, count in zip(prepared.classes, prepared.class_counts, strict=True)
            },
        },
        "model": LABELS[final.key],
        "settings": settings,
        "strengths": {name: float(value) for name, value in final.strengths.items()},
        "certified relative gap": None if final.gap is None else float(final.gap),
        "groups": groups_by_name(prepared, case.grouped),
        "verdict": {
            "level": verdict.level,
            "score": METRICS[verdict.metric],
            "mean": _number(verdict.score.mean),
            "interval": [_number(verdict.score.low), _number(verdict.score.high)],
            "guessing": verdict.guess,
            "shuffled labels": list(verdict.chance),
            "p": verdict.p,
            "selected": verdict.n_selected,
            "selected in every fold": verdict.n_always,
        },
        "held-out scores": {
            row.label: {
                metric: {
                    "mean": _number(each.mean),
                    "interval": [_number(each.low), _number(each.high)],
                    "folds": each.count,
                }
                for metric, each in row.scores.items()
            }
            for row in case.standings
        },
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def model_card(case: Case, facts: Mapping[str, Any]) -> str:
    """The facts of a model as Markdown, for people."""
    spec, features, metrics = case.spec, case.found, metrics_of(case.spec.target)
    data, strengths = facts["data"], facts["strengths"]
    classes = ", ".join(
        f"{in_markdown(name)} ({count:,})" for name, count in data["rows per class"].items()
    )
    gap = facts["certified relative gap"]
    certificate = (
        "none" if gap is None else f"relative duality gap {gap:.1e} (0 is the exact optimum)"
    )
    chosen = ", ".join(f"{SYMBOLS[name]} = {value:.6g}" for name, value in strengths.items())
    variance = " with Nadeau and Bengio's variance" if spec.protocol == "ordinary" else ""
    kept = f", rows of one {in_markdown(spec.subjects)} together" if spec.subjects else ""
    lines = [
        f"# Model card: {facts['model']} for {in_markdown(spec.label)}",
        "",
        answer(case),
        "",
        "## What it is",
        "",
        f"- **Model**: {facts['model']}, {_linear(spec)}; {chosen}, {_how_chosen(spec)}.",
        *([f"- **Classes** (rows): {classes}."] if classes else []),
        f"- **Groups**: {len(facts['groups'])}, {GROUPINGS[spec.grouping]}.",
        *_constraints(case),
        f"- **Uses** {features.n_selected} of {data['features']:,} features (weights above "
        f"{percent(SELECTED_SHARE)} of the largest), in {counted(features.groups_used, 'group')}.",
        f"- **Certificate**: {certificate}.",
        f"- **Preprocessing**: gaps filled with the median"
        f"{', then zero mean and unit variance' if spec.standardise else ''}; an indicator per "
        "category; part of the model file.",
        "",
        "## Data",
        "",
        f"- **Source**: {in_markdown(data['source'], 120)}, {data['rows']:,} rows, "
        f"{data['columns']:,} columns used.",
        f"- **SHA-256**: `{data['sha256']}`",
        "",
        "## Scores on held-out rows",
        "",
        f"{capitalised(PROTOCOLS[spec.protocol])}, {spec.n_folds} folds, seed {spec.seed}{kept}; "
        "the preprocessing is refitted in every fold. Means over folds with 95 % intervals "
        f"(Student's t{variance}).",
        "",
        *_score_rows(facts["held-out scores"], metrics),
        "",
        "## Features",
        "",
        *_feature_rows(features),
        "",
        "## Limits",
        "",
        "Scores hold for rows drawn like these. Weights of correlated features can trade places: "
        "the last column says how often a feature was selected when part of the rows was left out.",
        "",
        f"Made with {facts['software']}. Load it with `solvers.load_model(path)`.",
        "",
    ]
    return "\n".join(lines)


def _linear(spec: TableSpec) -> str:
    return "linear in the logarithm of the mean" if spec.method == "poisson" else "linear"


def _how_chosen(spec: TableSpec) -> str:
    if spec.tuning == "hand":
        return "set by hand"
    return (
        f"the strongest within one standard error of the best by {INNER_FOLDS}-fold "
        "cross-validation on all rows; for the scores, on the training rows of each fold"
    )


def _score_rows(scores: Mapping[str, Any], metrics: Mapping[str, str]) -> list[str]:
    """A row for each score of each model: a phone has no room for a column each."""
    rows = ["| score | model | mean | 95 % interval |", "| :-- | :-- | --: | --: |"]
    for metric, name in metrics.items():
        for label, each in scores.items():
            mean, interval = _cells(each[metric], metric)
            rows.append(f"| {name} | {label} | {mean} | {interval} |")
    return rows


def _feature_rows(features) -> list[str]:
    """The features in use, the largest weights first."""
    rows = ["| feature, group | weight | in folds |", "| :-- | --: | --: |"]
    order = np.argsort(-np.abs(features.weight), kind="stable")
    order = order[features.selected[order]]
    for j in order[:MOST_FEATURES_ON_CARD]:
        name = f"{in_markdown(features.names[j])}, {in_markdown(features.group_name(j))}"
        weight, share = signed(f"{features.weight[j]:.4g}"), percent(features.frequency[j], 0)
        rows.append(f"| {name} | {weight} | {share} |")
    if order.size > MOST_FEATURES_ON_CARD:
        rows += ["", f"And {order.size - MOST_FEATURES_ON_CARD:,} more."]
    return rows


def _constraints(case: Case) -> list[str]:
    if not case.spec.is_constrained:
        return []
    told = []
    if case.covariate_names:
        told.append(f"covariates without a penalty: {listed_in_markdown(case.covariate_names)}")
    others = sum(weight not in (0.0, 1.0) for _, weight in case.spec.feature_weights)
    if others:
        told.append(f"{counted(others, 'feature')} with a weight of their own in the penalty")
    for sign, what in ((1, "at least"), (-1, "at most")):
        names = [name for name, value in case.spec.signs if value == sign]
        if names:
            told.append(f"weight {what} 0: {listed_in_markdown(names)}")
    return [f"- **Constraints**: {'; '.join(told)}."] if told else []


def _cells(score: Mapping[str, Any], metric: str) -> tuple[str, str]:
    def said(value: float) -> str:
        return plain_number(value, 4) if metric in ERRORS else signed(f"{value:z.3f}")

    if score["mean"] is None:
        return "–", "–"
    low, high = score["interval"]
    return said(score["mean"]), "–" if low is None else f"{said(low)} to {said(high)}"
