"""The one table of colours: what a colour means is the same on every page.

Ours is the accent, thick and solid, and what else is ours is thick, cool and dashed; the paper's
methods are greens; rivals are warm and dashed; theory is grey and dotted. Blue is positive, orange
negative. `.streamlit/config.toml` repeats the page colours of `LIGHT` and `DARK`, because Streamlit
reads them from there; a test compares both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class LineStyle:
    """How a method's line is drawn; `dash` carries the family for those who cannot see the hue."""

    color: str
    width: float
    dash: str


@dataclass(frozen=True)
class Palette:
    """All colours of one mode."""

    mode: str
    background: str
    surface: str
    text: str
    muted: str
    border: str
    accent: str
    positive: str
    positive_faint: str
    negative: str
    negative_faint: str
    norms: Mapping[str, str]
    methods: Mapping[str, str]
    theory: str


LIGHT = Palette(
    mode="light",
    background="#FFFFFF",
    surface="#F3F5F7",
    text="#10161D",
    muted="#5F6B76",
    border="#D5DBE1",
    accent="#0B5CAD",
    positive="#0B5CAD",
    positive_faint="#BBD8F2",
    negative="#B87400",
    negative_faint="#F2D9AE",
    norms=MappingProxyType({"le": "#0B5CAD", "l21": "#B87400", "l1": "#1F8A7A", "l2": "#5F6B76"}),
    methods=MappingProxyType(
        {
            "pcp": "#1F8A7A",
            "locp": "#2E7D32",
            "licp": "#5E7F00",
            "kong": "#B87400",
            "kong_smoothed": "#9A6200",
            "pls_dn": "#C2410C",
            "lelr": "#8C510A",
            "subgradient": "#B5446E",
            "admm": "#A61C3C",
            "active_set": "#2B8CBE",
            "interior": "#5563C9",
            "quasi_newton": "#00838F",
            "dual_u": "#4A3C9A",
            "licp_block": "#8E3BB0",
        }
    ),
    theory="#5F6B76",
)

DARK = Palette(
    mode="dark",
    background="#11161D",
    surface="#1A212B",
    text="#E6EAF0",
    muted="#A7B1BC",
    border="#2E3843",
    accent="#7CC4FF",
    positive="#7CC4FF",
    positive_faint="#24476B",
    negative="#F0A73A",
    negative_faint="#5C431B",
    norms=MappingProxyType({"le": "#7CC4FF", "l21": "#F0A73A", "l1": "#44D7A8", "l2": "#A7B1BC"}),
    methods=MappingProxyType(
        {
            "pcp": "#44D7A8",
            "locp": "#7BC96F",
            "licp": "#B5D86A",
            "kong": "#F0A73A",
            "kong_smoothed": "#D9B56A",
            "pls_dn": "#FF8A50",
            "lelr": "#DDCC77",
            "subgradient": "#E8A0C8",
            "admm": "#FF7A90",
            "active_set": "#3FA3D9",
            "interior": "#8FA0FF",
            "quasi_newton": "#5CD6E0",
            "dual_u": "#B4A5FF",
            "licp_block": "#CF8BFF",
        }
    ),
    theory="#A7B1BC",
)

PAPER_METHODS = frozenset({"pcp", "locp", "licp"})
RIVAL_METHODS = frozenset({"kong", "kong_smoothed", "pls_dn", "lelr", "subgradient", "admm"})
# What is ours beside the one that wears the accent; dashes tell them apart without their hues.
OUR_DASHES = MappingProxyType(
    {
        "active_set": "dot",
        "interior": "dot",
        "quasi_newton": "dashdot",
        "dual_u": "longdash",
        "licp_block": "longdashdot",
    }
)

NORM_LABELS = MappingProxyType({"le": "ℓe", "l21": "ℓ2,1", "l1": "ℓ1", "l2": "ℓ2"})


def palette(mode: str) -> Palette:
    """The palette of a mode, "light" or "dark"."""
    if mode not in ("light", "dark"):
        raise ValueError(f"mode must be 'light' or 'dark', got {mode!r}.")
    return DARK if mode == "dark" else LIGHT


def method_line(key: str, mode: str) -> LineStyle:
    """The line of a method key, or of "theory"; an unknown key is ours."""
    colors = palette(mode)
    if key == "theory":
        return LineStyle(colors.theory, 1.5, "dot")
    if key in PAPER_METHODS:
        return LineStyle(colors.methods[key], 2.0, "solid")
    if key in RIVAL_METHODS:
        return LineStyle(colors.methods[key], 2.0, "dash")
    if key in OUR_DASHES:
        return LineStyle(colors.methods[key], 3.0, OUR_DASHES[key])
    return LineStyle(colors.accent, 3.5, "solid")


def faded(color: str, share: float) -> str:
    """A colour as #rrggbb, let through by the rest of the share."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"
