"""The frame of every page: navigation, title, notation, citation, and how figures are shown."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Plotly uses pandas if another visitor's thread has begun to load it, finished or not. Loading it
# here, before any page draws, keeps the first visitors from seeing half a library.
import pandas  # noqa: F401
import streamlit as st

from lab.drawing import Figure, drawn_once, enlarged, has_own_styles
from lab.ui import history, lecture, memory, scripts
from solvers import __version__

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = "Exclusive sparsity"
# Wide enough for figures on a screen of 1920 pixels; lines of prose stay short enough to be read.
CONTENT_WIDTH = 1440
_SHORT_LINES = "<style>[data-testid=stMain] :is(p, li) { max-width: 66rem; }</style>"


@dataclass(frozen=True)
class Page:
    """A page: its file, where the navigation shows it, and the question that is its title.

    `prefix` opens the names of its controls, in the session and in the address.
    """

    key: str
    file: str
    prefix: str
    section: str
    label: str
    question: str


HOME = Page("home", "app.py", "", "", "Home", "Can a model be sparse and still hear every group?")

SECTIONS = ("Understand", "Compare", "Use")

PAGES = (
    Page(
        "norm_patterns",
        "pages/1_Norm_patterns.py",
        "np_",
        "Understand",
        "Norm patterns",
        "Which weights does each norm keep?",
    ),
    Page(
        "random_grouping",
        "pages/2_Random_grouping.py",
        "rg_",
        "Understand",
        "Random grouping",
        "How many random groups share the true features evenly?",
    ),
    Page(
        "cone_projections",
        "pages/6_Cone_projections.py",
        "cp_",
        "Understand",
        "Cone projections",
        "What does one step of these solvers do?",
    ),
    Page(
        "solver_race",
        "pages/3_Solver_race.py",
        "race_",
        "Compare",
        "Solver race",
        "Which solver gets there first?",
    ),
    Page(
        "esvm_accuracy",
        "pages/4_ESVM_accuracy.py",
        "acc_",
        "Compare",
        "E-SVM accuracy",
        "When does exclusive sparsity classify better?",
    ),
    Page(
        "paper_vs_measured",
        "pages/7_Paper_vs_measured.py",
        "paper_",
        "Compare",
        "Paper vs measured",
        "Do the paper's claims hold up?",
    ),
    Page(
        "classify_csv",
        "pages/5_Classify_CSV.py",
        "csv_",
        "Use",
        "Classify a CSV",
        "Which features of your own table decide?",
    ),
)

# The start-here tour, after home. Its last stop leads to the pages that are none, one after the
# other, and the last of these back to one's own table.
TOUR = ("norm_patterns", "random_grouping", "cone_projections", "solver_race", "classify_csv")

NOTATION = r"""
| symbol | meaning |
| :-- | :-- |
| $n$ | number of features (columns of $X$) |
| $N$ | number of samples (rows of $X$) |
| $m$ | number of groups $g$ |
| $s$ | number of true features, those the true model uses |
| $\lVert w\rVert_e$ | the exclusive norm, $\sqrt{\sum_g \lVert w_g\rVert_1^2}$ |
| $\lambda$ | its weight in E-LASSO and exclusive logistic regression: $\frac{\lambda}{2}\lVert w\rVert_e^2$ |
| $\alpha,\ \beta$ | weights in E-SVM: $\frac{\alpha}{2}\lVert w\rVert_2^2+\frac{\beta}{2}\lVert w\rVert_e^2$ |

**The paper's $\lambda$ against ours.** The paper's experiments write $\lambda\lVert w\rVert_e^2$;
we write $\frac{\lambda}{2}\lVert w\rVert_e^2$ everywhere, so a paper preset passes twice the
paper's $\lambda$.
"""  # noqa: E501

CITATION = """\
@article{huang2015exclusive,
  title   = {Exclusive Sparsity Norm Minimization with Random Groups via Cone Projection},
  author  = {Huang, Yijun and Liu, Ji},
  journal = {arXiv preprint arXiv:1510.07925},
  year    = {2015}
}"""

SOFTWARE_CITATION = f"""\
@software{{exclusive_sparsity,
  title   = {{Exclusive sparsity: solvers with certificates}},
  author  = {{{{The exclusive sparsity authors}}}},
  version = {{{__version__}}},
  year    = {{2026}}
}}"""


def existing_pages() -> list[Page]:
    """The pages whose file exists, in the order of the navigation."""
    return [page for page in PAGES if (ROOT / page.file).is_file()]


def page(*, key: str, title: str | None = None):
    """Open a page: its configuration, navigation, title and footer.

    Returns the container of the page's content, to be used as `with ui.page(key="home"):`. The
    title is the page's question in `PAGES` unless another is given. The footer is drawn first, in
    a container below, so that it stands even if the content stops early.
    """
    current = page_of(key)
    st.session_state["_entered"] = st.session_state.get("_page") != key
    st.session_state["_page"] = key
    in_lecture = lecture.is_on()
    st.set_page_config(
        page_title=PRODUCT if current is HOME else f"{current.label} · {PRODUCT}",
        layout="wide",
        initial_sidebar_state="collapsed" if in_lecture else "auto",
    )
    _draw_navigation()
    st.html(_SHORT_LINES)
    with st.container(horizontal_alignment="center"):
        column = st.container(width="stretch" if in_lecture else CONTENT_WIDTH)
    body, footer = column.container(), column.container()
    with footer:
        _draw_next(key)
        if current is HOME:
            _draw_doors()
        _draw_footer()
    body.title(title or current.question, anchor=False)
    _freeze_imports(key)
    return body


def figure_and_controls() -> list:
    """A wide column for a figure and a narrow one for what it depends on.

    In lecture mode the figure has the whole width, and what it depends on stands below.

    Plotly draws a figure twice whose column is a fraction of a pixel wide. By seven to three the
    wide one, and halves of it, are whole in windows of the usual widths.
    """
    if lecture.is_on():
        return [st.container(), st.container()]
    return st.columns([7, 3], gap="medium")


def entered() -> bool:
    """Whether this run shows the page anew: the session's first run, or its first after another."""
    return st.session_state.get("_entered", True)


def mode() -> str:
    """The reader's theme, "light" or "dark"; light where the browser has not said."""
    return "dark" if st.context.theme.type == "dark" else "light"


def chart(figure: Figure, *, key: str, alt: str, file_name: str | None = None, **options) -> None:
    """Draw a figure with its description for screen readers.

    A downloaded image is named by the key, or by `file_name` where keys change; `options`
    go to `st.plotly_chart`: a width, or what makes it answer clicks.
    """
    if lecture.is_on():
        figure = enlarged(figure, lecture.ENLARGED)
    complete = has_own_styles(figure)
    st.plotly_chart(
        drawn_once(figure) if complete else figure,
        theme=None if complete else "streamlit",
        key=key,
        alt=alt,
        config={
            "displaylogo": False,
            "modeBarButtons": [["toImage"]],
            "toImageButtonOptions": {"filename": file_name or key, "scale": 2},
        },
        **options,
    )


def kept(found):
    """What is found or drawn is never changed, so visitors share it without copies."""
    return st.cache_resource(show_spinner=False, max_entries=256)(found)


# By their own key, so that the browser runs it anew for each.
_INTO_VIEW = """<script data-of="{of}">
requestAnimationFrame(() => document.querySelector('.st-key-{key}')?.scrollIntoView(
    {{block: 'nearest'}}));
</script>"""


def bring_into_view(key: str, of: str) -> None:
    """Scroll to the container of that key if it is out of sight, once for each `of`.

    What a visitor opens may be far above the button that opened it.
    """
    st.html(_INTO_VIEW.format(key=key, of=of), unsafe_allow_javascript=True)


def certificate(gap: float, *, tolerance: float = 1e-6, what: str = "") -> None:
    """A badge that says how far the number beside it can be from the optimum."""
    size = "below 1e-15" if gap < 1e-15 else f"{gap:.0e}"
    of = f" {what}" if what else ""
    if gap <= tolerance:
        st.badge(f"certified{of}: relative gap {size}", color="green")
    else:
        st.badge(f"not converged{of}: relative gap {size}", color="orange")


def problem(message: str) -> None:
    """What is wrong, where and how to mend it; the page's controls stay usable."""
    st.error(message)


def _draw_doors() -> None:
    """Links to every page there is, each with the question it answers."""
    pages = existing_pages()
    sections = [name for name in SECTIONS if any(page.section == name for page in pages)]
    if not sections:
        return
    for column, section in zip(st.columns(len(sections)), sections, strict=True):
        with column:
            st.subheader(section, anchor=False)
            for page in pages:
                if page.section == section:
                    _door(page, page.question)


def following(key: str) -> Page:
    """The page to which the foot of a page leads, of those there are; home if there is no other."""
    there = {page.key: page for page in existing_pages()}
    others = [page.key for page in PAGES if page.key not in TOUR]
    order = ["home", *TOUR, *others, TOUR[-1]]
    later = order[order.index(key) + 1 :]
    return next((there[other] for other in later if other in there and other != key), HOME)


def _door(page: Page, words: str) -> None:
    """A link that looks like a door: a frame around the page's name and what is behind it."""
    with st.container(border=True, gap="xsmall"):
        _link(page, f"**{page.label}**", icon=":material/arrow_forward:")
        st.caption(words)


def _draw_next(key: str) -> None:
    to = following(key)
    if not existing_pages() or to.key == key:
        return  # Streamlit knows no other page
    words = to.question
    if to.key in TOUR and key in ("home", *TOUR):
        words = f"{to.question} Stop {TOUR.index(to.key) + 1} of {len(TOUR)} of the tour."
    st.subheader("Start here: the tour" if key == "home" else "Next", anchor=False)
    if key == "home":
        stops = " → ".join(page_of(stop).label for stop in TOUR)
        st.markdown(f"{len(TOUR)} stops: {stops}.")
    _door(to, words)


def page_of(key: str) -> Page:
    for candidate in (HOME, *PAGES):
        if candidate.key == key:
            return candidate
    known = ", ".join(candidate.key for candidate in (HOME, *PAGES))
    raise ValueError(f"there is no page {key!r}; the keys are {known}.")


def _draw_navigation() -> None:
    pages = existing_pages()
    if not pages:
        return  # Streamlit knows no page by its file, home included, before there is a second one.
    with st.sidebar:
        _link(HOME)
        for section in SECTIONS:
            members = [page for page in pages if page.section == section]
            if members:
                st.caption(section)
            for page in members:
                _link(page)
        st.divider()
        lecture.draw_switch()


def _link(page: Page, label: str | None = None, *, icon: str | None = None) -> None:
    """A link to a page as it was left, so that it is one step in the browser's history."""
    query = {**memory.as_query(page.prefix), **lecture.as_query()}
    st.page_link(page.file, label=label or page.label, icon=icon, query_params=query)


def _draw_footer() -> None:
    st.divider()
    with st.expander("Notation"):
        st.markdown(NOTATION)
    with st.expander("Cite"):
        st.code(f"{CITATION}\n\n{SOFTWARE_CITATION}", language="bibtex")
    st.caption(
        "After Yijun Huang and Ji Liu, *Exclusive Sparsity Norm Minimization with Random Groups "
        f"via Cone Projection*. {PRODUCT} {__version__}, Streamlit {st.__version__}, "
        f"NumPy {np.__version__}."
    )
    history.keep_one_entry_per_tab()
    lecture.apply()
    scripts.draw_watch()


@st.cache_resource(show_spinner=False)
def _freeze_imports(key: str) -> bool:
    """Keep what a page imported out of garbage collection, once per page.

    Streamlit runs a full collection after every script run; walking the imported libraries each
    time costs more than most pages do.
    """
    gc.collect()
    gc.freeze()
    return True
