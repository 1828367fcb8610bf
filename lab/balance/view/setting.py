"""What the controls say, and all that is found of it, each thing once."""

from lab import ui
from lab.balance import charts, draws, law, over_n, phase, settings, words
from lab.balance.law import Setting
from lab.ui.address import Between

LIMITS = {
    "n": Between(settings.FEWEST_FEATURES, settings.MOST_FEATURES),
    "s": settings.TRUE_STEPS,
    "m": settings.GROUP_STEPS,
    "t": settings.T_STEPS,
    "seed": Between(0, settings.MOST_SEED),
    "c": settings.C_STEPS,
    "target": settings.TARGET_STEPS,
    "draws": settings.DRAW_STEPS,
    "instead": settings.SIZE_STEPS,
    "tab": settings.TABS,
}


def open_view() -> ui.View:
    """The page's controls; what the s on show does not offer becomes the nearest that it does."""
    view = ui.View("random_grouping", settings.DEFAULTS, settings.PRESETS, LIMITS)
    most = settings.groups_up_to(int(view["s"]))[-1]
    if int(view["m"]) > int(most):
        view.set({"m": most})
    nearest = settings.nearest_size(view["instead"], int(view["s"]))
    if view["instead"] != nearest:
        view.set({"instead": nearest})
    return view


def of(view: ui.View) -> Setting:
    return Setting(
        n=int(view["n"]),
        s=int(view["s"]),
        t=float(view["t"]),
        target=settings.target_of(view["target"]),
        c=float(view["c"]),
    )


# Stills are made only where the live figure fails, and for exports.


@ui.kept
def curve(at: Setting) -> law.Balance:
    return law.curve(at)


@ui.kept
def bounds(at: Setting) -> law.Bounds:
    return law.bounds(at)


@ui.kept
def drawn(n: int, s: int, m: int, seed: int) -> draws.Draws:
    return draws.draw(n, s, m, seed)


@ui.kept
def ratio_law(n: int, s: int, m: int, seed: int, t: float) -> draws.RatioLaw:
    return draws.ratio_law(drawn(n, s, m, seed), t)


@ui.kept
def phases(n: int, t: float, target: float) -> phase.Phase:
    return phase.phase(n, t, target)


@ui.kept
def of_sizes(s: int, m: int, t: float) -> over_n.OverN:
    return over_n.over_n(s, m, t)


@ui.kept
def largest_over_n(s: int, t: float, target: float) -> dict[int, int]:
    return over_n.largest_over_n(s, t, target)


def exact_text(at: Setting, m: int) -> str:
    return words.chance(at, m, curve(at).by_m[m])


@ui.kept
def live_draws(at: Setting, m: int, seed: int):
    found, ratios = drawn(at.n, at.s, m, seed), ratio_law(at.n, at.s, m, seed, at.t)
    return charts.live_draws(found, ratios, at.t, exact_text(at, m))


def still_draws(at: Setting, m: int, seed: int, shown: int, mode: str):
    found, ratios = drawn(at.n, at.s, m, seed), ratio_law(at.n, at.s, m, seed, at.t)
    return charts.still_draws(found, ratios, at.t, shown, exact_text(at, m), mode)


@ui.kept
def live_curve(at: Setting):
    return charts.live_curve(at, curve(at))


@ui.kept
def live_bounds(at: Setting):
    return charts.live_bounds(at, curve(at), bounds(at))


@ui.kept
def live_phase(at: Setting):
    return charts.live_phase(at, phases(at.n, at.t, at.target), curve(at))


@ui.kept
def still_phase(at: Setting, m: int, mode: str):
    found = phases(at.n, at.t, at.target)
    title = words.phase_title(at, m, curve(at).by_m[m])
    return charts.phase_diagram(
        found, at.t, target=at.target, here=(at.s, m), title=title, mode=mode
    )


@ui.kept
def live_sizes(at: Setting, m: int):
    return charts.live_sizes(at, m, curve(at).by_m[m], of_sizes(at.s, m, at.t))
