"""The controls beside the figures."""

import streamlit as st

from lab import ui
from lab.balance import settings


def draw_controls(view: ui.View) -> None:
    view.scale(
        "s",
        "True features s",
        settings.TRUE_STEPS,
        help="How many features the true model uses. The paper's eight values are among these.",
    )
    view.number(
        "n",
        "Features n",
        settings.FEWEST_FEATURES,
        settings.MOST_FEATURES,
        step=10,
        help="How many features there are in all, up to a million.",
    )
    view.scale(
        "t",
        "Tolerance t",
        settings.T_STEPS,
        help="A split is balanced if its fullest group holds at most (1+t)/(1−t) times the true "
        "features of its emptiest.",
    )
    with st.expander("More settings"):
        view.select(
            "target",
            "Wanted P(balanced)",
            settings.TARGET_STEPS,
            format_func=settings.target_text,
            help="The largest number of groups is the largest that reaches this probability.",
        )
        view.scale(
            "c",
            "Constant c in m = c·s/log s",
            settings.C_STEPS,
            help="The paper leaves it open and uses 1 in its experiments.",
        )
        view.number(
            "seed", "Seed", 0, settings.MOST_SEED, step=1, help="Decides which draws are drawn."
        )


def draw_groups_control(view: ui.View) -> int:
    text = view.scale(
        "m",
        "Number of groups m",
        settings.groups_up_to(int(view["s"])),
        help="Into how many random groups the features are split: no more than there are true "
        "features.",
    )
    return int(text)


def mend(view: ui.View) -> None:
    """What is impossible, in one sentence, and a button for each way out."""
    n, s = int(view["n"]), int(view["s"])
    ui.problem(settings.impossible(n, s))
    lower = settings.most_true(n)
    with st.container(horizontal=True):
        for name, value, label in (
            ("n", s, f"Raise n to {s:,}"),
            ("s", lower, f"Lower s to {int(lower):,}"),
        ):
            st.button(label, key=f"rg_mend_{name}", on_click=view.set, args=({name: value},))
