"""How many random groups E-SVM(R) should have: test accuracy from one group to one a feature."""

from __future__ import annotations

import numpy as np

from lab.data.datasets import ESVMSpec, load
from lab.estimates import Estimate, difference, estimate
from solvers import Groups, svm_path

COUNTS = (1, 2, 4, 7, 14, 28, 56, 112, 252, 504)
FEATURES, TRUE = 504, 56
_SHARES = np.geomspace(1.0, 1e-3, 7)


def sweep(draws: int, n: int = FEATURES, m: int = TRUE, counts=COUNTS) -> dict:
    """E-SVM(R) on the paper's synthetic data at a tenth of its size, by the number of groups.

    m samples, m true features. α and β are the best of 4 × 7 on 1,000 further samples, for every
    number of groups alike; the accuracy is that on 2,000 more. `most` is the largest number by the
    paper's rule, s/log s, and `most_minus` how far it is ahead of each, paired draw by draw.
    """
    accuracy: dict[int, list[float]] = {count: [] for count in counts}
    for seed in range(draws):
        data = load(ESVMSpec(n_features=n, n_groups=m, n_samples=m, seed=seed))
        more = load(ESVMSpec(n_features=n, n_groups=m, n_samples=3000, seed=seed))
        # The same w* and distance, other samples: the spec draws w* first.
        assert np.array_equal(data.true_weights, more.true_weights)
        held, test = np.arange(3000) % 3 == 0, np.arange(3000) % 3 != 0
        X_more, y_more = more.test.X, more.test.y
        for count in counts:
            groups = Groups.random(n, count, np.random.default_rng(1000 + seed))
            best, chosen = -1.0, None
            for alpha in (0.1, 1.0, 10.0, 100.0):
                path = svm_path(data.X, data.y, groups, alpha, 100.0 * m * _SHARES, tol=1e-3)
                for w in path.coefs:
                    score = float(np.mean(np.sign(X_more[held] @ w) == y_more[held]))
                    if score > best:
                        best, chosen = score, w
            accuracy[count].append(float(np.mean(np.sign(X_more[test] @ chosen) == y_more[test])))
    found = {count: estimate(values) for count, values in accuracy.items()}
    most = max(count for count in counts if count <= round(m / np.log(m)))
    return {
        "draws": draws,
        "n": n,
        "s": m,
        "groups": list(counts),
        "mean": [round(found[count].mean, 4) for count in counts],
        "low": [round(found[count].low, 4) for count in counts],
        "high": [round(found[count].high, 4) for count in counts],
        "most": most,
        "most_minus": [_rounded(difference(accuracy[most], accuracy[c])) for c in counts],
    }


def _rounded(found: Estimate) -> dict[str, float]:
    parts = {"mean": found.mean, "error": found.error}
    return {name: round(value, 5) for name, value in parts.items()}
