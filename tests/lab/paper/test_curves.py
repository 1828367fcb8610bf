"""Curves as pictures: where points lie, what a logarithm leaves out, and how axes are marked."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from lab.paper import curves


def drawn(x, y, **options) -> ET.Element:
    curve = curves.Curve("a < b", np.array(x), np.array(y), "#000000", "dash")
    return ET.fromstring(curves.svg([curve], alt="one & only", x_title="x", y_title="y", **options))


def points(root: ET.Element) -> np.ndarray:
    (line,) = root.iter("polyline")
    return np.array([list(map(float, pair.split(","))) for pair in line.get("points").split()])


def marks(root: ET.Element) -> list[str]:
    return [text.text for text in root.iter("text")]


def test_decades_are_as_far_apart_on_a_logarithmic_axis():
    at = points(drawn([1.0, 10.0, 100.0], [1e-2, 1e-4, 1e-6], log_y=True))
    steps = np.diff(at, axis=0)
    np.testing.assert_allclose(steps[0], steps[1], atol=0.11)
    assert steps[0][0] > 0.0 and steps[0][1] > 0.0  # to the right, and down


def test_what_a_logarithm_cannot_show_is_left_out():
    assert len(points(drawn([0.0, 1.0, 2.0, 4.0], [1.0, 0.0, np.nan, 2.0], log_y=True))) == 1
    assert len(points(drawn([0.0, 1.0, 2.0], [0.0, 1.0, np.inf], log_x=False))) == 2


@pytest.mark.parametrize(
    ("x", "shown"),
    [
        ([112.0, 2520.0], {"200", "500", "1,000", "2,000"}),
        ([1e-3, 10.0], {"0.001", "0.01", "0.1", "1", "10"}),
    ],
)
def test_a_logarithmic_axis_has_round_marks(x, shown):
    assert shown <= set(marks(drawn(x, [1.0, 2.0])))


def test_a_linear_axis_has_round_marks():
    said = marks(drawn([1.0, 10.0], [59.3, 92.1]))
    assert {"60", "70", "80", "90"} <= set(said) and not any(re.search(r"\.\d{3}", s) for s in said)


def test_names_stand_apart_and_markup_is_inert():
    both = [curves.Curve(name, np.array([1.0, 2.0]), np.array([1.0, 1.0]), "#000") for name in "ab"]
    root = ET.fromstring(curves.svg(both, alt="two", x_title="x", y_title="y"))
    names = {t.text: float(t.get("y")) for t in root.iter("text") if t.text in ("a", "b")}
    assert abs(names["a"] - names["b"]) >= 12.0
    assert "a < b" in marks(drawn([1.0, 2.0], [1.0, 2.0]))
