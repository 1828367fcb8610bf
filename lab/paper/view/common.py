"""What the tabs share: results read once, links that run something again, text made inert."""

from collections.abc import Callable, Iterable
from urllib.parse import urlencode

import streamlit as st

from lab import ui
from lab.drawing import Figure
from lab.paper import charts, claims, measured
from lab.paper.judges.verdicts import Judgement
from lab.paper.links import Link
from lab.ui.address import texts_of
from lab.ui.export import draw_citation as draw_citation
from lab.words import unbroken


def plain(text: str) -> str:
    """Text whose signs Markdown would read as markup, made inert; backticks may stay code."""
    for sign in "\\*_[]$~|<>#":
        text = text.replace(sign, f"\\{sign}")
    return text


def titled_chart(
    title: str, draw: Callable[[str, str], Figure], *, key: str, alt: str, **options
) -> None:
    """A figure under its finding, which as a heading has the page's width to itself.

    `draw` takes a theme and the title that is to be in the figure: plotly breaks no lines, so one
    that fits a phone would be broken early everywhere else.
    """
    st.subheader(unbroken(plain(title)), anchor=False)
    ui.chart(draw(ui.mode(), ""), key=key, alt=f"{alt} {title}.", **options)


@st.cache_data(show_spinner=False, max_entries=4)
def cached_results(signature: tuple) -> measured.Results:
    return measured.read()


@st.cache_data(show_spinner=False, max_entries=4)
def cached_rows(signature: tuple) -> list[tuple[str, Judgement]]:
    """(claim's key, judgement): claims themselves hold functions."""
    return [(row.claim.key, row.judgement) for row in claims.judged(cached_results(signature))]


def link_to(link: Link | None) -> bool:
    """A link to the page and the settings that show something again; whether there is one."""
    if link is None:
        return False
    for page in ui.existing_pages():
        if page.key == link.page:
            query = {f"{page.prefix}{name}": texts_of(v) for name, v in link.controls.items()}
            st.page_link(page.file, label=f"{link.label}: {page.label}", query_params=query)
            if link.note:
                st.caption(link.note)
            return True
    return False


def address_of(view: ui.View, names: Iterable[str]) -> str:
    """The address that opens a view in this installation: the named controls and no others."""
    values = {view.key(name): texts_of(view[name]) for name in names}
    return f"{base_address()}?{urlencode(values, doseq=True)}"


def base_address() -> str:
    """The page's own address, without what is chosen there."""
    return str(st.context.url or "").split("?")[0]


def not_there(name: str) -> ui.Export:
    command = measured.COMMANDS[name]
    st.markdown("Not yet measured. This command does it:")
    st.code(command, language="bash")
    return _nothing(f"Not yet measured; {command} does it.")


def refused(why: str) -> ui.Export:
    ui.problem(why)
    return _nothing(why)


def _nothing(why: str) -> ui.Export:
    """Where nothing is on show there is nothing but the reason to take home."""
    table = {"nothing to show": [why]}
    return ui.Export(
        name="nothing",
        data=lambda: table,
        figure=lambda: charts.text_table(table, title="Nothing to show", mode="light"),
        code=f"print({why!r})\n",
    )
