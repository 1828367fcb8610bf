"""Every checkable claim of the paper as a square and a line; a click opens it."""

import streamlit as st

from lab import ui
from lab.paper import charts, claims, code, report, sentences, tiles
from lab.paper.judges.looks import RULE
from lab.paper.judges.verdicts import SIGNS
from lab.paper.measured import Results
from lab.paper.view.claim import draw_claim
from lab.paper.view.common import base_address, plain, titled_chart

NONE = "none"

HOW_IT_IS_JUDGED = f"""
A claim **holds** if the measurement agrees as it stands; it **holds with a condition** if a
misprint must be mended, a setting chosen or an implementation fixed first, which is then named; it
**does not hold here** if the measurement, on this software and the paper's settings, says
otherwise; it is **within chance** where a difference is claimed and none is beyond chance. Claims
about priority or about data that could not be had are **not checkable**.

{RULE}

Every number comes from a result file that a command of `benchmarks` wrote and that is part of the
source; nothing is typed in. The rivals are our own implementations, tuned as well as their authors
would, since the paper's are not public: a claim that does not hold here may have met a better
rival.
"""


def draw_claims(view: ui.View, rows: list[claims.Row], results: Results) -> ui.Export:
    """The whole list, or the one claim that is open, which is a small page of its own."""
    titles = {row.claim.key: row.claim.title for row in rows}
    if view["claim"] != NONE:
        return _draw_opened(view, rows, titles, results)
    figure_column, control_column = ui.figure_and_controls()
    with figure_column:
        figure_place = st.container(key="squares")
        verdict = view.segments(
            "verdict",
            "List the claims whose verdict is",
            (tiles.EVERY, *claims.VERDICTS),
            help="The list below and the squares that stand out.",
        )
    with control_column:
        _select(view, titles)
        topic = view.select(
            "topic",
            "Topic",
            (tiles.EVERY, *claims.TOPICS),
            help="Which part of the paper the claims come from.",
        )
        st.caption(
            "A square is a claim; click it to see the words, the evidence and the link. On a touch "
            "screen the first tap says which it is, the second opens it."
        )
    chosen = tiles.chosen(rows, topic, verdict)
    title = tiles.tiles_title(rows)

    def figure(mode: str, title: str):
        return charts.verdict_tiles(
            tiles.tiles(rows, chosen), claims.TOPICS, claims.VERDICTS, title=title, mode=mode
        )

    with figure_place:
        _clickable(view, title, figure)
    _draw_list(view, chosen, len(rows))
    _draw_rest(rows, results)
    return ui.Export(
        name="claims",
        data=lambda: claims.table(chosen),
        figure=lambda: figure("light", title),
        code=code.claims(topic, verdict),
    )


def _select(view: ui.View, titles: dict[str, str]) -> str:
    return view.select(
        "claim",
        "Open a claim",
        (NONE, *titles),
        format_func=lambda key: titles.get(key, "none: the whole list"),
        help="Or click its square, or its line in the list.",
    )


def _draw_opened(
    view: ui.View, rows: list[claims.Row], titles: dict[str, str], results: Results
) -> ui.Export:
    """The claim that is open; to the list, to the claim before and to the one after."""
    keys = list(titles)
    with st.container(key="claim_steps"):
        names, buttons = st.columns([2, 1], vertical_alignment="bottom")
    with names:
        at = keys.index(_select(view, titles))
    steps = {"All claims": NONE, "Previous": keys[at - 1], "Next": keys[(at + 1) % len(keys)]}
    with buttons.container(horizontal=True):
        for label, key in steps.items():
            st.button(label, key=f"paper_step_{label}", on_click=view.set, args=({"claim": key},))
    # A line far down the list may have opened it.
    ui.bring_into_view("claim_steps", keys[at])
    return draw_claim(view, rows[at], results)


def _clickable(view: ui.View, title: str, figure) -> None:
    key = "verdicts"

    def open_clicked() -> None:
        points = st.session_state[key]["selection"]["points"]
        if points:
            view.set({"claim": points[-1]["customdata"][0]})

    titled_chart(
        title,
        figure,
        key=key,
        alt="A square per claim, a row per topic, by verdict.",
        on_select=open_clicked,
        selection_mode="points",
    )


# As many lines as are still easy to look through; more are folded by topic.
_FLAT = 24


def _draw_list(view: ui.View, chosen: list[claims.Row], every: int) -> None:
    """One line a claim, in two columns where there is room; many are folded by topic."""
    st.caption(f"{len(chosen)} of {every} claims")
    if not chosen:
        st.markdown("No claim has that topic and that verdict.")
        return
    if len(chosen) <= _FLAT:
        for column, part in _in_two(chosen):
            with column.container(gap=None):
                _draw_lines(view, part)
        return
    topics = [topic for topic in claims.TOPICS if any(r.claim.topic == topic for r in chosen)]
    for column, part in _in_two(topics):
        for topic in part:
            own = [row for row in chosen if row.claim.topic == topic]
            with column.expander(f"{topic}: {_counted(own)}"), st.container(gap=None):
                _draw_lines(view, own)


def _in_two(parts: list) -> list[tuple]:
    """Two columns, and the half that goes into each."""
    half = -(-len(parts) // 2)
    return list(zip(st.columns(2, gap="medium"), (parts[:half], parts[half:]), strict=True))


def _counted(rows: list[claims.Row]) -> str:
    """How many claims of a topic have each verdict, by its sign."""
    return plain(", ".join(f"{n} {SIGNS[v]}" for v, n in claims.counts(rows).items() if n))


def _draw_lines(view: ui.View, rows: list[claims.Row]) -> None:
    for row in rows:
        st.button(
            f"{SIGNS[row.verdict]} {row.claim.title}",
            key=f"paper_open_{row.claim.key}",
            type="tertiary",
            help=f"{row.verdict}; {row.claim.where}",
            on_click=view.set,
            args=({"claim": row.claim.key},),
        )


def _draw_rest(rows: list[claims.Row], results: Results) -> None:
    with st.expander("How claims are judged"):
        st.markdown(HOW_IT_IS_JUDGED)
    with st.expander("Every sentence of the paper, and what became of it"):
        st.markdown(sentences.answer())
        st.dataframe(sentences.table(sentences.units()), hide_index=True, height=360)
    base = base_address()  # what makes the file runs later, apart from the visitor
    st.download_button(
        "Printable report (HTML)",
        lambda: report.page(rows, results, base).encode(),
        file_name="paper_vs_measured.html",
        mime="text/html",
        on_click="ignore",
        key="paper_report",
        help="Claims, figures, tables and errata in one file, made from the results now.",
    )
