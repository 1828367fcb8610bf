"""One entry per visited page in the browser's history, with the values the page was left with."""

from __future__ import annotations

import streamlit as st

# Streamlit adds an entry whenever the script changes the query. On leaving a page it does so to
# remove the page's own values, under the page's own path: Back then needs two presses, of which
# the first finds the page without its values. A page that is left before it has been drawn adds
# one too. Nothing on the server can prevent that, so the browser is taught two rules: a page that
# the visitor is leaving adds nothing, and a new query alone replaces the address of its entry.
_ONE_ENTRY_PER_PAGE = """<script>
if (!window.oneEntryPerPage) {
    window.oneEntryPerPage = true;
    const push = history.pushState.bind(history);
    const pageOf = path => path.split('/').pop();  // as links have it; that of home is empty
    let goal = pageOf(location.pathname);
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
    window.addEventListener('popstate', () => { goal = pageOf(location.pathname); }, true);
    history.pushState = (state, unused, address) => {
        const page = pageOf(new URL(address, location).pathname);
        if (page !== goal) return;
        if (page === pageOf(location.pathname)) history.replaceState(state, unused, address);
        else push(state, unused, address);
    };
}
</script>"""


def keep_one_entry_per_page() -> None:
    """Draw nothing; teach the visitor's browser, once per load of the app."""
    st.html(_ONE_ENTRY_PER_PAGE, unsafe_allow_javascript=True)
