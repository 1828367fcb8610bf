"""One trial of a sweep: a pure function of its spec, fit for any worker process."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.special import ndtr
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler, normalize

from lab.accuracy.specs import Fig2dSpec, RealSpec, Spec, Trial, WhenSpec, count_groups
from lab.accuracy.tuning import accuracy_of, tune_and_fit
from lab.data.datasets import Dataset, ESVMSpec, load
from lab.data.draws import spread_along
from lab.data.wrong_groups import with_wrong_groups

Result = dict


def run_trial(spec: Spec, trial: Trial, data: tuple | None = None) -> Result:
    """Accuracy, nonzeros, seconds, chosen strengths and certificate of one method in one trial.

    `data` is (X, y) of a visitor's own set; all other data are made or read from the spec. Every
    random choice follows from the spec's seed and the trial, never from the method, so that
    methods are compared on the same samples, folds and random groups.
    """
    if isinstance(spec, Fig2dSpec):
        return _generated_trial(spec, trial)
    if isinstance(spec, WhenSpec):
        return _when_trial(spec, trial)
    return _real_trial(spec, trial, data)


def fig2d_data(spec: Fig2dSpec, m: int, repeat: int) -> Dataset:
    """Training samples with their test set (`Dataset.test`)."""
    return load(
        ESVMSpec(
            n_features=spec.n_features,
            n_groups=m,
            bayes_error=spec.bayes_error,
            shared_noise=spec.noise == "shared",
            seed=spec.seed + repeat,
        )
    )


def _generated_trial(spec: Fig2dSpec, trial: Trial) -> Result:
    m, repeat, method = trial
    data = fig2d_data(spec, m, repeat)
    if method == "oracle":
        w = data.true_weights
        return _result(
            trial,
            accuracy=float(np.mean(np.sign(data.test.X @ w) == data.test.y)),
            nonzeros=int(np.count_nonzero(w)),
            n_train=data.n_samples,
            n_test=data.test.n_samples,
        )
    fitted = tune_and_fit(
        method,
        data.X,
        data.y,
        spec.protocol,
        groups=data.groups,
        n_random_groups=spec.random_groups(m),
        fit_intercept=False,
        seed=separate_seed(spec.seed + repeat),
    )
    return _of_model(trial, fitted, data.test.X, data.test.y, data.n_samples)


def when_data(spec: WhenSpec, value: int, repeat: int) -> ESVMSpec:
    """The generator of one repeat; it is the same draw for all values where it can be."""
    quantities = spec.settings_at(value)
    return ESVMSpec(
        n_features=spec.n_features,
        n_groups=spec.n_groups,
        n_samples=spec.n_samples,
        bayes_error=quantities["error"],
        rho=quantities["correlation"],
        nonzeros_per_group=quantities["per_group"],
        shared_noise=spec.noise == "shared",
        seed=spec.seed + repeat,
    )


def chance_of_being_right(data: ESVMSpec, true_weights, w) -> float:
    """P(y wᵀx > 0) = Φ(d wᵀw*/√(wᵀΣw)) of a new sample x = noise + y d w*: no test set is needed

    Σ is the covariance of the noise. A classifier that is 0 is right half of the time.
    """
    spread = spread_along(w, data.rho)
    return float(ndtr(data.distance(true_weights) * (w @ true_weights) / spread)) if spread else 0.5


def _when_trial(spec: WhenSpec, trial: Trial) -> Result:
    value, repeat, method = trial
    quantities = spec.settings_at(value)
    generator = when_data(spec, value, repeat)
    data = load(generator)
    seed = separate_seed(spec.seed + repeat)
    if method == "oracle":
        return _result(
            trial,
            accuracy=chance_of_being_right(generator, data.true_weights, data.true_weights),
            nonzeros=int(np.count_nonzero(data.true_weights)),
            n_train=data.n_samples,
            n_test=0,
        )
    fitted = tune_and_fit(
        method,
        data.X,
        data.y,
        spec.protocol,
        groups=with_wrong_groups(data.groups, quantities["wrong"], seed),
        n_random_groups=spec.random_groups(int(np.count_nonzero(data.true_weights))),
        fit_intercept=False,
        seed=seed,
        strength=quantities["strength"],
    )
    w = fitted.model.coef_.reshape(-1)
    right = chance_of_being_right(generator, data.true_weights, w)
    return _of_fit(trial, fitted, right, data.n_samples, 0)


def _real_trial(spec: RealSpec, trial: Trial, given: tuple | None) -> Result:
    repeat, fold, method = trial
    X, y = given if given is not None else real_data(spec)
    train, test = outer_fold(spec, y, repeat, fold)
    X_train, X_test = scaled(spec.scaling, X[train], X[test])
    fitted = tune_and_fit(
        method,
        X_train,
        y[train],
        spec.protocol,
        groups=None,
        n_random_groups=count_groups(spec.group_rule, X.shape[1], train.size, spec.n_random_groups),
        fit_intercept=True,
        seed=separate_seed(spec.seed + repeat, fold),
    )
    return _of_model(trial, fitted, X_test, y[test], train.size)


def real_data(spec: RealSpec) -> tuple:
    """(X, y) of a set that can be loaded by name."""
    data = load(spec.data)
    if data.task != "classification":
        raise ValueError(
            f"{data.description} has a quantity to predict, not classes; choose another set."
        )
    return data.X, data.y


def outer_fold(spec: RealSpec, y, repeat: int, fold: int) -> tuple[np.ndarray, np.ndarray]:
    """The training and the test samples of one fold."""
    labels, counts = np.unique(y, return_counts=True)
    if labels.size < 2:
        raise ValueError("all samples are of one class; nothing can be compared.")
    if counts.min() < spec.folds:
        raise ValueError(
            f"class {labels[counts.argmin()]} has {counts.min()} samples, fewer than the "
            f"{spec.folds} folds; choose fewer folds."
        )
    splitter = StratifiedKFold(spec.folds, shuffle=True, random_state=spec.seed + repeat)
    most, one = list(splitter.split(np.zeros(len(y)), y))[fold]
    return (one, most) if spec.fold_kind == "inverted" else (most, one)


def scaled(scaling: str, train, test) -> tuple:
    """Both parts on the scale of the training part; sparse data keep their zeros."""
    if scaling == "standardise":
        scaler = StandardScaler(with_mean=not sparse.issparse(train)).fit(train)
        return scaler.transform(train), scaler.transform(test)
    if scaling == "unit length":
        return normalize(train), normalize(test)
    return train, test


def separate_seed(*parts: int) -> int:
    """A seed unrelated to the one that drew the data, and with it the true groups."""
    return int(np.random.SeedSequence([20151027, *parts]).generate_state(1)[0] >> 1)


def _of_model(trial, fitted, X_test, y_test, n_train) -> Result:
    right = accuracy_of(fitted.model, X_test, y_test)
    return _of_fit(trial, fitted, right, n_train, X_test.shape[0])


def _of_fit(trial, fitted, accuracy, n_train, n_test) -> Result:
    coef = fitted.model.coef_
    return _result(
        trial,
        accuracy=accuracy,
        nonzeros=int(np.count_nonzero(np.any(coef != 0.0, axis=0))),
        n_train=int(n_train),
        n_test=int(n_test),
        seconds=fitted.seconds,
        chosen=dict(fitted.chosen),
        inner_accuracy=fitted.inner_accuracy,
        gap=None if fitted.gap is None else float(fitted.gap),
        missed=fitted.missed,
    )


def _result(
    trial,
    *,
    accuracy,
    nonzeros,
    n_train,
    n_test,
    seconds=0.0,
    chosen=None,
    inner_accuracy=None,
    gap=None,
    missed=False,
) -> Result:
    return {
        "trial": list(trial),
        "accuracy": accuracy,
        "nonzeros": nonzeros,
        "n_train": n_train,
        "n_test": n_test,
        "seconds": seconds,
        "chosen": chosen or {},
        "inner_accuracy": inner_accuracy,
        "gap": gap,
        "missed": missed,
    }
