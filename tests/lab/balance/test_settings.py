"""What the page of random groups offers: steps, defaults, presets, and the ways out."""

import pytest

from lab.balance import settings
from lab.data.paper_numbers import FIG2D_MS

STEPS = {
    "s": settings.TRUE_STEPS,
    "m": settings.GROUP_STEPS,
    "t": settings.T_STEPS,
    "c": settings.C_STEPS,
    "target": settings.TARGET_STEPS,
    "draws": settings.DRAW_STEPS,
    "tab": settings.TABS,
}


@pytest.mark.parametrize("changes", [{}, *settings.PRESETS.values()], ids=str)
def test_controls_offer_what_defaults_and_presets_need(changes):
    merged = {**settings.DEFAULTS, **changes}
    assert set(merged) == set(settings.DEFAULTS)
    for name, allowed in STEPS.items():
        assert merged[name] in allowed
    assert settings.impossible(merged["n"], int(merged["s"])) is None
    assert merged["m"] in settings.groups_up_to(int(merged["s"]))


def test_controls_offer_what_the_paper_needs():
    for s in FIG2D_MS:
        assert str(s) in settings.TRUE_STEPS
        assert str(settings.paper_groups(s)) in settings.GROUP_STEPS


@pytest.mark.parametrize("name", ["s", "m", "draws"])
def test_steps_rise(name):
    numbers = [int(text) for text in STEPS[name]]
    assert numbers == sorted(set(numbers))


def test_draws_are_shown_one_by_one_and_then_up_to_a_thousand():
    assert settings.DRAW_STEPS[:40] == tuple(str(k) for k in range(1, 41))
    assert settings.DRAW_STEPS[-1] == str(settings.DRAWS)


@pytest.mark.parametrize("s", settings.TRUE_STEPS)
def test_there_are_never_more_groups_than_true_features_and_as_many_can_be_had(s):
    groups = settings.groups_up_to(int(s))
    assert groups[0] == "1" and groups[-1] == s


def test_rule_of_the_paper():
    assert [settings.paper_groups(s) for s in (112, 504)] == [24, 81]
    assert settings.paper_groups(504, 0.25) == 20
    assert settings.paper_groups(2, 2.0) == 2  # 2·2/log 2 = 5.8 groups for two features
    assert settings.paper_groups(5, 0.1) == 1


def test_impossible_settings_are_named_with_the_way_out():
    message = settings.impossible(100, 200)
    for word in ("s = 200", "n = 100", "raise n to at least 200"):
        assert word in message
    assert settings.impossible(200, 200) is None
    assert settings.most_true(100) == "100" and settings.most_true(settings.FEWEST_FEATURES) == "5"
