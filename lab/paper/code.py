"""The code of the page that puts the paper beside the measurements."""

from __future__ import annotations


def claims(topic: str, verdict: str) -> str:
    """A script that judges the committed results and prints the chosen claims."""
    return f"""\
from lab.paper import claims, measured, tiles

rows = claims.judged(measured.read())
print(claims.answer(rows))
for row in tiles.chosen(rows, {topic!r}, {verdict!r}):
    print(f"{{row.verdict}}: {{row.claim.title}}")
"""


def claim(key: str) -> str:
    """A script that judges one claim by the committed results."""
    return f"""\
from lab.paper import claims, measured

row = next(row for row in claims.judged(measured.read()) if row.claim.key == {key!r})
print(f"{{row.claim.title}}: {{row.verdict}}")
print(row.measured)
for bar in row.judgement.evidence.bars if row.judgement.evidence else ():
    print(f"{{bar.label}}: {{bar.value:.6g}}")
"""


def race(panel: str, seed: int, seconds: float) -> str:
    """A script that runs the methods of a panel one after the other and prints where they end."""
    if panel.startswith("2c"):
        _, groups, alpha, beta = panel.split("_")
        extras = 7 if groups == "overlapped" else 0
        data = f"ESVMSpec(n_groups=720, extras={extras}, seed={seed})"
        methods = ("newton", "licp", "licp_block", "admm")
        call = f"solve_svm(data.X, data.y, data.groups, {float(alpha)}, {float(beta)}, "
        names, solver = "ESVMSpec", "solve_svm"
    else:
        kind = ".overlapped" if panel == "2b" else ""
        data = f"ELassoSpec{kind}(seed={seed})"
        methods = ("newton", *(("locp",) if panel == "2a" else ()), "pcp", "kong", "kong_smoothed")
        methods += ("pls_dn", "lelr", "subgradient")
        call = "solve_lasso(data.X, data.y, data.groups, data.lam, "
        names, solver = "ELassoSpec", "solve_lasso"
    return f"""\
from lab.data.datasets import {names}, load
from solvers import {solver}

data = load({data})
print(data.description)
for method in {methods!r}:
    result = {call}method=method, max_seconds={seconds:g})
    print(
        f"{{method}}: objective {{result.objective:.9g}}, certified gap {{result.gap:.1e}}, "
        f"{{result.n_iter}} iterations in {{result.seconds:.2f}} s ({{result.message}})"
    )
"""


def accuracy(noise: str, m: int) -> str:
    """A script that runs the first repeat of one m and prints every method's accuracy."""
    return f"""\
from lab.accuracy.specs import Fig2dSpec
from lab.accuracy.trials import run_trial

spec = Fig2dSpec(ms=({m},), repeats=1, noise={noise!r})
for trial in spec.trials():
    result = run_trial(spec, trial)
    print(f"{{trial[2]}}: accuracy {{result['accuracy']:.4f}}, gap {{result['gap']}}")
"""


def theorem(n: int, m: int, t: float, s: list[int]) -> str:
    """A script that prints the exact probability and the three bounds for each s."""
    return f"""\
from solvers import grouping

n, m, t = {n}, {m}, {t!r}
for s in {s!r}:
    exact = grouping.balance_probability(n, s, m, t)
    theorem = grouping.theorem_bound(s, m, t)
    chernoff = grouping.chernoff_bound(s, m, t)
    union = grouping.union_bound(n, s, m, t)
    print(f"{{s}} {{exact:.6f}} {{theorem:.6f}} {{chernoff:.6f}} {{union:.6f}}")
"""


def table(protocol: str, preprocessing: str, ties: str, name: str, folds: int) -> str:
    """A script that runs the first fold of one data set and prints every method's accuracy."""
    return f"""\
from lab.data.datasets import MatSpec
from lab.accuracy.specs import REAL_RULES, RealSpec
from lab.accuracy.trials import run_trial

spec = RealSpec(
    data=MatSpec({name!r}),
    folds={folds},
    fold_kind={protocol!r},
    scaling={preprocessing!r},
    protocol=REAL_RULES[{ties!r}],
)
for trial in spec.trials():
    if trial[1] == 0:
        result = run_trial(spec, trial)
        print(f"{{trial[2]}}: accuracy {{result['accuracy']:.4f}}, gap {{result['gap']}}")
"""


def erratum(key: str) -> str:
    """A script that prints what an erratum's demonstration finds."""
    return f"""\
from lab.paper import errata

shown = errata.BY_KEY[{key!r}].demonstrate()
print(shown.finding)
for name, values in shown.table.items():
    print(name, values)
"""
