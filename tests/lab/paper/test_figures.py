"""What stands after a ± on the page of the paper is half a 95 % interval, as everywhere."""

import numpy as np
import pytest
from scipy import stats

from lab.data.paper_numbers import TABLE_1
from lab.paper import figures, measured
from lab.paper.measured import METHODS


def test_fig_2d_has_the_intervals_of_its_means():
    found = measured.read().figure2d
    cells = measured.trials(found, "independent")
    points = {each.key: each for each in figures.accuracy_points(found, "independent")}
    table = figures.accuracy_table(found, "independent")
    for key in ("esvm", "svm"):
        for row, (m, accuracy) in enumerate(cells.items()):
            values = accuracy[key]
            low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
            half = (high - low) / 2.0
            assert points[key].x[row] == m
            assert points[key].half[row] == pytest.approx(half)
            assert table[METHODS[key]][row] == f"{100 * values.mean():.1f} ± {100 * half:.1f}"
    assert figures.INTERVALS in figures.accuracy_note(found, "independent")


@pytest.mark.parametrize("protocol", ["inverted", "ordinary"])
def test_table_1_has_the_intervals_of_its_means_by_the_rule_of_its_folds(protocol):
    found = measured.read().table1
    look = (protocol, "standardise", "weakest")
    shown = figures.table_view(found, *look)
    dots = {each.key: each for each in shown.dots}
    for row in TABLE_1:
        if row.title not in shown.names:
            continue
        (way,) = [
            way
            for way in measured.ways(found, row)
            if (way.protocol, way.preprocessing) == look[:2] and look[2] in way.accuracy
        ]
        at, values = shown.names.index(row.title), way.accuracy[look[2]]["svm"]
        # The variance of a mean over folds whose training sets overlap (Nadeau & Bengio 2003).
        again = 1.0 / (way.folds - 1) if protocol == "ordinary" else 0.0
        error = values.std(ddof=1) * np.sqrt(1.0 / len(values) + again)
        half = 100.0 * stats.t.ppf(0.975, len(values) - 1) * error
        assert dots["svm"].half[at] == pytest.approx(half)
        assert shown.table[METHODS["svm"]][at].endswith(f" ± {half:.1f}")


@pytest.mark.parametrize("noise", ["independent", "shared"])
def test_the_title_of_figure_2d_tells_the_largest_difference_of_those_beyond_chance(noise):
    """Of 8 differences corrected together: a larger one that is within chance is no lead."""
    found = measured.read().figure2d
    cells = measured.trials(found, noise)
    tests = {m: stats.ttest_rel(a["esvm"], a["svm"]) for m, a in cells.items()}
    below = 0.05 / np.arange(len(tests), 0, -1)
    ranked = sorted(tests, key=lambda m: tests[m].pvalue)
    passed = [tests[m].pvalue < level for m, level in zip(ranked, below, strict=True)]
    sure = ranked[: passed.index(False)] if False in passed else ranked
    ahead = {m: tests[m] for m in sure if tests[m].statistic > 0.0}
    said = f"E-SVM is ahead of SVM at {len(ahead)} of {len(cells)} values of m"
    if ahead:
        most = max(ahead, key=lambda m: np.mean(cells[m]["esvm"] - cells[m]["svm"]))
        low, high = (100.0 * end for end in ahead[most].confidence_interval())
        size = f"{(low + high) / 2.0:.1f} ± {(high - low) / 2.0:.1f}"
        said += f" (by {size} points at most, m = {most:,})"
    said += f", behind at {len(sure) - len(ahead)}, "
    assert said in figures.accuracy_title(found, noise)
