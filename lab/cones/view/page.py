"""Cone projections: what one step of the solvers does to a group, and how it is found.

Each tab is a fragment, or a fragment and what it need not redraw, so that a step of a slider is
cheap.
"""

import streamlit as st

from lab import ui
from lab.cones.view.controls import (
    DEFAULTS,
    ERRATA,
    GROUP,
    LIMITS,
    MOREAU,
    PLANE,
    PLAY,
    PRESETS,
    SEARCH,
    SPACE,
)
from lab.cones.view.errata import draw_errata
from lab.cones.view.group import draw_group
from lab.cones.view.moreau import draw_moreau
from lab.cones.view.plane import draw_plane
from lab.cones.view.play import draw_play
from lab.cones.view.search import draw_search
from lab.cones.view.space import draw_space

WHERE_IT_IS_USED = r"""
A step of LOCP goes down the gradient of the loss and then minimises, group by group,
$\frac12\lVert x-a\rVert^2+\frac{\zeta}{2}\lVert x\rVert_1^2$. With $y$ for $\lVert x\rVert_1$ that
is the projection of $(a; 0)$ onto the $\ell_1$ cone. A step of LICP does the same in the dual, with
$\lVert\cdot\rVert_\infty$ and the $\ell_\infty$ cone. So the solvers ask for $b=0$; the lemmas, and
this page, take any $b$.
"""

THE_PROBLEM = r"""
Lemmas 2 and 3 of the paper solve, for the $\ell_1$ and the $\ell_\infty$ norm,

$$
\begin{aligned}
\min_{x,\,y}\ &\tfrac12\lVert x-a\rVert_2^2+\tfrac{\zeta}{2}(y-b)^2\\
\text{subject to}\ &\lVert x\rVert\le y .
\end{aligned}
$$

Distances and angles are those of
$\langle (x,y),(u,v)\rangle_\zeta = x^\top u+\zeta\,y\,v$. In that metric the polar cone is
$\{(u,v):\lVert u\rVert_*\le-\zeta v\}$, where $\lVert\cdot\rVert_*$ is $\ell_\infty$ for the
$\ell_1$ cone and $\ell_1$ for the $\ell_\infty$ cone. A point $(x,y)$ is the projection if and only
if it lies in the cone, the rest $(a-x,b-y)$ lies in the polar cone, and the two are orthogonal.
"""

THE_SEARCH = r"""
Let $t_j$ be the sum of the $j$ largest magnitudes of $a$, $j=0,\dots,d$.

$$
\begin{aligned}
\ell_1:\quad\delta&=\max\Bigl(0,\ \max_j\frac{\zeta(t_j-b)}{1+\zeta j}\Bigr),\\
x&=\operatorname{sgn}(a)\odot\max(|a|-\delta,0),\\
y&=b+\delta/\zeta
\end{aligned}
$$

$$
\begin{aligned}
\ell_\infty:\quad y&=\max\Bigl(0,\ \max_j\frac{\zeta b+t_j}{\zeta+j}\Bigr),\\
x&=\operatorname{sgn}(a)\odot\min(|a|,y)
\end{aligned}
$$

The candidates rise as long as the next magnitude is larger than the candidate, and fall after that,
so the largest is the right one. The paper tests for each $j$ whether the candidate lies in a window
between two magnitudes. In exact arithmetic one window holds, unless the projection is the origin;
in floating point, at a tie, the candidate can lie just outside both windows that meet there.
"""

THE_DECOMPOSITION = r"""
Moreau: every point is the sum of its projections onto a cone and onto its polar, and the two are
orthogonal, here in the $\zeta$ metric. At $(a;0)$ the first part of that statement reads

$$
\begin{aligned}
&\operatorname{prox}_{\frac{\zeta}{2}\lVert\cdot\rVert_\infty^2}(a)\\
&+\operatorname{prox}_{\frac{1}{2\zeta}\lVert\cdot\rVert_1^2}(a)=a ,
\end{aligned}
$$

so one search serves both norms: what the $\ell_\infty$ prox cuts off is what the $\ell_1$ prox at
$1/\zeta$ keeps.
"""


def show() -> None:
    with ui.page(key="cone_projections"):
        view = ui.View(
            "cone_projections",
            DEFAULTS,
            {label: {"tab": ERRATA, "zeta": "1", **change} for label, change in PRESETS.items()},
            LIMITS,
        )
        answer = st.empty()
        drawings = {
            GROUP: draw_group,
            PLANE: draw_plane,
            PLAY: draw_play,
            SPACE: draw_space,
            SEARCH: draw_search,
            MOREAU: draw_moreau,
            ERRATA: draw_errata,
        }
        tabs = view.tabs("tab", drawings)
        st.markdown(WHERE_IT_IS_USED)
        with st.expander("The problem and its optimality conditions"):
            st.markdown(THE_PROBLEM)
        with st.expander("The search, and why the printed one fails"):
            st.markdown(THE_SEARCH)
        with st.expander("Moreau's decomposition"):
            st.markdown(THE_DECOMPOSITION)
        end = st.container()
        for tab, draw in zip(tabs, drawings.values(), strict=True):
            if tab.open:
                with tab:
                    draw(view, answer, end)
