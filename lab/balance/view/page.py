"""Random grouping: from one draw to the exact law and to what can be proven."""

import streamlit as st

from lab import ui
from lab.balance import settings, words
from lab.balance.view import setting
from lab.balance.view.controls import draw_controls, mend
from lab.balance.view.tabs import NAME, draw_open_tab

MATHS = r"""
Split $n$ features, $s$ of them true, uniformly at random into $m$ groups whose sizes differ by at
most one, and let $\Omega_j$ be the true features of group $j$. The split is **balanced** when

$$
\frac{\max_j|\Omega_j|}{\min_j|\Omega_j|}\le R=\frac{1+t}{1-t},
$$

a group without a true feature making it unbalanced.

**Exact law.** The counts are multivariate hypergeometric. With $p=s/n$ and
$b_j(k)=\binom{|g_j|}{k}p^k(1-p)^{|g_j|-k}$,

$$
\begin{aligned}
&P(l\le|\Omega_j|\le h\ \forall j)\\
&=\frac{[z^s]\prod_j\sum_{k=l}^{h}b_j(k)\,z^k}{\binom ns p^s(1-p)^{n-s}},
\end{aligned}
$$

and the event is split by its smallest count:
$\sum_{l\ge1}P(\min=l,\ \max\le\lfloor Rl\rfloor)$.

**Union bound**, with exact hypergeometric tails:

$$
\begin{aligned}
P\ge1&-\textstyle\sum_jP\big(|\Omega_j|<(1-t)\tfrac sm\big)\\
&-\textstyle\sum_jP\big(|\Omega_j|>(1+t)\tfrac sm\big).
\end{aligned}
$$

**Closed bound.** Hypergeometric tails lie below binomial ones (Hoeffding 1963), so where $m$
divides $n$

$$
\begin{aligned}
P\ge1&-m\,e^{-t^2s/(m(2+2t/3))}\\
&-m\,e^{-t^2s/(2m)}.
\end{aligned}
$$

**Theorem 5**, with the constants of its proof, which also needs $m$ to divide $n$:

$$
\begin{aligned}
P\ge1&-3\,e^{-0.08\,t^2s/m+\log m}\\
&-e^{-0.001\,t^2s}.
\end{aligned}
$$

A bound at or below zero says nothing. After the theorem the paper suggests
$m=c\cdot s/\log s$ and uses $c=1$ in Section 5.2.

**Draws.** The interval of their share is the exact (Clopper–Pearson) one of 95 % confidence.
"""


def show() -> None:
    with ui.page(key="random_grouping"):
        view = setting.open_view()
        answer = st.container()
        figure_column, control_column = ui.figure_and_controls()
        with control_column:
            draw_controls(view)
        with figure_column:
            tabs = view.tabs("tab", settings.TABS)
            step = tabs[settings.TABS.index(view["tab"])]
        view.draw_presets()
        with st.expander("The mathematics"):
            st.markdown(MATHS)

        at = setting.of(view)
        if settings.impossible(at.n, at.s):
            with answer:
                mend(view)
            view.draw_reset("rg_reset")
            return
        answer.markdown(words.answer(at, setting.curve(at)))
        row = ui.ExportRow(view, NAME)
        with step:
            draw_open_tab(view, row)
