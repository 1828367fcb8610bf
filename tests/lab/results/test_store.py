"""The one store: what is kept survives, is found by its spec, and says who made it."""

import errno
import json
import os
from dataclasses import replace

import pytest

from lab.accuracy import Fig2dSpec, RealSpec, UploadSpec, run_trial, started
from lab.accuracy.paper_runs import figure2d, table1
from lab.results import Store, complete, made_here, shipped, when_made

TINY = Fig2dSpec(n_features=40, ms=(8, 12), repeats=2, methods=("svm", "esvm", "oracle"))


@pytest.fixture(scope="module")
def tiny_results():
    return {trial: run_trial(TINY, trial) for trial in TINY.trials()}


def plain(results):
    """Without their makers."""
    return {
        trial: {name: value for name, value in row.items() if name != "made"}
        for trial, row in results.items()
    }


def test_finished_trials_survive_and_a_torn_line_costs_only_itself(tmp_path, tiny_results):
    store = Store(tmp_path)
    first, second, third = list(tiny_results)[:3]
    store.open(TINY)
    store.open(TINY)
    store.add(TINY, tiny_results[first])
    path = tmp_path / f"{TINY.family}.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + json.dumps(tiny_results[second]).encode()[:40])
    assert plain(store.load(TINY)) == {first: tiny_results[first]}
    store.add(TINY, tiny_results[third])
    store.add(TINY, tiny_results[third])
    kept = Store(tmp_path).load(TINY)
    assert plain(kept) == {trial: tiny_results[trial] for trial in (first, third)}
    assert started(store, TINY.id) == TINY
    assert started(store, "../../etc/passwd") is None
    assert started(store, "0123456789-abcdef") is None
    assert path.read_text().count('"spec"') == 1
    assert store.load(replace(TINY, seed=5)) == {}


def test_a_full_disk_is_said_in_a_sentence(tmp_path, tiny_results, monkeypatch):
    store = Store(tmp_path)
    result = next(iter(tiny_results.values()))

    def full(descriptor, line):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    sentence = r"^Results can no longer be kept on disk \(No space left on device\); the sweep goes"
    with pytest.raises(OSError, match=sentence):
        store.add(TINY, result)
    monkeypatch.setattr(os, "write", lambda descriptor, line: 3)
    with pytest.raises(OSError, match="only a part could be written"):
        store.add(TINY, result)


def test_a_visitors_own_data_leave_no_trace(tmp_path):
    spec = RealSpec(data=UploadSpec("mine", "d1"))
    store = Store(tmp_path)
    store.open(spec)
    store.add(spec, {"trial": [0, 0, "svm"], "accuracy": 1.0})
    assert list(tmp_path.iterdir()) == []
    assert not spec.may_be_kept and RealSpec().may_be_kept and TINY.may_be_kept


def test_every_result_says_who_made_it(tmp_path, tiny_results):
    first, second, third = list(tiny_results)[:3]
    Store(tmp_path).add(TINY, tiny_results[first])
    Store(tmp_path).add(TINY, tiny_results[second])
    other = {"date": "2020-02-02", "processor": "abacus"}
    Store(tmp_path).add(TINY, tiny_results[third], other)
    kept = Store(tmp_path).load(TINY)
    here = made_here()
    assert kept[first]["made"] == kept[second]["made"] == here
    assert {"date", "commit", "processor", "packages"} <= here.keys()
    assert kept[third]["made"] == other
    assert when_made(kept) == f"2020-02-02 to {here['date']}"
    assert (tmp_path / f"{TINY.family}.jsonl").read_text().count('"made"') == 2
    # A result that is copied keeps its maker.
    Store(tmp_path / "copy").add(TINY, kept[third], kept[third]["made"])
    assert Store(tmp_path / "copy").load(TINY)[third] == kept[third]


def test_results_without_a_maker_are_still_read(tmp_path, tiny_results):
    first = next(iter(tiny_results))
    (tmp_path / f"{TINY.family}.jsonl").write_text(json.dumps(tiny_results[first]) + "\n")
    assert Store(tmp_path).load(TINY) == {first: {**tiny_results[first], "made": {}}}
    assert when_made(Store(tmp_path).load(TINY)) == ""


def test_many_results_are_not_hidden_by_few(tiny_results):
    few = {trial: {"accuracy": 0.0} for trial in TINY.trials()[:2]}
    found = complete(TINY, tiny_results, few)
    assert found == tiny_results and list(found) == TINY.trials()
    assert complete(TINY, few, tiny_results)[TINY.trials()[0]] == {"accuracy": 0.0}
    assert complete(TINY, {(99, 0, "svm"): {}}) == {}


def test_what_is_shipped_is_complete_and_signed():
    """Fig. 2(d), what was run of Table 1 and the page's defaults, each trial with its maker."""
    store = shipped()
    assert sum(len(cell["number"]) for cell in figure2d(store)["cells"]) == 960
    assert sum(len(cell["number"]) for cell in table1(store)["cells"]) >= 3187
    for path in store.folder.glob("*.jsonl"):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        makers = {line["by"]: line["made"] for line in lines if "made" in line}
        for line in lines:
            if "trial" in line:
                made = makers[line["by"]]
                assert made["date"] and made["commit"] and made["processor"]
                assert made["packages"]["scikit-learn"]
