"""A corpus of whole analyses: each table, uploaded as it is, ends in the right verdict.

The tables are made here, small, and each has one thing about it that used to mislead.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from lab.own_table import pipeline
from tests.pages.test_classify_csv import (
    answer,
    charts,
    csv_of,
    errors,
    opened,
    plain,
    ran,
    uploaded,
    values,
)


@dataclass(frozen=True)
class Analysis:
    """A table, what the page is told about it, and what it must come to.

    `level` is one of `LEVELS`, `true` what the label was made of: the largest weights are theirs.
    """

    make: Callable[[], pd.DataFrame]
    level: str
    true: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    never_says: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    controls: tuple[tuple[str, str], ...] = ()


def numbers(n_rows, n_features, seed) -> tuple[np.random.Generator, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_features))
    return rng, pd.DataFrame(X, columns=[f"f{j}" for j in range(n_features)])


def noise(n_rows=60, n_features=40, seed=1) -> pd.DataFrame:
    rng, frame = numbers(n_rows, n_features, seed)
    return frame.assign(state=rng.permutation(np.resize(["ill", "well"], n_rows)))


def signal(n_rows=60, n_features=10, strength=3.0, seed=2, names=("well", "ill")) -> pd.DataFrame:
    rng, frame = numbers(n_rows, n_features, seed)
    score = strength * (frame["f0"] - frame["f1"]) + rng.standard_normal(n_rows)
    return frame.assign(state=np.where(score > 0, names[1], names[0]))


def imbalance(share: float, real: bool, n_rows=200, seed=3) -> pd.DataFrame:
    rng, frame = numbers(n_rows, 6, seed)
    score = (
        2.0 * frame["f0"] + 2.0 * frame["f1"] + rng.standard_normal(n_rows)
        if real
        else rng.random(n_rows)
    )
    rare = np.argsort(-np.asarray(score))[: int(share * n_rows)]
    return frame.assign(event=np.where(np.isin(np.arange(n_rows), rare), "yes", "no"))


def leak(text: bool) -> pd.DataFrame:
    frame = noise(60, 8, 4)
    ill = (frame["state"] == "ill").to_numpy()
    odd = np.arange(len(frame)) % 2 == 0
    if text:
        kind = np.where(ill, np.where(odd, "verlegt", "verstorben"), np.where(odd, "heim", "kur"))
        frame.insert(0, "Entlassart", kind)
    else:
        frame.insert(
            0, "dose", np.where(ill, 5.0, 1.0) + np.random.default_rng(0).random(len(frame))
        )
    return frame


def subjects() -> pd.DataFrame:
    """Twenty patients with four rows each; the label belongs to the patient, not to the numbers."""
    rng = np.random.default_rng(5)
    who = np.repeat(np.arange(20), 4)
    X = rng.standard_normal((20, 25))[who] + 0.05 * rng.standard_normal((80, 25))
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(25)])
    label = rng.permutation(np.repeat(["ill", "well"], 10))
    return frame.assign(patient=[f"P{i:02d}" for i in who], state=label[who])


def duplicates() -> pd.DataFrame:
    frame = noise(40, 12, 6)
    return pd.concat([frame, frame.iloc[:15]], ignore_index=True)


def regression(real: bool, n_rows=60, seed=7) -> pd.DataFrame:
    rng, frame = numbers(n_rows, 8, seed)
    signal = 3.0 * frame["f0"] - 2.0 * frame["f3"] if real else 0.0
    return frame.assign(target=np.round(signal + rng.standard_normal(n_rows), 4))


def counts(seed=8) -> pd.DataFrame:
    rng, frame = numbers(90, 5, seed)
    return frame.assign(visits=rng.poisson(np.exp(0.5 + 0.9 * frame["f1"])))


def units() -> pd.DataFrame:
    frame = regression(False)
    return frame.assign(pounds=2.2046 * frame["target"])


def far_off() -> pd.DataFrame:
    frame = regression(True)
    frame.loc[[7, 30], "target"] += [900.0, -700.0]
    return frame


def three_classes(real: bool) -> pd.DataFrame:
    rng, frame = numbers(75, 6, 9)
    score = frame["f2"] + 0.3 * rng.standard_normal(75) if real else rng.random(75)
    grade = pd.cut(np.argsort(np.argsort(np.asarray(score))), 3, labels=["low", "mid", "top"])
    return frame.assign(grade=np.asarray(grade, dtype=object))


def codes() -> pd.DataFrame:
    rng = np.random.default_rng(10)
    frame = noise(60, 6, 20)
    frame.insert(0, "plz", rng.integers(10115, 99998, 60))
    return frame


def reads() -> pd.DataFrame:
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(
        rng.negative_binomial(1, 0.02, (50, 10)), columns=[f"g{j}" for j in range(10)]
    )
    ill = np.log1p(frame["g0"]) > np.median(np.log1p(frame["g0"]))
    return frame.assign(state=np.where(ill, "ill", "well"))


def sideways() -> pd.DataFrame:
    """Genes as rows, samples as columns, and the label in a row of its own."""
    tall = signal(60, 15, 6.0, 12)
    turned = tall.drop(columns="state").round(4).T.astype(str)
    turned.columns = [f"sample{k}" for k in range(60)]
    turned.loc["state"] = tall["state"].to_numpy()
    return turned.reset_index(names="gene")


def genes(n_rows=62, n_features=700, seed=18) -> pd.DataFrame:
    """As many rows as Colon: twenty factors behind all features, and thirty that tell the classes
    a little, so that one can be had for another."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], [22, 40]))
    X = rng.standard_normal((n_rows, 20)) @ rng.standard_normal((20, n_features))
    X = 0.7 * X + rng.standard_normal((n_rows, n_features))
    X[:, :30] += 1.1 * np.outer(2 * y - 1, np.ones(30))
    frame = pd.DataFrame(X.round(3), columns=[f"f{j}" for j in range(n_features)])
    return frame.assign(tissue=np.where(y > 0, "tumour", "normal"))


def one_feature(real: bool) -> pd.DataFrame:
    return (signal(150, 2, seed=13) if real else noise(60, 2, 13)).drop(columns="f1")


NOTHING = "no evidence that any feature decides"
# How the headline begins, whatever the table is called.
LEVELS = {
    "nothing": re.escape(NOTHING),
    "hint": "a hint, not more",
    "open": "the label can be predicted, but which features decide is not settled",
    "decides": r"[\d,]+ of [\d,]+ features? decides?\b|its one feature decides",
}
CORPUS = {
    "pure noise": Analysis(noise, "nothing"),
    "noise, wide": Analysis(lambda: noise(40, 300, 14), "nothing"),
    "noise, exclusive logistic": Analysis(
        noise, "nothing", controls=(("method", "Exclusive logistic"),)
    ),
    "signal": Analysis(signal, "open", ("f0", "f1"), ("only 2 of them in every fold", "p = 0.05")),
    "signal, wide": Analysis(lambda: signal(90, 100, 8.0, 15), "open", ("f0", "f1")),
    "genes": Analysis(
        genes,
        "open",
        tuple(f"f{j}" for j in range(30)),
        ("of 700 features it uses", "only", "of them in every fold"),
        controls=(("folds", "3"),),
    ),
    "one percent, nothing in it": Analysis(
        lambda: imbalance(0.01, False, 300),
        "nothing",
        says=("balanced accuracy 50.0 %", "guessing gets 50.0 %", "It never predicts yes."),
        never_says=("99.",),
        controls=(("weights", "Every row alike"), ("folds", "3")),
    ),
    "three percent, nothing in it": Analysis(
        lambda: imbalance(0.03, False),
        "nothing",
        says=("guessing gets 50.0 %",),
        never_says=("97.",),
    ),
    "a rare class that shows": Analysis(
        lambda: imbalance(0.1, True), "decides", ("f0", "f1"), ("balanced accuracy",)
    ),
    "leak, text": Analysis(
        lambda: leak(True), "decides", doubts=("'Entlassart' alone nearly separates",)
    ),
    "leak, number": Analysis(
        lambda: leak(False), "decides", ("dose",), doubts=("'dose' alone nearly separates",)
    ),
    "duplicates": Analysis(duplicates, "hint", doubts=("15 rows repeat the features",)),
    "regression": Analysis(
        lambda: regression(True),
        "decides",
        ("f0", "f3"),
        ("explains", "of the variance"),
        ("classif",),
    ),
    "regression, noise": Analysis(lambda: regression(False), "nothing", never_says=("classif",)),
    "a number in other units": Analysis(
        units, "decides", ("pounds",), doubts=("'pounds' alone follows the target almost exactly",)
    ),
    "a number with values far off": Analysis(
        far_off,
        "nothing",
        says=("95 % interval −",),
        doubts=("2 values are more than 8 deviations",),
    ),
    "counts": Analysis(counts, "decides", ("f1",), ("of the deviance",), ("classif",)),
    "counts forced to classes": Analysis(
        lambda: counts().assign(visits=lambda f: f["visits"].clip(upper=1)),
        "hint",
        ("f1",),
        ("classifies", "the interval still holds what guessing gets"),
        controls=(("target", "Classes"),),
    ),
    "three classes": Analysis(
        lambda: three_classes(True), "open", ("f2",), ("it uses all 6 features",), ("6 of 6",)
    ),
    "three classes, noise": Analysis(lambda: three_classes(False), "nothing"),
    "postcodes": Analysis(codes, "nothing", doubts=("'plz' looks like a code",)),
    "long tails": Analysis(
        reads, "decides", ("g0",), doubts=("columns hold counts with a long tail",)
    ),
    "one feature": Analysis(
        lambda: one_feature(True), "decides", ("f0",), ("its one feature decides",)
    ),
    "one feature, noise": Analysis(lambda: one_feature(False), "nothing", never_says=("0 of 1",)),
}


def said(at) -> tuple[str, str]:
    doubts = " ".join(plain(each.value) for each in at.warning)
    return answer(at), doubts


def level_of(verdict: str) -> list[str]:
    """Which of the levels the headline begins with."""
    first = verdict.split("**: ", 1)[1]
    return [name for name, words in LEVELS.items() if re.match(words, first)]


def strongest(at, count: int) -> set[str]:
    """The names of the largest bars of the weights on show, as a reader finds them."""
    bars = charts(opened(at, "Fit and compare"))["Weights of the features"]
    names = bars["layout"]["yaxis"]["ticktext"]
    size = np.abs(values(bars["data"][0]["x"]))
    return {names[k] for k in np.argsort(-size)[:count]}


@pytest.mark.parametrize("name", list(CORPUS))
def test_the_analysis_ends_in_the_right_verdict(name):
    wanted = CORPUS[name]
    at = uploaded(csv_of(wanted.make()), tab="Data", **dict(wanted.controls))
    assert not at.error
    verdict, doubts = said(at)
    assert level_of(verdict) == [wanted.level]
    for words in wanted.says:
        assert words in verdict
    for words in wanted.never_says:
        assert words not in verdict
    for words in wanted.doubts:
        assert words in doubts
    if not wanted.doubts:
        assert not at.warning
    if wanted.true:
        assert strongest(at, min(len(wanted.true), 4)) <= set(wanted.true)


def test_whole_numbers_can_be_taken_for_a_number_and_every_tab_speaks_of_it(monkeypatch):
    frame = regression(True).assign(target=lambda f: (f["target"] // 3).clip(-1, 1).astype(int))
    at = uploaded(csv_of(frame), folds="3", tab="Data", target="A number")
    box = at.selectbox(key="csv_target")
    assert "It looks like" not in box.help and box.value == "A number"
    assert level_of(answer(at)) == ["decides"] and "of the variance" in answer(at)
    assert strongest(at, 2) == {"f0", "f3"}
    assert any("no answer for this table" in plain(text.value) for text in at.markdown)
    opened(at, "Groups")
    assert any("half-samples" in plain(text.value) for text in at.markdown)
    drawn = charts(opened(at, "See"))
    residuals = drawn["Residuals against predictions"]["data"][0]
    assert values(residuals["y"]).size == len(frame) and "Predicted against true values" in drawn
    monkeypatch.setattr(pipeline, "available", lambda ending: True)
    opened(at, "Take home")
    order = "8 numbers (f0, f1, f2, f3, f4 and 3 more), NaN where missing"
    assert any(order in plain(text.value) for text in at.caption) and not at.error


@pytest.mark.parametrize("text", [True, False])
def test_a_leak_left_out_by_one_click_leaves_nothing(text):
    at = uploaded(csv_of(leak(text)), tab="Data")
    assert NOTHING not in answer(at)
    notes = [each.value for each in opened(at, "Fit and compare").caption]
    assert any("Blue speaks" in each for each in notes)
    assert not any("pale bars" in each for each in notes), "every fold selects the leak"
    opened(at, "Data")
    at.button(key="csv_remedy_leak").click()
    verdict, doubts = said(ran(at))
    assert NOTHING in verdict and "separates" not in doubts


def test_rows_of_one_patient_kept_together_by_one_click_leave_nothing():
    at = uploaded(csv_of(subjects()), folds="5", tab="Data")
    verdict, doubts = said(at)
    assert NOTHING not in verdict, "by rows the patients themselves are recognised"
    assert "80 rows come from 20 values of 'patient'" in doubts
    at.button(key="csv_remedy_subjects").click()
    verdict, doubts = said(ran(at))
    assert NOTHING in verdict and "patient" not in doubts


@pytest.mark.parametrize(
    ("make", "kind", "doubt", "verdict"),
    [
        (duplicates, "duplicates", "15 rows repeat", NOTHING),
        (codes, "codes", "looks like a code", NOTHING),
        (reads, "counts", "long tail", "p = 0.05"),
    ],
    ids=["repeated rows", "postcodes", "long tails"],
)
def test_a_doubt_is_mended_by_one_click(make, kind, doubt, verdict):
    at = uploaded(csv_of(make()), tab="Data")
    assert doubt in said(at)[1]
    at.button(key=f"csv_remedy_{kind}").click()
    says, doubts = said(ran(at))
    assert doubt not in doubts and verdict in says


def test_a_class_with_fewer_members_than_folds_is_mended_by_one_click():
    at = uploaded(csv_of(imbalance(0.01, False, 300)), tab="Data")
    assert "choose at most 3 folds" in errors(at)[0]
    at.button(key="csv_fewer_folds").click()
    assert level_of(answer(ran(at))) == ["nothing"] and not errors(at)
    assert "guessing gets 50.0 %" in answer(at)


def test_a_table_on_its_side_is_turned_by_one_click():
    at = uploaded(csv_of(sideways()), tab="Data")
    assert any("lie on its side" in plain(each.value) for each in at.warning)
    (problem,) = errors(at)
    assert "lie on its side" in problem and "Turn it under" in problem, "before what follows"
    at.button(key="csv_remedy_transposed").click()
    ran(at)
    assert not at.error
    assert "of 15 features it uses" in answer(at) and level_of(answer(at)) == ["open"]
    assert strongest(at, 2) == {"f0", "f1"}


def test_what_can_be_chosen_of_reading_has_the_same_words_whatever_is_guessed():
    """A browser holds an option by its words: the page died where they followed the guess."""

    def options(at) -> dict[str, list[str]]:
        names = ("delimiter", "encoding", "decimal", "thousands", "quote", "header", "format")
        return {
            box.key.rsplit("_", 1)[1]: box.options
            for box in at.selectbox
            if box.key.endswith(names)
        }

    at = uploaded(csv_of(sideways()), tab="Data")
    before = options(at)
    at.button(key="csv_remedy_transposed").click()
    assert options(ran(at)) == before and len(before) == 7
    table = uploaded(csv_of(signal()).replace(",", ";").replace(".", ","), tab="Data")
    assert options(table) == before


def test_overlapping_groups_are_whole_in_every_view():
    frame = signal(40, 6, seed=16)
    at = uploaded(csv_of(frame), folds="3", tab="Groups", grouping="A file")
    pairs = "feature,group\n" + "".join(
        f"f{j},{group}\n"
        for group, members in (("a", (0, 1, 2, 3)), ("b", (2, 3, 4, 5)))
        for j in members
    )
    at.file_uploader(key="csv_groups_uploader").upload("g.csv", pairs.encode(), "text/csv")
    ran(at)
    table = next(each.value for each in at.dataframe if "members" in each.value.columns)
    assert list(table["members"]) == [4, 4]
    opened(at, "See")
    tiles = values(charts(ran(at))["A tile per feature, a row per group"]["data"][0]["z"])
    assert np.count_nonzero(~np.isnan(tiles.astype(float)), axis=1).tolist() == [4, 4]
    assert level_of(answer(at)) == ["hint"], "40 rows in three folds leave a wide interval"
    assert strongest(at, 2) == {"f0", "f1"}


def test_what_tells_the_label_is_left_out_and_the_reason_stands_whole():
    frame = signal(40, 3).assign(outcome=lambda f: np.where(f["state"] == "ill", "dead", "alive"))
    at = uploaded(csv_of(frame), tab="Data", **{"folds": "3"})
    at_label = next(each for each in at.selectbox if each.label == "Label column")
    at_label.set_value("state")
    notes = [plain(each.value) for each in ran(at).caption]
    wanted = (
        "Left out by itself: outcome (Probably the label itself: it tells every class exactly)."
    )
    assert wanted in notes


def confounded() -> pd.DataFrame:
    """The number follows age, and no other column has anything to do with it."""
    rng, frame = numbers(60, 5, 17)
    age = rng.integers(20, 80, 60)
    return frame.assign(age=age, target=np.round(0.3 * age + rng.standard_normal(60), 4))


def test_a_covariate_takes_what_is_its_own_and_a_file_says_so_too():
    at = uploaded(csv_of(confounded()), tab="Data")
    assert level_of(answer(at)) == ["decides"] and strongest(at, 1) == {"age"}
    opened(at, "Data")
    covariates = next(each for each in at.multiselect if each.label.startswith("Covariates"))
    covariates.set_value(["age"])
    verdict = answer(ran(at))
    assert f"{NOTHING} beside age" in verdict and "age alone explains" in verdict
    # The same from a file; a name that is no column is listed.
    next(each for each in at.multiselect if each.label.startswith("Covariates")).set_value([])
    weights = b"feature,weight\nage,0\nf3,2\nheight,1\n"
    at.file_uploader(key="csv_weights_file_uploader").upload("w.csv", weights, "text/csv")
    assert f"{NOTHING} beside age" in answer(ran(at))
    assert any("No feature in use: height" in plain(each.value) for each in at.caption)
    # Signs bind too, and what cannot be asked for is said.
    next(each for each in at.multiselect if each.label == "Weight at most 0").set_value(["age"])
    assert "age alone explains nothing" in answer(ran(at))
    at.selectbox(key="csv_target").set_value("A count")
    assert any("no counts" in text or "unpenalised" in text for text in errors(ran(at)))


def test_values_far_off_are_left_to_huber_by_one_click():
    at = uploaded(csv_of(far_off()), folds="3", tab="Data")
    at.button(key="csv_remedy_outliers").click()
    verdict, doubts = said(ran(at))
    assert "Exclusive Huber explains" in verdict and "deviations" not in doubts
