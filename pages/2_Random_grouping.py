"""Random grouping: Theorem 3 against the exact law."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import balance, balance_draw, balance_phase, ui
    from lab.charts import balance as charts
    from lab.charts import drawn_once
    from lab.snippets import balance as snippets
    from solvers import grouping

NAME = "random_grouping"

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


# What is found is looked up and never changed, so visitors share it without copies.


@st.cache_resource(show_spinner=False, max_entries=200)
def cached_curve(n: int, s: int, t: float, target: float, c: float) -> balance.Curve:
    return balance.curve(n, s, t, target, c)


@st.cache_resource(show_spinner=False, max_entries=1000)
def cached_extremes(n: int, s: int, m: int, trials: int, seed: int):
    return balance.extremes(n, s, m, trials, seed)


@st.cache_resource(show_spinner=False, max_entries=200)
def cached_shares(
    n: int, s: int, t: float, groups: tuple[int, ...], trials: int, seed: int
) -> dict[int, balance.Share]:
    return {m: balance.balanced_share(*cached_extremes(n, s, m, trials, seed), t) for m in groups}


@st.cache_resource(show_spinner=False, max_entries=1000)
def cached_at(
    n: int, s: int, m: int, t: float, trials: int, seed: int
) -> tuple[float, balance.Share, balance.Bounds]:
    """What is known of P(balanced) at one m."""
    share = balance.balanced_share(*cached_extremes(n, s, m, trials, seed), t)
    exact = grouping.balance_probability(n, s, m, t)
    return exact, share, balance.bounds(n, s, m, t)


@st.cache_resource(show_spinner=False, max_entries=200)
def cached_ratio_law(n: int, s: int, m: int, t: float, trials: int, seed: int) -> balance.RatioLaw:
    return balance.ratio_law(n, s, m, t, *cached_extremes(n, s, m, trials, seed))


@st.cache_resource(show_spinner=False, max_entries=200)
def cached_over_n(s: int, m: int, t: float) -> balance.OverN:
    return balance.over_n(s, m, t)


@st.cache_resource(show_spinner=False, max_entries=200)
def cached_largest_over_n(s: int, t: float, target: float) -> dict[int, int]:
    return balance.largest_over_n(s, t, target)


@st.cache_resource(show_spinner=False, max_entries=200)
def cached_boundary(n: int, t: float, target: float):
    return balance_phase.boundary(n, t, target)


@st.cache_resource(show_spinner=False, max_entries=200)
def cached_draw(n: int, s: int, m: int, seed: int) -> balance_draw.Draw:
    return balance_draw.draw(n, s, m, seed)


@dataclass(frozen=True)
class Setting:
    """What the page is about: n features, s of them true, m groups, tolerance t."""

    n: int
    s: int
    m: int
    t: float
    trials: int
    seed: int
    c: float
    target: float

    @classmethod
    def of(cls, view: ui.View) -> "Setting":
        return cls(
            n=int(view["n"]),
            s=int(view["s"]),
            m=int(view["m"]),
            t=float(view["t"]),
            trials=int(view["trials"]),
            seed=int(view["seed"]),
            c=float(view["c"]),
            target=balance.target_of(view["target"]),
        )

    @property
    def wrong(self) -> str | None:
        return balance.impossible(self.n, self.s, self.m)

    @property
    def curve(self) -> balance.Curve:
        return cached_curve(self.n, self.s, self.t, self.target, self.c)

    @property
    def shares(self) -> dict[int, balance.Share]:
        groups = tuple(self.curve.to_simulate.tolist())
        return cached_shares(self.n, self.s, self.t, groups, self.trials, self.seed)

    @property
    def at_m(self) -> tuple[float, balance.Share, balance.Bounds]:
        return cached_at(self.n, self.s, self.m, self.t, self.trials, self.seed)


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


# What a step of the slider shows is kept as it is sent and looked up at once: to build a figure
# costs more than all the rest of a step.


def kept(shown):
    """Keep what is shown of a setting, its figures in a theme's colours."""
    return st.cache_resource(show_spinner=False, max_entries=256)(shown)


class Drawing:
    """A figure that is ready to be drawn."""

    def __init__(self, key: str, figure, alt: str):
        self.key, self.figure, self.alt = key, drawn_once(figure), alt

    def draw(self, place) -> None:
        with place:
            ui.chart(self.figure, key=self.key, alt=self.alt)


@dataclass(frozen=True)
class Overview:
    """What is known at one m: the curve with m marked, words and numbers if m is possible."""

    curve: Drawing
    code: str
    words: str = ""
    numbers: str = ""


@kept
def overview(at: Setting, mode: str) -> Overview:
    curve, groups = at.curve, min(at.m, at.s)
    title = balance.curve_title(at.c, at.target, curve)
    exact = None if at.wrong else at.at_m[0]
    figure = charts.probability_curve(
        curve.m,
        curve.exact,
        bound_lines(curve),
        charts.Band("simulated, 95% interval", *balance.band(at.shares)),
        chosen=None if at.wrong else (at.m, exact),
        largest=curve.largest,
        paper=curve.paper,
        paper_name=balance.rule_text(at.c),
        target=at.target,
        title=title,
        mode=mode,
    )
    drawing = Drawing("rg_curve", figure, f"P(balanced) against m. {title}.")
    code = snippets.snippet(
        at.n,
        at.s,
        groups,
        at.t,
        trials=balance.affordable_trials(at.trials, groups),
        seed=at.seed,
        c=at.c,
        target=at.target,
    )
    if at.wrong:
        return Overview(drawing, code)
    return Overview(
        drawing,
        code,
        balance.prose(at.s, at.m, at.target, exact, curve),
        balance.markdown_table(at.m, balance.numbers(*at.at_m)),
    )


# The tabs: their figures, and the words below.

Tab = tuple[list[Drawing], str]


@kept
def one_draw(at: Setting, mode: str) -> Tab:
    found = cached_draw(at.n, at.s, at.m, at.seed)
    picture, title = balance_draw.picture(found, at.t, at.seed), balance_draw.title(found, at.t)
    cells = charts.draw_picture(picture.tiles, title=balance_draw.picture_title(found), mode=mode)
    counts = charts.draw_counts(
        found.counts, found.outside(at.t), ideal=found.ideal, t=at.t, title=title, mode=mode
    )
    drawings = [
        Drawing("rg_draw_cells", cells, f"A cell per group, its true features marked. {title}."),
        Drawing("rg_draw_counts", counts, f"Bars of the true features in each group. {title}."),
    ]
    return drawings, balance_draw.prose(found, at.t, picture.unit)


@kept
def the_ratio(at: Setting, mode: str) -> Tab:
    law = cached_ratio_law(at.n, at.s, at.m, at.t, at.trials, at.seed)
    exact, share, _ = at.at_m
    title = balance.ratio_title(at.t, exact, share)
    figure = charts.ratio_law(
        law.r,
        law.exact,
        charts.Band("simulated, 95% interval", law.r, law.simulated, law.low, law.high),
        limit=float(balance.largest_ratio(at.t)),
        at_limit=exact,
        title=title,
        mode=mode,
    )
    alt = f"Distribution function of max/min, exact and simulated. {title}."
    return [Drawing("rg_ratio", figure, alt)], balance.ratio_prose(at.m, at.t, exact, law)


# Some thousand tiles each, so few are kept.
@st.cache_resource(show_spinner=False, max_entries=16)
def the_phases(at: Setting, mode: str) -> Tab:
    phase, border = balance_phase.phase(f"{at.t:g}"), cached_boundary(at.n, at.t, at.target)
    title = balance_phase.title(at.t, at.target, *border)
    figure = charts.phase_diagram(
        phase.s,
        phase.m,
        phase.probability,
        rule=balance_phase.rule_curve(at.t),
        boundary=border,
        boundary_name=f"P = {at.target:.0%} at n = {at.n:,}",
        chosen=(at.s, at.m),
        title=title,
        mode=mode,
    )
    alt = f"P(balanced) over true features s and groups m. {title}."
    words = balance_phase.prose(at.n, at.t, at.target, *border)
    return [Drawing("rg_phase", figure, alt)], words


@kept
def does_n_matter(at: Setting, mode: str) -> Tab:
    found = cached_over_n(at.s, at.m, at.t)
    title = balance.over_n_title(at.s, found)
    figure = charts.over_features(
        found.n,
        found.exact,
        [
            charts.Bound(bound.name, found.n, bound.values, dash, bound.of_paper)
            for bound, dash in zip(found.bounds, ("dash", "dashdot", "dot"), strict=True)
        ],
        chosen=(at.n, at.at_m[0]),
        title=title,
        mode=mode,
    )
    alt = f"P(balanced) over the number of features. {title}."
    largest = cached_largest_over_n(at.s, at.t, at.target)
    return [Drawing("rg_over_n", figure, alt)], balance.over_n_prose(at.s, at.t, at.target, largest)


ONE_DRAW = "One draw"
TABS = {
    ONE_DRAW: one_draw,
    "The ratio max/min": the_ratio,
    "Phase diagram": the_phases,
    "Does n matter?": does_n_matter,
}


# What follows m is drawn by a fragment, into places that the whole page has laid out.


@dataclass(frozen=True)
class Places:
    """Where on the page stands what follows m, besides the figure above its slider."""

    words: DeltaGenerator
    numbers: DeltaGenerator
    tab_figures: list[DeltaGenerator]
    tab_words: DeltaGenerator
    row: ui.ExportRow


def laid_out(view: ui.View) -> Places:
    words, numbers = st.columns([1.4, 1], gap="medium")
    words, numbers = words.empty(), numbers.empty()
    tabs = view.tabs("tab", TABS)
    with tabs[list(TABS).index(view["tab"])]:
        columns = st.columns(2, gap="medium") if view["tab"] == ONE_DRAW else [st.container()]
        tab_figures, tab_words = [column.empty() for column in columns], st.empty()
    with st.expander("The mathematics"):
        st.markdown(MATHS)
    return Places(words, numbers, tab_figures, tab_words, ui.ExportRow(view, NAME))


@st.fragment
def follow_groups(view: ui.View, places: Places) -> None:
    """The slider of m and all that follows it: a step redraws nothing else."""
    figure_place = st.container()
    draw_groups_control(view)
    at, mode = Setting.of(view), ui.mode()
    shown = overview(at, mode)
    shown.curve.draw(figure_place)
    if at.wrong:
        with places.words:
            ui.problem(at.wrong)
        for place in (places.numbers, *places.tab_figures, places.tab_words):
            place.empty()
    else:
        places.words.markdown(shown.words)
        places.numbers.markdown(shown.numbers)
        drawings, words = TABS[view["tab"]](at, mode)
        for drawing, place in zip(drawings, places.tab_figures, strict=True):
            drawing.draw(place)
        places.tab_words.markdown(words)
    places.row.offer(
        ui.Export(
            name=NAME,
            data=lambda: balance.table(at.curve, at.shares),
            figure=lambda: overview(at, "light").curve.figure,
            code=shown.code,
        )
    )


def draw_groups_control(view: ui.View) -> None:
    view.scale(
        "m",
        "Number of groups m",
        balance.GROUP_STEPS,
        help="Into how many random groups the features are split.",
    )


with ui.page(key="random_grouping"):
    view = ui.View("random_grouping", {**balance.DEFAULTS, "tab": ONE_DRAW}, balance.PRESETS)
    answer = st.container()
    figure_column, control_column = ui.figure_and_controls()
    with control_column:
        draw_controls(view)
    view.draw_presets()

    at = Setting.of(view)
    if at.s > at.n:
        with answer:
            ui.problem(at.wrong)
        with figure_column:
            draw_groups_control(view)
        st.button("Reset", on_click=view.reset, key="rg_reset", help="All controls to default.")
    else:
        answer.markdown(balance.answer(at.n, at.s, at.t, at.target, at.c, at.curve))
        places = laid_out(view)
        with figure_column:
            follow_groups(view, places)
