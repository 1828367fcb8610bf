"""The claims themselves, by where in the paper their subject stands."""

from __future__ import annotations

from lab.paper.catalogue.experiments import EXPERIMENTS
from lab.paper.catalogue.grouping import GROUPING
from lab.paper.catalogue.norms import NORMS
from lab.paper.catalogue.optimization import OPTIMIZATION
from lab.paper.catalogue.overall import OVERALL
from lab.paper.catalogue.proofs import PROOFS
from lab.paper.claim import Claim

CLAIMS: tuple[Claim, ...] = (
    *NORMS,
    *OPTIMIZATION,
    *PROOFS,
    *GROUPING,
    *EXPERIMENTS,
    *OVERALL,
)
