"""Fig. 2(a) to 2(d), Theorem 5 and Table 1 in the report, from the results the page shows."""

from __future__ import annotations

from collections.abc import Iterable

from lab.accuracy import NOISES
from lab.paper import bounds, charts, completeness, curves, figures, measured, race_figures
from lab.paper.judges.real_data import LOOKS
from lab.paper.markup import escaped, table
from lab.paper.measured import Results

_MODE = "light"
# The cut of Theorem 5 that the page opens with.
_N, _M, _T = 5040, 8, 0.5


def sections(results: Results) -> Iterable[str]:
    for heading, made in (
        ("Fig. 2(a)–(c)", _races(results)),
        ("Fig. 2(d)", _accuracies(results)),
        ("Theorem 5", _theorem(results)),
        ("Table 1", _table_1(results)),
    ):
        yield f"<h2>{escaped(heading)}</h2>"
        parts = list(made)
        yield from parts or ["<p>Not yet measured.</p>"]


def _races(results: Results) -> Iterable[str]:
    names = {key: name for name, key in race_figures.PANELS.items()}
    for key, panel in measured.panels(results.figure2).items():
        run, title = panel["runs"][0], race_figures.title(panel, "suboptimality", "seconds")
        lines = race_figures.lines(panel, run, "suboptimality", "seconds")
        styles = [charts.lane_style(line.key, _MODE) for line in lines]
        drawn = [
            curves.Curve(line.label, line.x, line.y, style.color, style.dash)
            for line, style in zip(lines, styles, strict=True)
        ]
        yield f"<h3>{escaped(names[key])}</h3><p>{escaped(title)}.</p>"
        yield curves.svg(
            drawn,
            alt=f"{names[key]}: {title}",
            x_title=race_figures.AGAINST["seconds"],
            y_title=measured.MEASURES["suboptimality"],
            log_y=True,
        )
        yield table(race_figures.table(panel))
        yield f'<p class="small">{escaped(race_figures.note(panel, run))}</p>'


def _accuracies(results: Results) -> Iterable[str]:
    found = results.figure2d
    for noise in NOISES:
        if not measured.trials(found, noise):
            continue
        title = figures.accuracy_title(found, noise)
        points = figures.accuracy_points(found, noise)
        styles = [charts.classifier_style(each.key, _MODE) for each in points]
        drawn = [
            curves.Curve(
                each.label, each.x, 100 * each.mean, style.color, style.dash, 100 * each.half
            )
            for each, style in zip(points, styles, strict=True)
        ]
        yield f"<h3>{escaped(noise.capitalize())} noise</h3><p>{escaped(title)}.</p>"
        yield curves.svg(drawn, alt=title, x_title="m", y_title="test accuracy, per cent")
        yield table(figures.accuracy_table(found, noise))
        yield f'<p class="small">{escaped(figures.accuracy_note(found, noise))}</p>'


def _theorem(results: Results) -> Iterable[str]:
    found = results.theorem5
    view = None if found is None else bounds.bound_view(found, _N, _M, _T)
    if view is None:
        return
    colors = iter(("#5F6B76", "#B87400", "#1F8A7A"))
    drawn = [curves.Curve("exact", view.s, view.exact, "#0B5CAD")]
    drawn += [
        curves.Curve(name, view.s, values.clip(min=0.0), next(colors), "dash")
        for name, values in view.bounds.items()
    ]
    yield f"<p>{escaped(view.title)}.</p>"
    yield curves.svg(drawn, alt=view.title, x_title="true features s", y_title="P(balanced)")
    yield table(bounds.rule_table(found))


def _table_1(results: Results) -> Iterable[str]:
    found = results.table1
    if found is None:
        return
    for look in LOOKS:
        shown = figures.table_view(found, *look)
        if shown is not None:
            yield f"<p>{escaped(shown.title)}.</p>"
            yield table(shown.table)
    notes = (
        figures.table_note(found),
        completeness.sentence(found),
        figures.assumed_rows(),
        figures.missing_rows(),
    )
    yield f'<p class="small">{escaped(" ".join(notes))}</p>'
