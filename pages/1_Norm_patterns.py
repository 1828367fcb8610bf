"""Norm patterns: the paper's Figure 1 live, its paths, the correlated twins, the unit balls."""

import streamlit as st

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import balls, charts, pattern_start, patterns, theme, twins, ui
    from lab.charts import balls as ball_charts
    from lab.charts import patterns as pattern_charts
    from lab.charts import scrub
    from lab.datasets import TwinsSpec
    from lab.snippets import patterns as snippets

FIGURE, PATHS, TWINS, BALLS = "Figure 1", "Paths in λ", "Correlated twins", "Unit balls"
TABS = (FIGURE, PATHS, TWINS, BALLS)
TOGETHER, APART = "in one group", "in different groups"
ALL_GROUPS = "all"
NAME = "norm_patterns"
CORRELATION, LOAD = "correlation", "busy load"
PLANE, SPACE = "in the plane", "in space"
PANEL_HEIGHT = 185

DEFAULTS = {
    "tab": FIGURE,
    "share": patterns.DEFAULT_SHARE,
    "match": True,
    "drag": False,
    "groups": 10,
    "size": 12,
    "true": 1,
    "samples": 80,
    "noise": 0.5,
    "rho": 0.0,
    "neighbours": TOGETHER,
    "overlap": 0,
    "active": 100,
    "seed": 0,
    "norm": "ℓe",
    "only": ALL_GROUPS,
    "twin_rho": twins.DEFAULT_CORRELATION,
    "vary": CORRELATION,
    "busy": 6,
    "quiet": 0,
    "twin_share": twins.DEFAULT_SHARE,
    "twin_noise": 0.5,
    "twin_samples": 200,
    "twin_seed": 0,
    "draws": False,
    "grouping": balls.DEFAULT_GROUPING,
    "shape": SPACE,
}
PRESETS = {
    "Paper Figure 1": {},
    "Correlated features": {"rho": 0.8, "neighbours": APART, "share": "0.1"},
    "Overlapping groups": {"overlap": 4, "true": 2, "share": "0.24"},
    "Whole groups true": {"active": 30, "true": 6, "noise": 0.3, "share": "0.24"},
    "Twins of equal load": {"tab": TWINS, "busy": 0, "vary": LOAD},
    "Overlapping balls": {"tab": BALLS, "grouping": "{1,2}, {2,3}"},
}

FOUR_PROBLEMS = r"""
All four fits minimise $\frac12\lVert Xw-y\rVert^2$ plus a penalty:

| norm | penalty | λ counts as 1 at |
| :-- | :-- | :-- |
| ℓ2 | $\frac{\lambda}{2}\lVert w\rVert_2^2$ | $\lVert X\rVert_2^2$, where the strongest direction is halved |
| ℓ1 | $\lambda\lVert w\rVert_1$ | $\max_i\lvert X_i^\top y\rvert$, from where on $w=0$ |
| ℓ2,1 | $\lambda\sum_g\lVert w_g\rVert_2$ | $\max_g\lVert X_g^\top y\rVert_2$, from where on $w=0$ |
| ℓe | $\frac{\lambda}{2}\sum_g\lVert w_g\rVert_1^2$ | $\lambda_0=\lVert Xu\rVert^2/\lVert u\rVert_e^2$, where the fit along $u$, each group's largest correlation with $y$, is halved |

The squared norms never reach $w=0$: their slope at 0 is 0. Where groups overlap, ℓ2,1 is the latent
group lasso: each group has its own copy of its features, and $w$ is the sum of the copies.
**Support F1** is $2\,\lvert\hat S\cap S\rvert/(\lvert\hat S\rvert+\lvert S\rvert)$ for the nonzeros
$\hat S$ and the true features $S$. **Test error** is $\lVert Xw-y\rVert^2/\lVert y\rVert^2$ on 500
fresh samples. Every fit is certified by its duality gap, relative to the objective.
"""  # noqa: E501

WHY_TWINS = r"""
Let the twins be copies, $X_i=X_j$, in groups $g$ and $h$, and let $t=w_i+w_j$ be what they explain
together. The loss sees $t$ only, so the penalty alone divides it:

* **ℓ2** pays $w_i^2+w_j^2$: least where both get $t/2$.
* **ℓ1** pays $\lvert w_i\rvert+\lvert w_j\rvert=\lvert t\rvert$ however it is divided, so the
  small differences between the twins decide.
* **ℓ2,1** pays $\sqrt{a^2+w_i^2}+\sqrt{b^2+w_j^2}$ with $a,b$ the lengths of the other weights of
  the two groups: cheaper in the longer one, where the square root is flatter.
* **ℓe** pays $(A+\lvert w_i\rvert)^2+(B+\lvert w_j\rvert)^2$ with $A,B$ the sums of the others'
  magnitudes: its slope is the group's load, so the weight goes where the load is smaller, until
  the loads are level.
"""

WHY_BALLS = r"""
A fit with a penalty ends where a level set of the loss first touches a ball. It touches edges and
corners rather than round parts, and there some weights are exactly 0. The exclusive norm
$\lVert w\rVert_e=\sqrt{\sum_g\lVert w_g\rVert_1^2}$ is ℓ1 among the members of a group (edges:
they compete) and ℓ2 across disjoint groups (round: they share). The group norm
$\sum_g\lVert w_g\rVert_2$ is the reverse. With overlaps ℓe stays as it is, and ℓ2,1 is drawn as
the latent norm $\min\{\sum_g\lVert v_g\rVert_2:\sum_g v_g=w\}$, which is what our fits use; for
$\{1,2\},\{2,3\}$ it is $\sqrt{(\lvert w_1\rvert+\lvert w_3\rvert)^2+w_2^2}$. Every point drawn is
$u/\lVert u\rVert$ for a direction $u$, and the mesh runs along the planes $w_i=0$, the only places
where these balls have edges.
"""


# Paths and figures are looked up and never changed, so visitors share them without copies.


@st.cache_resource(show_spinner=False, max_entries=32)
def solved(spec: patterns.PatternSpec) -> patterns.Paths:
    return pattern_start.paths_of(spec)


@st.cache_data(show_spinner=False, max_entries=64)
def swept(spec: TwinsSpec, share: float, vary: str, values: tuple) -> list:
    return twins.sweep(spec, share, vary, values)


@st.cache_data(show_spinner=False, max_entries=256)
def checked(spec: TwinsSpec, share: float) -> tuple:
    fits = twins.fit_twins(spec, share)
    return fits, twins.check_claims(fits, twins.one_twin_objectives(spec, share))


@st.cache_data(show_spinner=False, max_entries=64)
def over_draws(spec: TwinsSpec, share: float) -> dict:
    return twins.claims_over_draws(spec, share)


@st.cache_resource(show_spinner=False)
def directions() -> balls.Mesh:
    return balls.sphere_directions(20)


def data_spec(view: ui.View) -> patterns.PatternSpec:
    return patterns.PatternSpec(
        n_groups=view["groups"],
        group_size=view["size"],
        nonzeros_per_group=view["true"],
        active_percent=view["active"],
        n_samples=view["samples"],
        noise=view["noise"],
        rho=view["rho"],
        together=view["neighbours"] == TOGETHER,
        overlap=view["overlap"],
        seed=view["seed"],
    )


def draw_presets(view: ui.View) -> None:
    with st.popover("Presets", width="stretch", help="Paper Figure 1 and other starting points."):
        view.draw_presets()


def draw_strength(view: ui.View) -> float:
    return float(
        view.scale(
            "share",
            "Strength λ, as a share of each norm's own scale: further right, fewer weights",
            patterns.SHARES,
            help="ℓ1 and ℓ2,1 reach w = 0 at 1; ℓ2 and ℓe are halved there and never reach it. "
            "Where sparsity is matched, this is ℓe's λ and the others follow.",
        )
    )


def draw_match(view: ui.View) -> bool:
    return view.toggle(
        "match",
        "Match sparsity across norms",
        help="On: each norm takes the λ on its path whose number of nonzeros is nearest to ℓe's "
        "(ℓ2: whose training loss is). Off: the same share of its own scale for each.",
    )


def draw_data_controls(view: ui.View) -> None:
    view.slider("groups", "Groups", 2, 16, help="How many groups, one row each.")
    view.slider("size", "Group size", 2, 20, help="Features in a group.")
    view.slider("true", "True features per group", 1, 8, help="Outlined in the grids.")
    view.slider("samples", "Samples", 20, 200, step=10, help="Rows of X to learn from.")
    with st.expander("More settings"):
        view.slider(
            "noise", "Noise", 0.0, 2.0, step=0.1, help="Its size as a share of the signal's."
        )
        view.slider(
            "rho", "Correlation", 0.0, 0.95, step=0.05, help="Between neighbouring features."
        )
        view.segments(
            "neighbours",
            "Correlated neighbours are",
            (TOGETHER, APART),
            help="Whether features that resemble each other compete in one group.",
        )
        view.slider(
            "overlap", "Overlap", 0, 6, help="Features that a group shares with the next one."
        )
        view.slider(
            "active",
            "Groups with true features (%)",
            10,
            100,
            step=10,
            help="Below 100, some groups hold no true feature at all.",
        )
        view.number("seed", "Seed", 0, 9999, help="Another number draws other data.")


def draw_figure_one(view: ui.View, answer) -> None:
    left, right = ui.figure_and_controls()
    with right:
        draw_presets(view)
        draw_match(view)
        draw_data_controls(view)
    spec = data_spec(view)
    with left:
        along_the_path = st.container()
        if spec.problem():
            ui.problem(spec.problem())
            return
        st.caption(patterns.reading(spec))
        with st.expander("The four problems, and what the numbers mean"):
            st.markdown(FOUR_PROBLEMS)
    row = ui.ExportRow(view, NAME)
    with along_the_path, st.skeleton(height=2 * PANEL_HEIGHT + 70):
        paths = solved(spec)
    with along_the_path:
        draw_along_the_path(view, paths, answer, row)


@st.fragment
def draw_along_the_path(view: ui.View, paths, answer, row: ui.ExportRow) -> None:
    """What moves with λ, and nothing else, so that a step of the slider is cheap.

    All is computed before the rest is sent: a browser renders the page anew for each batch.
    """
    pictures = st.container(gap="xsmall")
    share, matched = draw_strength(view), view["match"]
    shown = patterns.look_up(paths, share, matched)
    panels = {norm: panel(paths, fit, ui.mode()) for norm, fit in shown.items()}
    code = snippets.figure_one(paths.spec, {norm: fit.share for norm, fit in shown.items()})
    answer.markdown(patterns.answer(shown, matched))
    with pictures:
        for pair in (("l2", "l1"), ("l21", "le")):
            for column, norm in zip(st.columns(2, gap="small"), pair, strict=True):
                with column:
                    draw_panel(shown[norm], panels[norm])
        ui.certificate(max(fit.gap for fit in shown.values()), what="(all four)")
    if view.toggle(
        "drag",
        "Drag λ inside one figure",
        help="Sends every λ at once, so that the picture follows the handle as you drag. The "
        "slider above stays what the numbers, the address and the code speak of.",
    ):
        draw_scrubber(paths, share, matched)
    st.markdown(patterns.support_finding(shown, paths))
    st.markdown(patterns.numbers_in_markdown(shown))
    if matched:
        st.caption(patterns.match_finding(shown))
    row.offer(
        ui.Export(
            name=NAME,
            data=lambda: patterns.table(shown, paths),
            figure=lambda: panel_figure(paths, shown["le"], "light", height=420),
            code=code,
        )
    )


def draw_scrubber(paths, share: float, matched: bool) -> None:
    """All stops of the slider in one figure, which opens at the slider's own."""
    steps = [
        scrub.Step(label, [scrub.Panel(fit.short_title, fit.grid) for fit in shown.values()])
        for label, shown in patterns.along(paths, matched).items()
    ]
    title = "What each norm keeps, from weak λ to strong"
    ui.chart(
        scrub.scrubbed_grids(
            steps,
            paths.support_grid,
            active=[float(step.label) for step in steps].index(share),
            prefix="ℓe's λ, others matched: " if matched else "λ, share of own scale: ",
            title=title,
            mode=ui.mode(),
        ),
        key="np_scrub",
        alt=f"Four grids of weights with a slider over {len(steps)} values of λ. {title}.",
    )


def panel_figure(paths, fit, mode, height=PANEL_HEIGHT):
    return charts.weight_grid(
        fit.grid,
        title=fit.title,
        mode=mode,
        height=height,
        support=paths.support_grid,
        counts=True,
        shared=paths.spec.overlap,
        subtitle=fit.numbers,
        compact=True,
    )


@st.cache_resource(show_spinner=False, max_entries=1000)
def drawn_panel(spec, norm, share, mode, _paths, _fit):
    return charts.drawn_once(panel_figure(_paths, _fit, mode))


def panel(paths, fit, mode):
    return drawn_panel(paths.spec, fit.norm, fit.share, mode, paths, fit)


def draw_panel(fit, figure) -> None:
    ui.chart(
        figure,
        key=f"np_panel_{fit.norm}",
        alt=f"Grid of weights, one row per group, true features outlined. {fit.title}; "
        f"{fit.numbers}; nonzeros per group: {', '.join(map(str, fit.counts))}.",
    )


def draw_paths(view: ui.View, answer) -> ui.Export | None:
    labels = {label: norm for norm, label in theme.NORM_LABELS.items()}
    left, right = ui.figure_and_controls()
    with right:
        draw_presets(view)
        label = view.segments("norm", "Norm", tuple(labels), help="Whose path is drawn.")
        only = view.select(
            "only",
            "Colour",
            (ALL_GROUPS, *(f"group {k}" for k in range(1, 17))),
            help="One group in colour, the others grey.",
        )
        matched = draw_match(view)
        finding = st.container()
    with left:
        pictures, control = st.container(), st.container()
    with control:
        share = draw_strength(view)
    spec = data_spec(view)
    if spec.problem():
        with pictures:
            ui.problem(spec.problem())
        return None
    with pictures, st.skeleton(height=pattern_charts.PATH_HEIGHT):
        paths = solved(spec)
    shown = patterns.look_up(paths, share, matched)
    norm = labels[label]
    path, fit = paths.by_norm[norm], shown[norm]
    answer.markdown(patterns.path_answer(paths, fit))
    chosen = None if only == ALL_GROUPS else int(only.split()[1]) - 1
    if chosen is not None and chosen >= spec.n_groups:
        chosen = None
        with finding:
            st.caption(f"There are {spec.n_groups} groups here, so all are in colour.")

    def path_figure(mode):
        return pattern_charts.weight_paths(
            path.shares,
            path.coefs,
            paths.owners,
            paths.support,
            current=fit.share,
            title=patterns.path_title(paths, fit),
            mode=mode,
            only_group=chosen,
        )

    with pictures:
        ui.chart(
            path_figure(ui.mode()),
            key="np_path",
            alt=f"Every weight against λ under {label}. {patterns.path_title(paths, fit)}.",
        )
    with finding:
        ui.certificate(float(path.gaps.max()), what="path")
        st.markdown(patterns.path_prose(paths, fit))
    with control:
        st.caption(
            f"{patterns.data_in_words(spec)} (set under {FIGURE}). Thick lines are true features; "
            "hue and dash name the group, g1 and so on at the left end."
        )
    draw_metrics(paths, shown)
    return ui.Export(
        name=f"path_{norm}",
        data=lambda: patterns.path_table(path),
        figure=lambda: path_figure("light"),
        code=snippets.path(spec, norm, float(path.shares[0]), float(path.shares[-1])),
    )


def draw_metrics(paths, shown) -> None:
    by_norm = paths.by_norm
    shares = {norm: path.shares for norm, path in by_norm.items()}
    current = {norm: fit.share for norm, fit in shown.items()}
    first, second = st.columns(2, gap="small")
    with first:
        title = patterns.f1_title(paths)
        ui.chart(
            pattern_charts.metric_lines(
                shares,
                {norm: path.f1 for norm, path in by_norm.items()},
                current=current,
                best="max",
                axis="support F1",
                title=title,
                mode=ui.mode(),
            ),
            key="np_f1",
            alt=f"Support F1 against λ for four norms. {title}.",
        )
    with second:
        title = patterns.error_title(paths)
        ui.chart(
            pattern_charts.metric_lines(
                shares,
                {norm: path.errors for norm, path in by_norm.items()},
                current=current,
                best="min",
                axis="test error",
                title=title,
                mode=ui.mode(),
                percent=True,
                floor=("true weights", paths.oracle_error),
            ),
            key="np_error",
            alt=f"Test error against λ for four norms. {title}.",
        )


def draw_twins(view: ui.View, answer) -> ui.Export:
    left, right = ui.figure_and_controls()
    with right:
        draw_presets(view)
        vary = view.segments(
            "vary", "Drawn against", (CORRELATION, LOAD), help="What the horizontal axis is."
        )
        view.slider(
            "busy", "Busy group's load", 0, 8, help="Other true features in the busy group."
        )
        view.slider(
            "quiet", "Quiet group's load", 0, 8, help="Other true features in the quiet group."
        )
        share = float(
            view.scale(
                "twin_share",
                "Strength λ, share of own scale",
                twins.SHARES,
                help="With a weak penalty the data decide; with a strong one the norm does.",
            )
        )
        view.number("twin_seed", "Seed", 0, 9999, help="Another number draws other data.")
        with st.expander("More settings"):
            view.slider("twin_noise", "Noise", 0.0, 3.0, step=0.1, help="Its standard deviation.")
            view.slider(
                "twin_samples", "Samples", 30, 400, step=10, help="Rows of X to learn from."
            )
    with left:
        pictures, control = st.container(), st.container()
    with control:
        rho = float(
            view.scale(
                "twin_rho",
                "Correlation of the twins",
                twins.CORRELATIONS,
                help="How similar the two features are.",
            )
        )
    spec = TwinsSpec(
        n_samples=view["twin_samples"],
        correlation=rho,
        busy_load=view["busy"],
        quiet_load=view["quiet"],
        noise=view["twin_noise"],
        seed=view["twin_seed"],
    )
    if vary == CORRELATION:
        name, values, current = "correlation", tuple(map(float, twins.CORRELATIONS)), rho
        axis = "correlation of the twins"
    else:
        name, values, current = "busy_load", twins.LOADS, spec.busy_load
        axis = "other true features in the busy group"
    fits, verdicts = checked(spec, share)
    with pictures, st.skeleton(height=pattern_charts.TWINS_HEIGHT):
        curve = swept(twins.without(spec, name), share, name, values)
    answer.markdown(twins.answer(fits, verdicts))
    title = twins.chart_title(fits)

    def figure(mode):
        return pattern_charts.twin_shares(
            values, twins.quiet_shares(curve), current=current, axis=axis, title=title, mode=mode
        )

    with pictures:
        ui.chart(
            figure(ui.mode()),
            key="np_twins",
            alt=f"Share of the quiet twin against {axis}, four norms. {title}.",
        )
    with control:
        ui.certificate(max(fit.gap for fit in fits.values()), what="fits")
        st.markdown("**The paper's four claims, checked on this draw**")
        st.markdown(twins.claims_table(verdicts))
        if view.toggle(
            "draws",
            f"Check over {twins.DRAWS} draws",
            help=f"Repeats the four checks for seeds 0 to {twins.DRAWS - 1}.",
        ):
            with st.skeleton(height=60):
                tally = over_draws(twins.without(spec, "seed"), share)
            st.markdown(twins.draws_finding(tally))
        st.caption(twins.READING)
        with st.expander("Why each norm does so"):
            st.markdown(WHY_TWINS)
    return ui.Export(
        name="correlated_twins",
        data=lambda: twins.table(values, curve, name),
        figure=lambda: figure("light"),
        code=snippets.twins(spec, share),
    )


def draw_balls(view: ui.View, answer) -> ui.Export:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        grouping = view.segments(
            "grouping",
            "Groups of the three weights",
            tuple(balls.GROUPINGS),
            help="ℓe and ℓ2,1 depend on the groups; ℓ1 and ℓ2 do not.",
        )
        shape = view.segments(
            "shape", "Drawn", (SPACE, PLANE), help="All three weights, or two at a time."
        )
        with st.popover("Presets"):
            view.draw_presets()
    answer.markdown(balls.answer(grouping))
    if shape == SPACE:
        draw_surfaces(grouping)
    else:
        draw_sections(grouping)
    st.caption(
        "A fit stops where the loss first touches the ball; on an edge or corner some weights are "
        "exactly 0. Drag a ball to turn it."
        if shape == SPACE
        else "Each picture is the cut through the balls where the third weight is 0; where norms "
        "coincide there, their lines lie on each other."
    )
    with st.expander("How the shapes follow from the norms"):
        st.markdown(WHY_BALLS)
    return ui.Export(
        name="unit_balls",
        data=lambda: balls.table(grouping),
        figure=lambda: surface_figure("le", grouping, "light", height=560),
        code=snippets.balls(grouping),
    )


def surface_figure(norm, grouping, mode, height=ball_charts.BALL_HEIGHT):
    mesh = balls.ball(norm, grouping, directions())
    return ball_charts.surface(
        mesh.points,
        mesh.triangles,
        norm=norm,
        title=balls.ball_title(norm, grouping),
        mode=mode,
        height=height,
    )


def draw_surfaces(grouping: str) -> None:
    for row in (("l2", "l1"), ("l21", "le")):
        for column, norm in zip(st.columns(2, gap="small"), row, strict=True):
            with column:
                ui.chart(
                    surface_figure(norm, grouping, ui.mode()),
                    key=f"np_ball_{norm}",
                    alt=f"Unit ball in space, groups {grouping}. "
                    f"{balls.ball_title(norm, grouping)}.",
                )


def draw_sections(grouping: str) -> None:
    for column, plane in zip(st.columns(3, gap="small"), balls.PLANES, strict=True):
        i, j = plane
        title = balls.section_title(grouping, plane)
        with column:
            ui.chart(
                ball_charts.outlines(
                    {norm: balls.section(norm, grouping, plane) for norm in balls.NORMS},
                    axes=(f"w{i + 1}", f"w{j + 1}"),
                    title=title,
                    mode=ui.mode(),
                ),
                key=f"np_section_{i + 1}{j + 1}",
                alt=f"Unit balls of four norms on the plane of w{i + 1} and w{j + 1}. {title}.",
            )


with ui.page(key="norm_patterns"):
    view = ui.View("norm_patterns", DEFAULTS, PRESETS)
    answer = st.empty()
    sections = {
        FIGURE: draw_figure_one,
        PATHS: draw_paths,
        TWINS: draw_twins,
        BALLS: draw_balls,
    }
    export = None
    for tab, draw in zip(view.tabs("tab", TABS), sections.values(), strict=True):
        if tab.open:
            with tab:
                export = draw(view, answer)
    if export is not None:
        ui.export_row(view, export)
