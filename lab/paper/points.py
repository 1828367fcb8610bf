"""Points at which a cone projection is looked at, here and on the page that a link opens."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Point:
    """(a, b) to be projected onto a cone in the metric of ζ."""

    cone: str
    a: tuple[float, ...]
    b: float
    zeta: float = 1.0

    @property
    def text(self) -> str:
        """a as a visitor would type it."""
        return ", ".join(f"{value:g}" for value in self.a)


# Where a printed algorithm fails, by the erratum that it shows.
FAILING = MappingProxyType(
    {
        "l1_origin": Point("ℓ1", (1.0, 0.5), -3.0),
        "linf_formula": Point("ℓ∞", (3.0, 1.0), 1.0),
        "linf_negative": Point("ℓ∞", (1.0, 0.5), -3.0),
        "windows": Point("ℓ∞", (0.4, 0.2), 0.0),
        "zeta_sign": Point("ℓ1", (1.0, 0.5), 0.2),
        "missing_t": Point("ℓ∞", (3.0, 1.0), 0.0),
    }
)
# What solvers ask for: height 0, an entry of each size and sign.
USUAL = MappingProxyType({cone: Point(cone, (1.0, 0.7, -0.4), 0.0) for cone in ("ℓ1", "ℓ∞")})
