"""The controls of the accuracy page: defaults, presets, and specs to and from their values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lab.accuracy import paper_runs
from lab.accuracy.protocol import LABELS, Protocol
from lab.accuracy.quantities import QUANTITIES
from lab.accuracy.specs import (
    FIG2D_METHODS,
    REAL_METHODS,
    REAL_RULES,
    Fig2dSpec,
    RealSpec,
    Spec,
    UploadSpec,
    WhenSpec,
)
from lab.data.datasets import BUNDLED, MAT_FILES, BundledSpec, MatSpec, OpenMLSpec, data_folder
from lab.data.paper_numbers import FIG2D_MS, FIG2D_REPEATS, N_FEATURES, TABLE_1
from lab.results import shipped_folder

GENERATED, WHEN, REAL = "Generated data, Fig. 2(d)", "When does it help?", "Real data, Table 1"
LEAD = "minus the best other"
SHOWN = (LEAD, "accuracy", "selected features", "seconds")
WEAKEST = ("0.05", "0.01", "0.001", "0.0001")
QUANTITY_TITLES = tuple(each.title for each in QUANTITIES.values())
BY_NAME, OWN_FILE = "OpenML, by name", "Your own file"

# Samples × features of one trial's data that a visitor may ask for; the paper's largest has 25
# million. The command line has no such bound.
MOST_NUMBERS = 30_000_000

_KEYS = {label: key for key, label in LABELS.items()}


def _labels(keys) -> list[str]:
    return [LABELS[key] for key in keys]


DEFAULTS: Mapping[str, Any] = {
    "tab": GENERATED,
    "show": LEAD,
    "keep": False,
    "ms": ", ".join(str(m) for m in FIG2D_MS),
    "repeats": FIG2D_REPEATS,
    "noise": "independent",
    "bayes": 10,
    "methods": _labels(FIG2D_METHODS),
    "features": N_FEATURES,
    "quantity": QUANTITIES["error"].title,
    "values": "",
    "draws": 20,
    "wide": 1008,
    "samples": 192,
    "known": 48,
    "rule": "m/log m",
    "groups": 50,
    "inner": 3,
    "weakest": "0.05",
    "seed": 0,
    "data": BUNDLED["breast_cancer"],
    "openml": "ionosphere",
    "folds": 10,
    "kind": "ordinary",
    "times": 1,
    "scaling": "standardise",
    "rivals": _labels(REAL_METHODS),
    "faintest": "0.001",
    "ties": "weakest",
}

_QUICK = {
    "features": 1008,
    "ms": "48, 96, 192",
    "repeats": 8,
    "methods": _labels(key for key in FIG2D_METHODS if key != "kong"),
}
_QUANTITY_KEYS = {each.title: key for key, each in QUANTITIES.items()}


def presets() -> dict[str, dict[str, Any]]:
    """Whole settings by name; those of Table 1 where their data or trials are at hand."""
    found = {
        "Paper's Fig. 2(d)": {},
        "with shared noise": {"noise": "shared"},
        "Quick": _QUICK,
        "Wrong groups": {"tab": WHEN, "quantity": QUANTITIES["wrong"].title},
    }
    for row in TABLE_1:
        if row.data in ("allaml", "leu") and row.data in _at_hand():
            found[f"Table 1: {row.title}"] = {
                "tab": REAL,
                "data": MAT_FILES[row.data].title,
                "folds": row.folds,
                "kind": "inverted",
            }
    return found


def data_choices() -> list[str]:
    """The data sets that can be chosen: those on this machine, and those whose trials came with us.

    A link to a row of Table 1 then shows its results where nobody has the data.
    """
    classes = [title for key, title in BUNDLED.items() if key != "diabetes"]
    return [*classes, *(MAT_FILES[key].title for key in _at_hand()), BY_NAME, OWN_FILE]


def _at_hand() -> list[str]:
    folder, known = data_folder(), paper_runs.sets_in(shipped_folder())
    return [
        key for key, file in MAT_FILES.items() if key in known or (folder / file.path).is_file()
    ]


def spec_of(values: Mapping[str, Any], upload: UploadSpec | None = None) -> Spec:
    """The sweep that the controls describe; ValueError says what is wrong with them."""
    if values["tab"] == GENERATED:
        ms, n_features = parse_ms(values["ms"]), int(values["features"])
        _check_sizes(ms, n_features)
        return Fig2dSpec(
            n_features=n_features,
            ms=ms,
            repeats=int(values["repeats"]),
            bayes_error=values["bayes"] / 100.0,
            noise=values["noise"],
            group_rule=values["rule"],
            n_random_groups=int(values["groups"]),
            methods=_in_order(values["methods"], FIG2D_METHODS),
            protocol=Protocol(int(values["inner"]), float(values["weakest"])),
            seed=int(values["seed"]),
        )
    if values["tab"] == WHEN:
        return _when_of(values)
    return RealSpec(
        data=_data_of(values, upload),
        folds=int(values["folds"]),
        fold_kind=values["kind"],
        repeats=int(values["times"]),
        scaling=values["scaling"],
        group_rule=values["rule"],
        n_random_groups=int(values["groups"]),
        methods=_in_order(values["rivals"], REAL_METHODS),
        protocol=replace(
            REAL_RULES[values["ties"]],
            inner_folds=int(values["inner"]),
            weakest=float(values["faintest"]),
        ),
        seed=int(values["seed"]),
    )


def _when_of(values: Mapping[str, Any]) -> WhenSpec:
    key = _QUANTITY_KEYS[values["quantity"]]
    quantity = QUANTITIES[key]
    _check_sizes([int(values["samples"])], int(values["wide"]))
    return WhenSpec(
        quantity=key,
        values=quantity.parse(values["values"]) if values["values"].strip() else quantity.values,
        n_features=int(values["wide"]),
        n_samples=int(values["samples"]),
        n_groups=int(values["known"]),
        repeats=int(values["draws"]),
        noise=values["noise"],
        group_rule=values["rule"],
        n_random_groups=int(values["groups"]),
        methods=_in_order(values["methods"], FIG2D_METHODS),
        protocol=Protocol(int(values["inner"]), float(values["weakest"])),
        seed=int(values["seed"]),
    )


def _check_sizes(ms, n_features: int) -> None:
    numbers = 2 * max(ms, default=0) * n_features
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"m = {max(ms):,} with {n_features:,} features makes data of {numbers / 1e6:,.0f} "
            f"million numbers, and the limit here is {MOST_NUMBERS / 1e6:.0f} million: lower m or "
            "the features."
        )


def values_of(spec: Spec) -> dict[str, Any]:
    """The controls that describe a sweep, where they differ from the defaults or not."""
    shared = {
        "rule": spec.group_rule,
        "groups": spec.n_random_groups,
        "inner": spec.protocol.inner_folds,
        "seed": spec.seed,
    }
    if isinstance(spec, Fig2dSpec):
        return {
            **shared,
            "tab": GENERATED,
            "ms": ", ".join(str(m) for m in spec.ms),
            "repeats": spec.repeats,
            "noise": spec.noise,
            "bayes": round(100 * spec.bayes_error),
            "methods": _labels(spec.methods),
            "features": spec.n_features,
            "weakest": f"{spec.protocol.weakest:g}",
        }
    if isinstance(spec, WhenSpec):
        quantity = QUANTITIES[spec.quantity]
        usual = spec.values == quantity.values
        return {
            **shared,
            "tab": WHEN,
            "quantity": quantity.title,
            "values": "" if usual else ", ".join(map(quantity.said, spec.values)),
            "draws": spec.repeats,
            "wide": spec.n_features,
            "samples": spec.n_samples,
            "known": spec.n_groups,
            "noise": spec.noise,
            "methods": _labels(spec.methods),
            "weakest": f"{spec.protocol.weakest:g}",
        }
    data = {"data": data_title(spec)}
    if isinstance(spec.data, OpenMLSpec):
        data["openml"] = spec.data.name
    return {
        **shared,
        **data,
        "tab": REAL,
        "folds": spec.folds,
        "kind": spec.fold_kind,
        "times": spec.repeats,
        "scaling": spec.scaling,
        "rivals": _labels(spec.methods),
        "faintest": f"{spec.protocol.weakest:g}",
        "ties": spec.protocol.ties,
    }


def data_title(spec: RealSpec) -> str:
    """The data set as the page's list calls it."""
    if isinstance(spec.data, BundledSpec):
        return BUNDLED[spec.data.name]
    if isinstance(spec.data, MatSpec):
        return MAT_FILES[spec.data.name].title
    return BY_NAME if isinstance(spec.data, OpenMLSpec) else OWN_FILE


def data_in_words(spec: RealSpec) -> str:
    """The data set as a sentence has it."""
    if isinstance(spec.data, UploadSpec):
        return spec.data.name
    return spec.data.name if isinstance(spec.data, OpenMLSpec) else data_title(spec)


def title(spec: Spec) -> str:
    """What the queue calls a sweep; a visitor's file is not named, since all can read this."""
    if isinstance(spec, Fig2dSpec):
        return f"accuracy on generated data, n = {spec.n_features}"
    if isinstance(spec, WhenSpec):
        return f"accuracy by {QUANTITIES[spec.quantity].axis}"
    return f"accuracy on real data, {spec.folds} folds"


def in_brief(spec: Spec) -> str:
    """Enough to tell one sweep from another."""
    if isinstance(spec, Fig2dSpec):
        ms = ", ".join(map(str, spec.ms))
        return f"n = {spec.n_features}, m = {ms}, {spec.noise} noise, seed {spec.seed}"
    if isinstance(spec, WhenSpec):
        quantity = QUANTITIES[spec.quantity]
        return (
            f"{quantity.where(spec.values)}; {spec.n_samples} samples of {spec.n_features:,} "
            f"features in {spec.n_groups} groups, {spec.noise} noise, seed {spec.seed}"
        )
    data = spec.data.name if isinstance(spec.data, OpenMLSpec) else data_title(spec)
    return f"{data}, {spec.folds} {spec.fold_kind} folds, seed {spec.seed}"


def parse_ms(text: str) -> tuple[int, ...]:
    """ "48, 96 192" as numbers, each once, in increasing order."""
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    wrong = next((part for part in parts if not re.fullmatch(r"\d{1,6}", part)), None)
    if wrong is not None:
        raise ValueError(f"The list of m holds {wrong[:20]!r}; write whole numbers, as in 48, 96.")
    if len(parts) > 20:
        raise ValueError(f"The list of m holds {len(parts)} numbers; 20 are the most.")
    return tuple(sorted({int(part) for part in parts}))


def _in_order(labels, keys) -> tuple[str, ...]:
    chosen = {_KEYS[label] for label in labels if label in _KEYS}
    return tuple(key for key in keys if key in chosen)


def _data_of(values, upload):
    chosen = values["data"]
    for key, name in BUNDLED.items():
        if chosen == name:
            return BundledSpec(key)
    for key, file in MAT_FILES.items():
        if chosen == file.title:
            return MatSpec(key)
    if chosen == BY_NAME:
        name = values["openml"].strip()
        if not name:
            raise ValueError("Write the name of a data set on openml.org, for example ionosphere.")
        return OpenMLSpec(name)
    if upload is None:
        raise ValueError("Choose a file to upload; it stays in memory and is never written.")
    return upload


def for_files(spec: Spec) -> dict[str, Any]:
    """The settings as single numbers and texts, for a column each in a file of results."""
    flat: dict[str, Any] = {"sweep": spec.id}
    for name, value in spec.as_dict().items():
        if isinstance(value, dict):
            flat |= {f"{name} {key}": part for key, part in value.items()}
        else:
            flat[name] = ", ".join(map(str, value)) if isinstance(value, list) else value
    return flat
