"""The code of the page on cone projections."""

from __future__ import annotations

from collections.abc import Sequence

from lab.cones import descent

FUNCTIONS = {"ℓ1": "project_l1_cone", "ℓ∞": "project_linf_cone"}
NORMS = {"ℓ1": "np.abs({}).sum()", "ℓ∞": "np.abs({}).max()"}
CANDIDATES = {
    "ℓ1": ("delta", "zeta * (t - b) / (1 + zeta * j)"),
    "ℓ∞": ("y", "(zeta * b + t) / (zeta + j)"),
}


def projection(cone: str, a: Sequence[float], b: float, zeta: float) -> str:
    """A script that prints the candidates, the projection and its optimality conditions."""
    function = FUNCTIONS[cone]
    other = "ℓ∞" if cone == "ℓ1" else "ℓ1"
    name, candidate = CANDIDATES[cone]
    return f"""\
import numpy as np

from solvers import {function}

a, b, zeta = np.array({[float(value) for value in a]!r}), {float(b)!r}, {float(zeta)!r}

# the search: the largest candidate, or 0, decides
t = np.append(0.0, np.cumsum(np.sort(np.abs(a))[::-1]))
j = np.arange(a.size + 1)
candidates = {candidate}
print("{name} =", f"{{max(0.0, candidates.max()):.6g}}")

# argmin over norm(x) <= y of ½‖x − a‖² + ζ/2 (y − b)²
x, y = {function}(a, b, zeta)
print("projection:", *(f"{{value + 0.0:.6g}}" for value in (*x, y)))
print("polar part:", *(f"{{value + 0.0:.6g}}" for value in (*(a - x), b - y)))
moved = np.sqrt(np.sum((a - x) ** 2) + zeta * (b - y) ** 2)
print("moved by:", f"{{moved:.6g}}")

# what makes it the projection: all three are 0, up to rounding
print("out of the cone by:", f"{{max({NORMS[cone].format("x")} - y, 0.0):.0e}}")
print("inner product:", f"{{x @ (a - x) + zeta * y * (b - y):.0e}}")
out = max({NORMS[other].format("a - x")} - zeta * (y - b), 0.0)
print("rest out of the polar cone by:", f"{{out:.0e}}")
"""


def moreau(a: float, b: float, d: Sequence[float], zeta: float) -> str:
    """A script that prints both decompositions: of the point in the plane, and of a group."""
    return f"""\
import numpy as np

from solvers import project_l1_cone, project_linf_cone

zeta = {float(zeta)!r}

# the point of the plane: its projections onto the cone |x| <= y and onto the polar cone
point = np.array([{float(a)!r}, {float(b)!r}])
x, y = project_l1_cone(point[:1], point[1], zeta)
projection = np.append(x, y)
metric = np.array([1.0, zeta])
lengths = [np.sqrt(part**2 @ metric) for part in (projection, point - projection)]
print("projection:", *(f"{{value + 0.0:.6g}}" for value in projection))
print("polar part:", *(f"{{value + 0.0:.6g}}" for value in point - projection))
print("long:", *(f"{{length:.6g}}" for length in lengths))

a = np.array({[float(value) for value in d]!r})

# prox of ζ/2 ‖·‖∞² and prox of 1/(2ζ) ‖·‖₁², each a projection with b = 0
cut, _ = project_linf_cone(a, 0.0, zeta)
left_over, _ = project_l1_cone(a, 0.0, 1 / zeta)
print("prox of zeta/2 linf squared:", *(f"{{value + 0.0:.6g}}" for value in cut))
print("prox of 1/(2 zeta) l1 squared:", *(f"{{value + 0.0:.6g}}" for value in left_over))
print("largest difference of their sum from a:", f"{{np.abs(cut + left_over - a).max():.0e}}")
"""


PROBLEMS = {
    "LOCP": """\
X, y = np.array({X}), np.array({Y})
problem = LassoProblem(X, y, groups, {LAM})
posed = LOCP(problem)
x, objective, seen = posed.start(np.array({START})), problem.objective, lambda x: x
""",
    "PCP": """\
X, y = np.array({X}), np.array({Y})
posed = PCP(LassoProblem(X, y, groups, {LAM}))
x, objective, seen = posed.start(np.array({START})), posed.value, lambda x: x[:2] - x[2:]
""",
    "LICP": """\
X, y = np.array({SAMPLES}), np.array({LABELS})
posed = LICP(SVMProblem(X, y, groups, {ALPHA}, {BETA}))
x, objective, seen = posed.start(None), posed.dual_objective, lambda x: x[len(y):]
""",
}


def steps(method: str) -> str:
    """A script that prints every step of a method on the small problem, and its objective."""
    names = ("X", "Y", "LAM", "START", "SAMPLES", "LABELS", "ALPHA", "BETA")
    given = {name: getattr(descent, name) for name in names}
    written = {
        name: value.tolist() if hasattr(value, "tolist") else value for name, value in given.items()
    }
    kind = "SVMProblem" if method == "LICP" else "LassoProblem"
    return f"""\
import numpy as np

from solvers import Groups
from solvers.first_order.fista import fista
from solvers.first_order.formulations import {method}
from solvers.problems import {kind}

groups = Groups.from_labels([0, 0])
{PROBLEMS[method].format(**written)}
# each step: on with the momentum, down the gradient, onto the cone
for step, (x, _) in zip(range({descent.STEPS + 1}), fista(posed, x)):
    first, second = seen(x)
    print(f"step {{step}}: {{first + 0.0:.6g}} {{second + 0.0:.6g}} objective {{objective(x):.6g}}")
"""
