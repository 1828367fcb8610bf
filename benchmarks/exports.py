"""Do the exports that need libraries of their own give what the page's model gives?

    pip install skops skl2onnx onnxruntime
    python -m benchmarks.exports

The app offers skops and ONNX where these are installed; its tests do without. Six small analyses,
one of each kind, are exported, loaded by the other library and put to the rows they come from.
`skops` is the largest difference of its scores or numbers from ours; `onnx`, in single precision,
that of its scores, chances or numbers, with the share of rows that get the same class.
"""

from __future__ import annotations

from importlib import metadata

import numpy as np
import onnxruntime
import skops.io

from benchmarks import common
from lab.own_table import pipeline
from tests.lab.own_table.tables import fitted_case, mixed_table, number_table, table_of


def cases() -> dict:
    three = mixed_table().frame.assign(**{"class": np.resize(["a", "b", "c"], 60)})
    counts = number_table().frame
    counts["y"] = np.round(np.exp(0.4 * counts["a_one"]))
    logs = table_of(number_table().frame.abs(), "y")
    number = dict(target="quantity", method="lasso")
    return {
        "E-SVM": fitted_case(mixed_table()),
        "E-SVM, three classes": fitted_case(table_of(three, "class")),
        "exclusive logistic": fitted_case(mixed_table(), method="logistic"),
        "exclusive lasso": fitted_case(number_table(), **number),
        "exclusive lasso of logarithms": fitted_case(logs, logs=("a_one",), **number),
        "exclusive Poisson": fitted_case(table_of(counts, "y"), target="counts", method="poisson"),
    }


def by_skops(case) -> dict:
    data = pipeline.as_skops(case)
    unknown = skops.io.get_untrusted_types(data=data)
    model = skops.io.loads(data, trusted=unknown)
    X = case.prepared.X
    scores = model.decision_function(X) if case.is_classes else model.predict(X)
    off = float(np.max(np.abs(scores - case.final.decision)))
    return {"bytes": len(data), "asked to trust": unknown, "largest difference": off}


def by_onnx(case) -> dict:
    data = pipeline.as_onnx(case)
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    (into,) = session.get_inputs()
    X = case.prepared.X
    first, *rest = session.run(None, {into.name: X.astype(np.float32)})
    pipe = pipeline.plain_pipeline(case)
    if not case.is_classes:
        off = float(np.max(np.abs(np.ravel(first) - pipe.predict(X))))
        return {"bytes": len(data), "largest difference": off}
    scores = pipe.predict_proba(X) if hasattr(pipe, "predict_proba") else case.final.decision
    told = rest[0] if scores.ndim == 2 else rest[0][:, 1]
    return {
        "bytes": len(data),
        "largest difference": float(np.max(np.abs(told - scores))),
        "same class": float(np.mean(np.ravel(first) == pipe.predict(X))),
    }


def main() -> None:
    found = {name: {"skops": by_skops(c), "onnx": by_onnx(c)} for name, c in cases().items()}
    for name, each in found.items():
        print(name, each)
    names = ("skops", "skl2onnx", "onnx", "onnxruntime")
    common.write(
        "exports", {"libraries": {n: metadata.version(n) for n in names}, "analyses": found}
    )


if __name__ == "__main__":
    main()
