"""Colours as a browser reports them, and how well one reads on another."""

from __future__ import annotations

import re


def rgb(hex_color: str) -> str:
    """A colour of the theme as `getComputedStyle` writes it."""
    red, green, blue = (int(hex_color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio of two `rgb(...)` colours."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    channels = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
