"""The colours: readable in both modes, and the same in the app's configuration."""

import tomllib
from pathlib import Path

import pytest
from streamlit import config as streamlit_config

from lab.drawing import theme
from solvers import LASSO_METHODS, LOGISTIC_METHODS, SVM_METHODS

ROOT = Path(__file__).resolve().parents[3]
MODES = ("light", "dark")


def configuration() -> dict:
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def option_names(table: dict, prefix: str = "") -> list[str]:
    names = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        names += option_names(value, f"{name}.") if isinstance(value, dict) else [name]
    return names


def luminance(hex_color: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    channels = [int(hex_color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("mode", MODES)
def test_text_is_readable(mode):
    colors = theme.palette(mode)
    for ground in (colors.background, colors.surface):
        assert contrast(colors.text, ground) >= 7
        assert contrast(colors.muted, ground) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_lines_and_marks_stand_out(mode):
    colors = theme.palette(mode)
    marks = [*colors.norms.values(), *colors.methods.values()]
    marks += [colors.accent, colors.theory, colors.positive, colors.negative]
    for mark in marks:
        assert contrast(mark, colors.background) >= 3


@pytest.mark.parametrize("mode", MODES)
def test_families_are_told_apart_without_colour(mode):
    ours = theme.method_line("newton", mode)
    assert (ours.color, ours.dash) == (theme.palette(mode).accent, "solid")
    for key in theme.PAPER_METHODS:
        line = theme.method_line(key, mode)
        assert line.dash == "solid" and line.width < ours.width
    assert {theme.method_line(key, mode).dash for key in theme.RIVAL_METHODS} == {"dash"}
    assert theme.method_line("theory", mode).dash == "dot"
    for key in theme.OUR_DASHES:
        assert theme.method_line(key, mode).width > line.width
        assert theme.method_line(key, mode).dash != "solid"


@pytest.mark.parametrize("mode", MODES)
def test_no_two_methods_share_a_colour(mode):
    colors = theme.palette(mode)
    assert (
        colors.methods.keys() == theme.PAPER_METHODS | theme.RIVAL_METHODS | theme.OUR_DASHES.keys()
    )
    assert len({colors.accent, *colors.methods.values()}) == len(colors.methods) + 1
    assert colors.norms.keys() == theme.NORM_LABELS.keys()
    assert len(set(colors.norms.values())) == len(colors.norms)


def test_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="'light' or 'dark', got 'sepia'"):
        theme.palette("sepia")


@pytest.mark.parametrize("mode", MODES)
def test_configuration_repeats_the_palette(mode):
    colors, written = theme.palette(mode), configuration()["theme"][mode]
    assert written["primaryColor"] == written["linkColor"] == colors.accent
    assert written["backgroundColor"] == colors.background
    assert written["secondaryBackgroundColor"] == colors.surface
    assert written["textColor"] == colors.text
    assert written["borderColor"] == colors.border


@pytest.mark.parametrize("mode", MODES)
def test_chart_palette_is_long_enough_for_plotly(mode):
    colors = configuration()["theme"][mode]["chartCategoricalColors"]
    assert len(set(colors)) >= 10


def test_streamlit_knows_every_option():
    known = streamlit_config.get_config_options()
    unknown = [name for name in option_names(configuration()) if name not in known]
    assert unknown == []
    assert "theme.light.base" not in known  # so a misplaced option would be seen


def test_server_is_closed_by_default():
    server = configuration()["server"]
    assert server["address"] == "127.0.0.1"
    assert server["enableXsrfProtection"] and server["enableCORS"]
    assert server["allowedHosts"] == ["localhost", "127.0.0.1"]


def test_every_method_is_ours_or_the_papers_or_a_rivals():
    registered = {*LASSO_METHODS, *LOGISTIC_METHODS, *SVM_METHODS}
    ours = {"newton", *theme.OUR_DASHES}
    assert registered == ours | theme.PAPER_METHODS | theme.RIVAL_METHODS
    for key in registered - {"newton"}:
        for mode in ("light", "dark"):
            assert theme.method_line(key, mode).color != theme.method_line("newton", mode).color
