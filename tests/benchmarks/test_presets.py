"""The committed record of the race page's presets is of today's buttons and their specs."""

import json
from dataclasses import asdict
from urllib.parse import parse_qs, urlsplit

import pytest

from benchmarks import common, presets
from lab import races


@pytest.fixture(scope="module")
def written():
    return common.read("presets")["presets"]


def test_every_button_was_pressed_to_its_podium(written):
    assert set(written) == set(presets.specs()) == {"Quick E-LASSO", *races.presets()}
    assert len(written) == 9
    for label, spec in presets.specs().items():
        entry = written[label]
        assert entry["spec"] == json.loads(json.dumps(asdict(spec)))
        lanes = {(lane["method"], lane["repeat"]) for lane in entry["lanes"]}
        assert lanes == {(key, k + 1) for key in spec.methods for k in range(spec.repeats)}
        labels = {races.METHODS[spec.problem][key].label for key in spec.methods}
        assert set(entry["podium"]) == labels
        assert spec.description in entry["answer"] and entry["made"]["date"]


@pytest.mark.parametrize("label", presets.specs())
def test_the_page_opens_with_a_preset_set_up(label):
    """The address from which the benchmark reads what the page expects, before it presses."""
    spec = presets.specs()[label]
    query = parse_qs(urlsplit(presets.path_to(spec)).query)
    texts = {name.removeprefix("race_"): values[0] for name, values in query.items()}
    defaults = races.default_controls()
    kinds = {name: type(default) for name, default in defaults.items()}
    controls = {
        name: text == "true" if kinds[name] is bool else kinds[name](text)
        for name, text in texts.items()
    }
    assert races.spec_of({**defaults, **controls}) == spec
