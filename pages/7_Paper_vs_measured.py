"""Paper vs measured: every checkable claim beside a measurement, the errata, the figures."""

import streamlit as st

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab import claims, errata, measured, paper_views, ui
    from lab.charts import paper as charts
    from lab.paper_numbers import TABLE_1
    from lab.snippets import paper as snippets

CLAIMS, RACES, ACCURACY, THEOREM, TABLE, ERRATA = (
    "Claims",
    "Fig. 2(a)–(c)",
    "Fig. 2(d)",
    "Theorem 3",
    "Table 1",
    "Errata",
)
EVERY = paper_views.EVERY

DEFAULTS = {
    "tab": CLAIMS,
    "topic": EVERY,
    "verdict": EVERY,
    "panel": "2(a) E-LASSO, disjoint",
    "measure": "true error",
    "against": "seconds",
    "seed": 0,
    "noise": "independent",
    "n": "5040",
    "m": "8",
    "t": "0.5",
    "protocol": "inverted",
    "preprocessing": "standardise",
    "ties": "weakest",
    "erratum": errata.ERRATA[0].title,
}

PRESETS = {
    "What fails": {"verdict": claims.FAILS},
    "Fig. 2(c) by the paper's measure": {
        "tab": RACES,
        "panel": "2(c) overlapped, α = 1, β = 10",
        "measure": "change of w",
    },
    "Shared noise": {"tab": ACCURACY, "noise": "shared"},
    "Ordinary folds": {"tab": TABLE, "protocol": "ordinary"},
    "LICP's rate": {"tab": ERRATA, "erratum": errata.BY_KEY["licp_rate"].title},
}

BADGES = {
    claims.HOLDS: "green",
    claims.CONDITION: "blue",
    claims.FAILS: "orange",
    claims.UNCHECKABLE: "gray",
    claims.PENDING: "gray",
}

HOW_IT_IS_JUDGED = """
A claim **holds** if the measurement agrees as it stands; it **holds with a condition** if a
misprint must be mended, a setting chosen or an implementation fixed first, which is then named; it
**does not hold here** if the measurement, on this software and the paper's settings, says
otherwise. Claims about priority or about data that could not be had are **not checkable**.

Every number comes from a result file that a command of `benchmarks` wrote and that is part of the
source; nothing is typed in. The rivals are our own implementations, tuned as well as their authors
would, since the paper's are not public: “does not hold here” may mean that a rival has become
better.
"""

HOW_A_RACE_IS_RUN = """
All lanes run in one process with one BLAS thread and take turns in solver time, always the one that
is behind; the clock stands still while a lane is measured. The *relative distance to the optimal
value* uses a bound that a second-order solver certified, and is what the paper's objective curves
show. The *certified gap* is what a user of that method alone can know. The *relative change of w in
one step*, ‖w⁺ − w‖/‖w‖, is what the paper's Fig. 2(c) shows: it is small whenever steps are.

Kong's method runs in three forms: in N × N systems without smoothing, the same with the authors'
smoothing, and in the authors' n × n systems.
"""


def plain(text: str) -> str:
    """Text whose signs Markdown would read as markup, made inert; backticks may stay code."""
    for sign in "\\*_[]$~|<>#":
        text = text.replace(sign, f"\\{sign}")
    return text


@st.cache_data(show_spinner=False, max_entries=4)
def cached_results(signature: tuple) -> measured.Results:
    return measured.read()


@st.cache_data(show_spinner=False, max_entries=4)
def cached_rows(signature: tuple) -> list[tuple[str, str, str, str]]:
    """(claim's key, verdict, measured, why): claims themselves hold functions."""
    return [
        (row.claim.key, row.verdict, row.measured, row.why)
        for row in claims.judged(cached_results(signature))
    ]


@st.cache_data(show_spinner=False, max_entries=64)
def cached_demonstration(key: str) -> errata.Demonstration:
    return errata.BY_KEY[key].demonstrate()


def link_to(key: str, controls) -> None:
    """A link to the page and the settings that run something again, if that page is there."""
    for page in ui.existing_pages():
        if page.key == key:
            query = {f"{page.prefix}{name}": as_text(value) for name, value in controls.items()}
            st.page_link(page.file, label=f"Run it again: {page.label}", query_params=query)


def as_text(value) -> str | list[str]:
    """A control's value as an address carries it."""
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def not_there(name: str) -> None:
    st.markdown(
        f"Not yet measured: there is no `benchmarks/results/{name}.json`. This command makes it:"
    )
    st.code(measured.COMMANDS[name], language="bash")


def draw_claim(row: claims.Row) -> None:
    claim = row.claim
    with st.container(border=True):
        said, found = st.columns([1, 1.3], gap="medium")
        with said:
            st.markdown(f"“{plain(claim.quote)}”")
            st.caption(f"{plain(claim.where)}. The paper's figure: {plain(claim.paper)}")
        with found:
            st.badge(row.verdict, color=BADGES[row.verdict])
            if row.measured:
                st.markdown(plain(row.measured[0].upper() + row.measured[1:]))
            if row.why:
                st.caption(plain(row.why))
            link_to(claim.page, claim.controls)


def draw_claims(view: ui.View, rows: list[claims.Row]) -> ui.Export:
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        figure_place = st.container()
        verdict = view.segments(
            "verdict",
            "Show the claims whose verdict is",
            (EVERY, *claims.VERDICTS),
            help="The list below and the squares that stand out.",
        )
    with control_column:
        topic = view.select(
            "topic",
            "Topic",
            (EVERY, *claims.TOPICS),
            help="Which part of the paper the claims come from.",
        )
        st.caption(
            "A square is a claim. The list below gives the paper's words, what was measured, and "
            "a link that runs it again."
        )
    chosen = paper_views.chosen(rows, topic, verdict)
    title = paper_views.tiles_title(rows)

    def figure(mode: str):
        return charts.verdict_tiles(
            paper_views.tiles(rows, chosen),
            claims.TOPICS,
            claims.VERDICTS,
            title=title,
            mode=mode,
        )

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="verdicts",
            alt=f"A square per claim, a row per topic, coloured by verdict. {title}.",
        )
    with st.expander("How claims are judged"):
        st.markdown(HOW_IT_IS_JUDGED)
    st.caption(f"{len(chosen)} of {len(rows)} claims")
    for row in chosen:
        draw_claim(row)
    if not chosen:
        st.markdown("No claim has that topic and that verdict.")
    return ui.Export(
        name="claims",
        data=lambda: claims.table(chosen),
        figure=lambda: figure("light"),
        code=snippets.claims(topic, verdict),
    )


def draw_races(view: ui.View, results: measured.Results) -> ui.Export | None:
    panels = measured.panels(results.figure2)
    if not panels:
        not_there("figure2")
        return None
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        figure_place = st.container()
        accuracy = view.segments(
            "measure",
            "Accuracy",
            tuple(paper_views.MEASURES),
            help="What is drawn upwards; the last is the measure of the paper's Fig. 2(c).",
        )
    with control_column:
        name = view.select(
            "panel",
            "Race",
            tuple(paper_views.PANELS),
            help="Which of the paper's races; α and β are not given there, so there are two pairs.",
        )
        against = view.segments(
            "against",
            "Against",
            tuple(paper_views.AGAINST),
            help="Solver time, or the number of iterations.",
        )
        seed = view.number(
            "seed", "Seed", 0, 99, step=1, help="Which instance's curves; the table has medians."
        )
    key, measure = paper_views.PANELS[name], paper_views.MEASURES[accuracy]
    panel = panels.get(key)
    if panel is None:
        not_there("figure2")
        return None
    run = next((run for run in panel["runs"] if run["seed"] == seed), None)
    if run is None:
        there = ", ".join(str(each["seed"]) for each in panel["runs"])
        ui.problem(f"Seed {seed} was not run for this race; choose one of: {there}.")
        return None
    lines = paper_views.race_lines(panel, run, measure, against)
    if not lines:
        ui.problem("The change of w was recorded for Fig. 2(c) only; choose another accuracy.")
        return None
    title = paper_views.race_title(panel)

    def figure(mode: str):
        return charts.race_lines(
            lines,
            title=title,
            x_title=paper_views.AGAINST[against],
            y_title=measured.MEASURES[measure],
            log_y=measure != "objective",
            mode=mode,
        )

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="race_of_the_paper",
            alt=f"{measured.MEASURES[measure]} against {against}, a line per method. {title}.",
        )
    st.caption(paper_views.race_note(panel, run))
    st.dataframe(paper_views.race_table(panel), hide_index=True)
    with st.expander("How a race is run"):
        st.markdown(HOW_A_RACE_IS_RUN)
    link_to("solver_race", claims.BY_KEY[f"fig_{key[:2]}"].controls)
    return ui.Export(
        name=f"figure_{key}",
        data=lambda: paper_views.long_form(lines),
        figure=lambda: figure("light"),
        code=snippets.race(key, seed, run["seconds"]),
    )


def draw_accuracy(view: ui.View, results: measured.Results) -> ui.Export | None:
    found = results.figure2d
    if found is None:
        not_there("figure2d")
        return None
    figure_place = st.container()
    noise = view.segments(
        "noise",
        "Noise",
        ("independent", "shared"),
        help="The paper prints one noise matrix for both classes; independent noise is ours.",
    )
    if not measured.trials(found, noise):
        not_there("figure2d")
        return None
    points = paper_views.accuracy_points(found, noise)
    title = paper_views.accuracy_title(found, noise)
    with figure_place:
        ui.chart(
            charts.accuracy_lines(points, title=title, mode=ui.mode()),
            key="accuracy_of_the_paper",
            alt=f"Test accuracy against m, a line per method. {title}.",
        )
    st.caption(plain(paper_views.accuracy_note(found, noise)))
    table = paper_views.accuracy_table(found, noise)
    st.dataframe(table, hide_index=True)
    link_to("esvm_accuracy", claims.BY_KEY["esvm_first"].controls)
    return ui.Export(
        name="figure_2d",
        data=lambda: table,
        figure=lambda: charts.accuracy_lines(points, title=title, mode="light"),
        code=snippets.accuracy(noise, int(points[0].x[0])),
    )


def draw_theorem(view: ui.View, results: measured.Results) -> ui.Export | None:
    found = results.theorem3
    if found is None:
        not_there("theorem3")
        return None
    choices = paper_views.theorem_choices(found)
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        figure_place = st.container()
        m = view.scale("m", "Groups m", choices["m"], help="Into how many random groups.")
    with control_column:
        n = view.select("n", "Features n", choices["n"], help="How many features in all.")
        t = view.segments(
            "t", "Tolerance t", choices["t"], help="Balanced: max/min at most (1+t)/(1−t)."
        )
    shown = paper_views.bound_view(found, int(n), int(m), float(t))
    if shown is None:
        ui.problem(f"m = {m} does not divide n = {n}, which the theorem asks for; choose another.")
        return None

    def figure(mode: str):
        return charts.bound_lines(shown.s, shown.exact, shown.bounds, title=shown.title, mode=mode)

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="theorem_3",
            alt=f"Probability of balance against s, with three lower bounds. {shown.title}.",
        )
    st.markdown("The paper's choice of m, and the most groups that the exact law allows:")
    st.dataframe(paper_views.rule_table(found), hide_index=True)
    link_to("random_grouping", {"m": m, "t": t})
    return ui.Export(
        name="theorem_3",
        data=lambda: {"s": shown.s, "exact": shown.exact, **shown.bounds},
        figure=lambda: figure("light"),
        code=snippets.theorem(int(n), int(m), float(t), [int(s) for s in shown.s]),
    )


def draw_table(view: ui.View, results: measured.Results) -> ui.Export | None:
    found = results.table1
    if found is None:
        not_there("table1")
        return None
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        figure_place = st.container()
        protocol = view.segments(
            "protocol",
            "Folds",
            tuple(measured.PROTOCOLS),
            help="Inverted: train on one fold, test on the rest, which the paper's numbers fit.",
        )
    with control_column:
        preprocessing = view.select(
            "preprocessing",
            "Features",
            ("standardise", "none", "unit length"),
            help="How features are scaled, by the training samples only.",
        )
        ties = view.segments(
            "ties",
            "Ties go to the",
            tuple(measured.RULES),
            help="Two rules for choosing strengths: "
            + "; or ".join(measured.RULES.values())
            + ". The table below compares them.",
        )
        st.caption("Filled: measured, with two standard errors. Hollow: the paper.")
    shown = paper_views.table_view(found, protocol, preprocessing, ties)
    if shown is None:
        not_there("table1")
        return None

    def figure(mode: str):
        return charts.table_dots(shown.names, shown.dots, title=shown.title, mode=mode)

    with figure_place:
        ui.chart(
            figure(ui.mode()),
            key="table_1",
            alt=f"Accuracy by data set, ours filled and the paper's hollow. {shown.title}.",
        )
    st.caption(f"{paper_views.table_note(found)} {paper_views.missing_rows()}")
    st.dataframe(shown.table, hide_index=True)
    rules = paper_views.rules_table(found, protocol, preprocessing)
    if rules["data"]:
        st.markdown("Both rules side by side; where they disagree no winner can be named:")
        st.dataframe(rules, hide_index=True)
        st.caption(paper_views.RULES_NOTE[protocol])
    with st.expander("How strengths are chosen, and why there are two rules"):
        st.markdown(plain(found["protocols"][ties]))
        st.markdown(plain(found["how_settled"]))
    first = next(row for row in TABLE_1 if row.title == shown.names[0])
    link_to("esvm_accuracy", claims.BY_KEY[f"table_{first.data}"].controls)
    return ui.Export(
        name="table_1",
        data=lambda: shown.table,
        figure=lambda: figure("light"),
        code=snippets.table(protocol, preprocessing, ties, first.data, first.folds),
    )


def draw_errata(view: ui.View) -> ui.Export:
    title = view.select(
        "erratum",
        "Erratum",
        [erratum.title for erratum in errata.ERRATA],
        help="A line of the paper that is misprinted, silent or too strong.",
    )
    erratum = next(each for each in errata.ERRATA if each.title == title)
    key = erratum.key
    shown = cached_demonstration(key)
    printed, right = st.columns(2, gap="medium")
    with printed:
        st.markdown(f"**Printed** ({erratum.where})")
        st.markdown(erratum.printed)
    with right:
        st.markdown("**Right**")
        st.markdown(erratum.right)
    st.markdown(plain(shown.finding))

    def figure(mode: str):
        curves = shown.curves
        return charts.erratum_lines(
            curves.x,
            curves.lines,
            x_title=curves.x_title,
            y_title=curves.y_title,
            title=erratum.title,
            mode=mode,
        )

    if shown.curves is not None:
        ui.chart(figure(ui.mode()), key="erratum", alt=f"{erratum.title}. {shown.finding}")
    st.dataframe(shown.table, hide_index=True)
    st.caption(f"Computed now, by this page. {len(errata.ERRATA)} errata in all.")
    link_to(erratum.page, erratum.controls)
    tiles_title = f"{erratum.where}: {erratum.title.lower()}"
    return ui.Export(
        name=f"erratum_{key}",
        data=lambda: shown.table,
        figure=lambda: (
            figure("light")
            if shown.curves is not None
            else charts.text_table(shown.table, title=tiles_title, mode="light")
        ),
        code=snippets.erratum(key),
    )


with ui.page(key="paper_vs_measured"):
    view = ui.View("paper_vs_measured", DEFAULTS, PRESETS)
    signature = measured.signature()
    results = cached_results(signature)
    rows = [claims.Row(claims.BY_KEY[key], *rest) for key, *rest in cached_rows(signature)]
    st.markdown(claims.answer(rows))
    drawings = {
        CLAIMS: lambda: draw_claims(view, rows),
        RACES: lambda: draw_races(view, results),
        ACCURACY: lambda: draw_accuracy(view, results),
        THEOREM: lambda: draw_theorem(view, results),
        TABLE: lambda: draw_table(view, results),
        ERRATA: lambda: draw_errata(view),
    }
    export = None
    for tab, draw in zip(view.tabs("tab", drawings), drawings.values(), strict=True):
        if tab.open:
            with tab:
                export = draw()
    view.draw_presets()
    ui.export_row(
        view,
        export
        or ui.Export(
            name="claims",
            data=lambda: claims.table(rows),
            figure=lambda: charts.verdict_tiles(
                paper_views.tiles(rows, rows),
                claims.TOPICS,
                claims.VERDICTS,
                title=paper_views.tiles_title(rows),
                mode="light",
            ),
            code=snippets.claims(EVERY, EVERY),
        ),
    )
