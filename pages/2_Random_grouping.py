"""Random grouping: Theorem 3 against the exact law."""

import streamlit as st

from lab import balance, balance_draw, balance_phase, ui
from lab.charts import balance as charts
from lab.snippets import balance as snippets
from solvers import grouping

TABS = ("One draw", "The ratio max/min", "Phase diagram", "Does n matter?")

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

**Theorem 3**, with the constants of its proof, which also needs $m$ to divide $n$:

$$
\begin{aligned}
P\ge1&-3\,e^{-0.08\,t^2s/m+\log m}\\
&-e^{-0.001\,t^2s}.
\end{aligned}
$$

A bound at or below zero says nothing and is shown as vacuous. After the theorem the paper suggests
$m=c\cdot s/\log s$ and uses $c=1$ in Section 5.2.

**Simulation.** The band is the exact (Clopper–Pearson) 95% confidence interval at each $m$.
"""


@st.cache_data(show_spinner=False, max_entries=200)
def cached_curve(n: int, s: int, t: float, target: float, c: float) -> balance.Curve:
    return balance.curve(n, s, t, target, c)


@st.cache_data(show_spinner=False, max_entries=1000)
def cached_extremes(n: int, s: int, m: int, trials: int, seed: int):
    return balance.extremes(n, s, m, trials, seed)


@st.cache_data(show_spinner=False, max_entries=200)
def cached_shares(
    n: int, s: int, t: float, groups: tuple[int, ...], trials: int, seed: int
) -> dict[int, balance.Share]:
    return {m: balance.balanced_share(*cached_extremes(n, s, m, trials, seed), t) for m in groups}


@st.cache_data(show_spinner=False, max_entries=1000)
def cached_at(
    n: int, s: int, m: int, t: float, trials: int, seed: int
) -> tuple[float, balance.Share, balance.Bounds]:
    """What is known of P(balanced) at one m."""
    share = balance.balanced_share(*cached_extremes(n, s, m, trials, seed), t)
    exact = grouping.balance_probability(n, s, m, t)
    return exact, share, balance.bounds(n, s, m, t)


@st.cache_data(show_spinner=False, max_entries=200)
def cached_ratio_law(n: int, s: int, m: int, t: float, trials: int, seed: int) -> balance.RatioLaw:
    return balance.ratio_law(n, s, m, t, *cached_extremes(n, s, m, trials, seed))


@st.cache_data(show_spinner=False, max_entries=200)
def cached_over_n(s: int, m: int, t: float) -> balance.OverN:
    return balance.over_n(s, m, t)


@st.cache_data(show_spinner=False, max_entries=200)
def cached_largest_over_n(s: int, t: float, target: float) -> dict[int, int]:
    return balance.largest_over_n(s, t, target)


@st.cache_data(show_spinner=False, max_entries=200)
def cached_boundary(n: int, t: float, target: float):
    return balance_phase.boundary(n, t, target)


@st.cache_data(show_spinner=False, max_entries=200)
def cached_draw(n: int, s: int, m: int, seed: int) -> balance_draw.Draw:
    return balance_draw.draw(n, s, m, seed)


def draw_controls(view: ui.View) -> None:
    view.scale(
        "s",
        "True features s",
        balance.TRUE_STEPS,
        help="How many features the true model uses. The paper's eight values are among these.",
    )
    view.number(
        "n",
        "Features n",
        2,
        balance.MOST_FEATURES,
        step=10,
        help="How many features there are in all, up to a million.",
    )
    view.scale(
        "t",
        "Tolerance t",
        balance.T_STEPS,
        help="A split is balanced if its largest count is at most (1+t)/(1−t) times its smallest.",
    )
    view.scale(
        "trials",
        "Simulated splits",
        balance.TRIAL_STEPS,
        help="Per number of groups; fewer where splits times groups would pass "
        f"{balance.MOST_COUNTS:,}.",
    )
    view.number(
        "seed", "Seed", 0, 2**31 - 1, step=1, help="Decides the draw and the simulated splits."
    )
    with st.expander("More settings"):
        view.select(
            "target",
            "Wanted P(balanced)",
            balance.TARGET_STEPS,
            help="The largest number of groups is the largest that reaches this probability.",
        )
        view.scale(
            "c",
            "Constant c in m = c·s/log s",
            balance.C_STEPS,
            help="The paper leaves it open and uses 1 in its experiments.",
        )


def bound_lines(curve: balance.Curve) -> list[charts.Bound]:
    union, closed, theorem = curve.union, curve.closed, curve.theorem
    note = balance.vacuous_note
    return [
        charts.Bound(f"union bound{note(union, about=True)}", union.m, union.values, "dash"),
        charts.Bound(f"closed bound{note(closed)}", closed.m, closed.values, "dashdot"),
        charts.Bound(f"Theorem 3's bound{note(theorem)}", theorem.m, theorem.values, "dot", True),
    ]


def one_draw(n: int, s: int, m: int, t: float, seed: int) -> None:
    found = cached_draw(n, s, m, seed)
    picture = balance_draw.picture(found, t, seed)
    title = balance_draw.title(found, t)
    left, right = st.columns(2, gap="medium")
    with left:
        ui.chart(
            charts.draw_picture(
                picture.tiles, title=balance_draw.picture_title(found), mode=ui.mode()
            ),
            key="rg_draw_cells",
            alt=f"A cell per group with its true features marked. {title}.",
        )
    with right:
        ui.chart(
            charts.draw_counts(
                found.counts,
                found.outside(t),
                ideal=found.ideal,
                t=t,
                title=title,
                mode=ui.mode(),
            ),
            key="rg_draw_counts",
            alt=f"Bars of the true features in each group. {title}.",
        )
    st.markdown(balance_draw.prose(found, t, picture.unit))


def the_ratio(n: int, s: int, m: int, t: float, trials: int, seed: int) -> None:
    law = cached_ratio_law(n, s, m, t, trials, seed)
    exact, share, _ = cached_at(n, s, m, t, trials, seed)
    title = balance.ratio_title(t, exact, share)
    ui.chart(
        charts.ratio_law(
            law.r,
            law.exact,
            charts.Band("simulated, 95% interval", law.r, law.simulated, law.low, law.high),
            limit=float(balance.largest_ratio(t)),
            at_limit=exact,
            title=title,
            mode=ui.mode(),
        ),
        key="rg_ratio",
        alt=f"Distribution function of max/min, exact and simulated. {title}.",
    )
    st.markdown(balance.ratio_prose(m, t, exact, law))


def the_phases(n: int, s: int, m: int, t_text: str, target: float) -> None:
    t = float(t_text)
    phase, border = balance_phase.phase(t_text), cached_boundary(n, t, target)
    title = balance_phase.title(t, target, *border)
    ui.chart(
        charts.phase_diagram(
            phase.s,
            phase.m,
            phase.probability,
            rule=balance_phase.rule_curve(t),
            boundary=border,
            boundary_name=f"P = {target:.0%} at n = {n:,}",
            chosen=(s, m),
            title=title,
            mode=ui.mode(),
        ),
        key="rg_phase",
        alt=f"P(balanced) over true features s and groups m. {title}.",
    )
    st.markdown(balance_phase.prose(n, t, target, *border))


def does_n_matter(n: int, s: int, m: int, t: float, target: float, exact: float) -> None:
    found = cached_over_n(s, m, t)
    title = balance.over_n_title(s, found)
    ui.chart(
        charts.over_features(
            found.n,
            found.exact,
            [
                charts.Bound(bound.name, found.n, bound.values, dash, bound.of_paper)
                for bound, dash in zip(found.bounds, ("dash", "dashdot", "dot"), strict=True)
            ],
            chosen=(n, exact),
            title=title,
            mode=ui.mode(),
        ),
        key="rg_over_n",
        alt=f"P(balanced) over the number of features. {title}.",
    )
    st.markdown(balance.over_n_prose(s, t, target, cached_largest_over_n(s, t, target)))


with ui.page(key="random_grouping"):
    view = ui.View("random_grouping", {**balance.DEFAULTS, "tab": TABS[0]}, balance.PRESETS)
    answer = st.container()
    figure_column, control_column = st.columns([2.8, 1], gap="medium")
    with figure_column:
        figure_place = st.container()
        view.scale(
            "m",
            "Number of groups m",
            balance.GROUP_STEPS,
            help="Into how many random groups the features are split.",
        )
    with control_column:
        draw_controls(view)
    view.draw_presets()

    n, seed = int(view["n"]), int(view["seed"])
    s, m, trials = int(view["s"]), int(view["m"]), int(view["trials"])
    t, c, target = float(view["t"]), float(view["c"]), balance.target_of(view["target"])
    wrong = balance.impossible(n, s, m)

    if s > n:
        with answer:
            ui.problem(wrong)
        st.button("Reset", on_click=view.reset, key="rg_reset", help="All controls to default.")
    else:
        curve = cached_curve(n, s, t, target, c)
        shares = cached_shares(n, s, t, tuple(curve.to_simulate.tolist()), trials, seed)
        known = None if wrong else cached_at(n, s, m, t, trials, seed)
        chosen = None if wrong else (m, known[0])
        answer.markdown(balance.answer(n, s, t, target, c, curve))

        def curve_figure(mode: str):
            return charts.probability_curve(
                curve.m,
                curve.exact,
                bound_lines(curve),
                charts.Band("simulated, 95% interval", *balance.band(shares)),
                chosen=chosen,
                largest=curve.largest,
                paper=curve.paper,
                paper_name=balance.rule_text(c),
                target=target,
                title=balance.curve_title(c, target, curve),
                mode=mode,
            )

        with figure_place:
            ui.chart(
                curve_figure(ui.mode()),
                key="rg_curve",
                alt=f"P(balanced) against m. {balance.curve_title(c, target, curve)}.",
            )
        if wrong:
            ui.problem(wrong)
        else:
            exact = known[0]
            rows = balance.numbers(*known)
            words, numbers = st.columns([1.4, 1], gap="medium")
            words.markdown(balance.prose(n, s, m, t, target, exact, curve))
            numbers.markdown(balance.markdown_table(m, rows))

            tabs = view.tabs("tab", TABS)
            if tabs[0].open:
                with tabs[0]:
                    one_draw(n, s, m, t, seed)
            if tabs[1].open:
                with tabs[1]:
                    the_ratio(n, s, m, t, trials, seed)
            if tabs[2].open:
                with tabs[2]:
                    the_phases(n, s, m, view["t"], target)
            if tabs[3].open:
                with tabs[3]:
                    does_n_matter(n, s, m, t, target, exact)

        with st.expander("The mathematics"):
            st.markdown(MATHS)
        ui.export_row(
            view,
            ui.Export(
                name="random_grouping",
                data=lambda: balance.table(curve, shares),
                figure=lambda: curve_figure("light"),
                code=snippets.snippet(
                    n,
                    s,
                    min(m, s),
                    t,
                    trials=balance.affordable_trials(trials, min(m, s)),
                    seed=seed,
                    c=c,
                    target=target,
                ),
            ),
        )
