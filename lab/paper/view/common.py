"""What the tabs share: results read once, links that run something again, text made inert."""

from collections.abc import Iterable
from urllib.parse import urlencode

import streamlit as st

from lab import ui
from lab.paper import charts, claims, measured
from lab.paper.judges.verdicts import Judgement
from lab.paper.links import Link


def plain(text: str) -> str:
    """Text whose signs Markdown would read as markup, made inert; backticks may stay code."""
    for sign in "\\*_[]$~|<>#":
        text = text.replace(sign, f"\\{sign}")
    return text


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
            query = {f"{page.prefix}{name}": as_text(v) for name, v in link.controls.items()}
            st.page_link(page.file, label=f"{link.label}: {page.label}", query_params=query)
            if link.note:
                st.caption(link.note)
            return True
    return False


def as_text(value) -> str | list[str]:
    """A control's value as an address carries it."""
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def address_of(view: ui.View, names: Iterable[str]) -> str:
    """The address that opens a view in this installation: the named controls and no others."""
    values = {view.key(name): as_text(view[name]) for name in names}
    base = str(st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(values)}"


def draw_citation(address: str, entry: str) -> None:
    with st.expander("Address and citation of this result"):
        st.code(address, language=None, wrap_lines=True)
        st.code(entry, language="bibtex", wrap_lines=True)


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
