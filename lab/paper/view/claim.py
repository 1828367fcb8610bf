"""A claim is a small page: the paper's words in their context, the evidence, how strong it is."""

import streamlit as st

from lab import ui
from lab.paper import charts, cite, claims, code, errata, links, sentences
from lab.paper.claims import CONDITION, FAILS, HOLDS, PENDING, UNCHECKABLE, UNDECIDED, Row
from lab.paper.judges.verdicts import SIGNS
from lab.paper.measured import Results
from lab.paper.view.common import address_of, draw_citation, link_to, plain

# The hue of a verdict's square; the sign tells the pale ones from the full ones.
BADGES = {
    HOLDS: "blue",
    CONDITION: "blue",
    FAILS: "orange",
    UNDECIDED: "orange",
    UNCHECKABLE: "gray",
    PENDING: "gray",
}


def badge(verdict: str) -> None:
    st.badge(f"{SIGNS[verdict]} {verdict}", color=BADGES[verdict])


def draw_claim(view: ui.View, row: Row, results: Results) -> ui.Export:
    claim, found = row.claim, row.judgement
    with st.container(border=True, key="claim"):
        st.subheader(plain(claim.title), anchor=False)
        badge(row.verdict)
        said, measured = st.columns([1, 1.2], gap="medium")
        with said:
            _draw_quote(row)
        with measured:
            if found.measured:
                st.markdown(f"**Measured.** {plain(row.sentence)}")
            if found.why:
                st.markdown(plain(found.why))
            if found.evidence is not None and found.evidence.bars:
                ui.chart(
                    _figure(row, ui.mode(), ""),  # heading and badge say it already
                    key=f"evidence_{claim.key}",
                    alt=f"{claim.title}: {row.verdict}. {found.evidence.in_words}.",
                )
        _draw_footing(view, row, results)
    return ui.Export(
        name=f"claim_{claim.key}",
        data=lambda: _numbers(row),
        figure=lambda: _figure(row, "light", f"{claim.title}: {row.verdict}"),
        code=code.claim(claim.key),
    )


def _draw_quote(row: Row) -> None:
    """The paper's words, and what stands around them."""
    claim = row.claim
    st.markdown(f"“{plain(claim.quote)}”")
    st.caption(plain(claim.where))
    units = sentences.of_claim(claim.key)
    first = sentences.where_quoted(claim.key, claim.quote)
    if first is None:
        return
    before, after = sentences.around(first)
    st.markdown("**In its context**")
    st.markdown(f"> {plain(before)} **{plain(first.shown)}** {plain(after)}")
    elsewhere = list(dict.fromkeys(u.part for u in units if u.part != first.part))
    if elsewhere:
        st.caption(plain(f"Said or used again in: {', '.join(elsewhere)}."))
    for key in dict.fromkeys(key for unit in units for key in unit.errata):
        erratum = errata.BY_KEY[key]
        st.caption(plain(f"Erratum there: {erratum.title} ({erratum.where})."))


def _draw_footing(view: ui.View, row: Row, results: Results) -> None:
    """How strong the evidence is, what would change the verdict, and where to run it again."""
    claim, found = row.claim, row.judgement
    strong, changes = st.columns(2, gap="medium")
    with strong:
        st.markdown(f"**Strength of evidence.** {plain(found.strength)}")
    with changes:
        st.markdown(f"**What would change the verdict.** {plain(found.changes)}")
    linked = link_to(claim.linked(results))
    for key in claim.rests_on:
        link_to(links.opened(key, claims.BY_KEY[key].title))
    if claim.command:
        said = "Measured by" if linked else "No page shows it. This command measures it again:"
        st.caption(f"{said} `{claim.command}`{'.' if linked else ''}")
    address = address_of(view, ("claim",))
    draw_citation(address, cite.of_claim(row, results, address))


def _figure(row: Row, mode: str, title: str):
    evidence = row.judgement.evidence
    if evidence is None or not evidence.bars:
        table = {"verdict": [row.verdict], "why": [row.why]}
        return charts.text_table(table, title=row.claim.title, mode=mode)
    return charts.evidence_dots(evidence, title=title, mode=mode)


def _numbers(row: Row) -> dict[str, list]:
    evidence = row.judgement.evidence
    bars = evidence.bars if evidence else ()
    return {
        "what": [bar.label for bar in bars],
        (evidence.axis if evidence else "value"): [bar.value for bar in bars],
        "low": [bar.low for bar in bars],
        "high": [bar.high for bar in bars],
    }
