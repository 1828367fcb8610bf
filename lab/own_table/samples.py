"""Tables that come with the app, so that there is something to classify before any upload."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lab.data import datasets
from lab.tables import ReadOptions, Table


@dataclass(frozen=True)
class Sample:
    """A table that is one click away: its data, and the name of its label column."""

    key: str
    title: str
    label: str
    about: str
    spec: datasets.BundledSpec | datasets.CorrelatedSpec

    def table(self) -> Table:
        """The label first, then one column per feature."""
        data = datasets.load(self.spec)
        if data.class_names is None:
            y = np.where(data.y > 0, "yes", "no").astype(object)
        else:
            y = np.array(data.class_names, dtype=object)[data.y.astype(int)]
        names = data.names or _names_with_groups(data)
        frame = pd.DataFrame(np.array(data.X), columns=list(names))
        frame.insert(0, self.label, y)
        content = hashlib.sha256(f"{self.key}:{self.spec!r}".encode())
        content.update(np.ascontiguousarray(data.X).tobytes())
        content.update("\n".join(map(str, y)).encode())
        return Table(frame, ReadOptions(label=self.label), (), content.hexdigest())


SAMPLES = {
    sample.key: sample
    for sample in (
        Sample(
            "breast_cancer",
            "Breast cancer",
            "diagnosis",
            "569 tumours, 30 measurements of their cell nuclei, benign or malignant.",
            datasets.BundledSpec("breast_cancer"),
        ),
        Sample(
            "digits",
            "Digits",
            "digit",
            "1,797 handwritten digits, 64 pixels each, ten classes.",
            datasets.BundledSpec("digits"),
        ),
        Sample(
            "wine",
            "Wine",
            "cultivar",
            "178 wines of three cultivars, 13 chemical measurements.",
            datasets.BundledSpec("wine"),
        ),
        Sample(
            "synthetic",
            "Known groups",
            "answer",
            "200 made-up rows, 60 correlated features in six groups that their names begin with, "
            "one true feature in each.",
            datasets.CorrelatedSpec(
                n_samples=200, n_features=60, n_groups=6, task="classification", snr=4.0
            ),
        ),
    )
}


def _names_with_groups(data) -> list[str]:
    """Names that begin with the group and end in "true" where the feature counts."""
    labels, true = data.groups.labels, data.true_weights != 0.0
    return [
        f"group{labels[i] + 1}_x{i + 1}{'_true' if true[i] else ''}" for i in range(data.n_features)
    ]
