"""One entry per visited page and tab in the browser's history; a page that is left stays left."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

# Streamlit adds an entry whenever the script changes the query. So the browser is taught three
# rules: a page that the visitor is leaving adds nothing; a new query replaces the address of its
# entry unless it names another tab; and the timers by which Streamlit runs parts of a page again
# are silent once the page is being left, since their run would take the place of the next page.
_ONE_ENTRY_PER_TAB = """<script>
if (!window.oneEntryPerTab) {
    window.oneEntryPerTab = true;
    const push = history.pushState.bind(history), every = window.setInterval;
    const pageOf = path => path.split('/').pop();  // as links have it; that of home is empty
    const tabOf = address => [...new URL(address, location).searchParams]
        .filter(([name]) => name.endsWith('_tab')).map(([name, value]) => value)[0];
    let goal = pageOf(location.pathname), here = tabOf(location);
    document.addEventListener('click', event => {
        const link = event.target.closest('[data-testid="stPageLink-NavLink"]');
        if (!link) return;
        const page = link.getAttribute('href').split('?')[0];
        if (page === goal) {  // there or on the way; a page's own link is behind its controls
            event.preventDefault();
            event.stopPropagation();
        }
        goal = page;
    }, true);
    window.addEventListener('popstate', () => {
        goal = pageOf(location.pathname);
        here = tabOf(location);
    }, true);
    history.pushState = (state, unused, address) => {
        const page = pageOf(new URL(address, location).pathname), from = pageOf(location.pathname);
        if (page !== goal && from !== goal) return;  // on the way to another
        goal = page;  // which the script may have chosen, by st.switch_page
        const samePage = page === from, asked = tabOf(address);
        if (samePage && asked === here) history.replaceState(state, unused, address);
        else push(state, unused, address);
        here = asked;
    };
    window.setInterval = (act, ...rest) => {
        if (!/sendUpdateWidgetsMessage/.test(act)) return every(act, ...rest);
        const page = goal;
        return every(() => { if (page === goal) act(); }, ...rest);
    };
}
</script>"""


def is_followed() -> bool:
    """Whether the browser's Back or Forward asked for this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def keep_one_entry_per_tab() -> None:
    """Draw nothing; teach the visitor's browser, once per load of the app."""
    st.html(_ONE_ENTRY_PER_TAB, unsafe_allow_javascript=True)
