"""Parts of the script of an analysis, to be filled in by `code`."""

from __future__ import annotations

SPLITS = """\
def split(rows, n_folds):
    folds = {splitter}(n_folds, shuffle=True, random_state={seed})
    return [(rows[a], rows[b]) for a, b in folds.split(X.iloc[rows], y[rows]{whose})]

"""
BY_HAND = """\
def strengths(rows, groups):
    return {point}

"""
TARGETS = """\
def targets(y):
    places = [1] if len(CLASSES) == 2 else range(len(CLASSES))
    return [np.where(y == place, 1.0, -1.0) for place in places]
"""
ONE_TARGET = """\
def targets(y):
    return [y]
"""
SCALES = {
    "esvm": """\
    pairs = [svm_scales(A, t, groups, fit_intercept=True{weight}) for t in targets(y)]
    alpha, beta = np.max(pairs, axis=0)
    return [{{"beta": float(s * beta), "alpha": float({share!r} * alpha)}} for s in SHARES]""",
    **dict.fromkeys(
        ("logistic", "lasso", "huber"),
        """\
    lam = max(lambda_0(A, t, groups, fit_intercept=True{weight}) for t in targets(y))
    return [{{"lam": float(s * lam)}} for s in SHARES]""",
    ),
}
SCALES["poisson"] = """\
    lam = y.mean() * lambda_0(A, y, groups, fit_intercept=True{weight})
    return [{{"lam": float(s * lam)}} for s in SHARES]"""
PATHS = {
    "esvm": """\
    betas, alpha = [point["beta"] for point in points], points[0]["alpha"]
    options = dict(tol={tol!r}, fit_intercept=True{weight})
    paths = [svm_path(A, t, groups, alpha, betas, **options) for t in targets(y)]
    return [
        B @ np.array([path.coefs[k] for path in paths]).T + [path.intercepts[k] for path in paths]
        for k in range(len(points))
    ]""",
    "lasso": """\
    lams = [point["lam"] for point in points]
    path = lasso_path(A, y, groups, lams, tol={tol!r}, fit_intercept=True{weight})
    return [B @ w[:, None] + b for w, b in zip(path.coefs, path.intercepts)]""",
    "logistic": """\
    lams = [point["lam"] for point in points]
    options = dict(tol={tol!r}, fit_intercept=True{weight})
    paths = [logistic_path(A, t, groups, lams, **options) for t in targets(y)]
    return [
        B @ np.array([path.coefs[k] for path in paths]).T + [path.intercepts[k] for path in paths]
        for k in range(len(points))
    ]""",
    "poisson": """\
    lams = [point["lam"] for point in points]
    path = poisson_path(A, y, groups, lams, tol={tol!r}, fit_intercept=True{weight})
    return [np.exp(B @ w[:, None] + b) for w, b in zip(path.coefs, path.intercepts)]""",
    "huber": """\
    w, found = None, []
    for point in points:  # from strong to weak, each from the solution before
        options = dict(delta=delta_of(y), tol={tol!r}, w0=w, fit_intercept=True{weight})
        r = solve_huber(A, y, groups, point["lam"], **options)
        w = r.w
        found.append((B @ r.w + r.intercept)[:, None])
    return found""",
}
CALLED = "    called = (z[:, 0] > 0).astype(int) if z.shape[1] == 1 else z.argmax(axis=1)\n"
SCORES = {
    "accuracy": CALLED + "    return np.mean(called == true)",
    "balanced_accuracy": CALLED
    + "    return np.mean([np.mean(called[true == k] == k) for k in np.unique(true)])",
    "r2": "    return 1 - np.sum((true - z[:, 0]) ** 2) / np.sum((true - known.mean()) ** 2)",
    "d2": "    return d2(true, z[:, 0], known.mean())",
}
WHAT = {
    "accuracy": "held-out accuracy",
    "balanced_accuracy": "held-out balanced accuracy",
    "r2": "held-out R²",
    "d2": "held-out explained deviance",
}
FINAL = {
    "accuracy": "np.mean(model.predict(X.iloc[test]) == y[test])",
    "balanced_accuracy": "np.mean([np.mean(model.predict(X.iloc[test[y[test] == k]]) == k) "
    "for k in np.unique(y[test])])",
    "d2": "d2(y[test], model.predict(X.iloc[test]), y[train].mean())",
    "r2": "1 - np.sum((y[test] - model.predict(X.iloc[test])) ** 2) "
    "/ np.sum((y[test] - y[train].mean()) ** 2)",
}
CHOOSING = """\
SHARES = {shares}


{targets}

def grid(A, y, groups):
{scales}


def held_out(A, y, B, groups, points):
{path}


def score(z, true, known):
{score}


def strengths(rows, groups):
    \"\"\"The strongest within one standard error of the best, by {inner} inner folds.\"\"\"
    points = grid(clone(preprocess).fit_transform(X.iloc[rows]), y[rows], groups)
    scores = {{}}
    for widening in range({widenings} + 1):
        new = [point for point in points if tuple(point.values()) not in scores]
        table = []
        for train, test in split(rows, {inner}):
            transform = clone(preprocess)
            A, B = transform.fit_transform(X.iloc[train]), transform.transform(X.iloc[test])
            guesses = held_out(A, y[train], B, groups, new)
            table.append([score(z, y[test], y[train]) for z in guesses])
        scores |= {{tuple(p.values()): row for p, row in zip(new, np.array(table).T)}}
        all_scores = np.array([scores[tuple(point.values())] for point in points])
        means = all_scores.mean(axis=1)
        best = means.argmax()
        least = means[best] - all_scores[best].std(ddof=1) / np.sqrt(all_scores.shape[1])
        k = int(np.flatnonzero(means >= least - 1e-12)[0])
        chosen, values = points[k], [point["{first}"] for point in points]
        if widening == {widenings} or 0 < k < len(points) - 1:
            return chosen
        # The end of the grid was chosen, so the grid goes on there.
        if k == 0:
            more = [values[0] * (values[0] / values[1]) ** j for j in (2, 1)]
            points = [{{**chosen, "{first}": value}} for value in more] + points
        else:
            more = [values[-1] * (values[-1] / values[-2]) ** j for j in (1, 2)]
            points = points + [{{**chosen, "{first}": value}} for value in more]

"""
REPORT = """\
def fitted(rows):
{groups}    model = make_pipeline(preprocess, {model}, **strengths(rows, groups)))
    return clone(model).fit(X.iloc[rows], y[rows]{weight})


scores = []
everyone = np.arange(len(y))
for {order} in split(everyone, {folds}):
    model = fitted(train)
    scores.append({score})

final = fitted(everyone)[-1]
size = np.abs(np.atleast_2d(final.coef_))
largest = size.max(axis=1, keepdims=True)
used = ((size > {share!r} * largest) & (largest > {share!r} * largest.max())).any(axis=0){chosen}
print(f"{what}: {{float(np.mean(scores))!r}}")
print(f"features used: {{np.count_nonzero(used)}} of {{used.size}}")
print(f"certified relative gap: {{final.dual_gap_:.0e}}")
"""

FOREST = """\
def fitted(rows):
    model = make_pipeline(clone(preprocess), {model})
    return model.fit(X.iloc[rows], y[rows]{weight})


scores = []
everyone = np.arange(len(y))
for {order} in split(everyone, {folds}):
    model = fitted(train)
    scores.append({score})

final = fitted(everyone)  # the forest to keep
print(f"{what}: {{float(np.mean(scores))!r}}")
"""
DEVIANCE = """\
def deviance(y, mean):
    mean = np.maximum(mean, 1e-6)
    return 2 * np.sum(np.where(y > 0, y * np.log(np.maximum(y, 1) / mean), 0) - y + mean)


def d2(y, predicted, mean):
    return 1 - deviance(y, predicted) / deviance(y, np.full(y.size, mean))

"""
HUBER = """\
def delta_of(y):
    return 1.35 * (1.4826 * np.median(np.abs(y - np.median(y))) or np.std(y) or 1.0)


class ExclusiveHuber(RegressorMixin, BaseEstimator):
    def __init__(self, lam=1.0, groups=None, tol=1e-6, random_state=None):
        self.lam, self.groups, self.tol, self.random_state = lam, groups, tol, random_state

    def fit(self, X, y):
        options = dict(delta=delta_of(y), tol=self.tol, fit_intercept=True{weight})
        r = solve_huber(X, y, self.groups, self.lam, **options)
        self.coef_, self.intercept_, self.dual_gap_ = r.w, r.intercept, r.gap
        return self

    def predict(self, X):
        return X @ self.coef_ + self.intercept_

"""
# Average linkage on 1 − |correlation|, of the training rows alone.
CLUSTERS = """\
def clusters(rows):
    A = clone(preprocess).fit_transform(X.iloc[rows])
    A = A - A.mean(axis=0)
    lengths = np.sqrt((A * A).sum(axis=0))
    A = A / np.where(lengths > 0, lengths, 1)
    distance = 1 - np.abs(np.clip(A.T @ A, -1, 1))
    np.fill_diagonal(distance, 0)
    tree = linkage(squareform(distance, checks=False), "average")
    labels = fcluster(tree, {n_groups}, "maxclust")
{apart}    return Groups.from_labels(labels)

"""
# A weight that is to be at most 0 is one of a turned column that is to be at least 0.
TURNED = """\
SIGNS = np.repeat({signs})


def turned(A):
    return A * SIGNS


preprocess = make_pipeline(preprocess, FunctionTransformer(turned))
"""
