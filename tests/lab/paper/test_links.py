"""Every link opens the settings that were measured, on the page that it leads to."""

import json
from dataclasses import replace

import pytest

from lab import races, ui
from lab.accuracy import settings
from lab.data.datasets import load
from lab.data.paper_numbers import TABLE_1
from lab.paper import claims, errata, links, measured
from lab.paper.view.common import as_text
from lab.races.panels import BENCHMARK_ONLY, PANELS
from tests import driver

RESULTS = measured.read()
LINKS = {
    claim.key: link for claim in claims.CLAIMS if (link := claim.linked(RESULTS)) is not None
} | {erratum.key: erratum.link for erratum in errata.ERRATA if erratum.link is not None}
# One page run per target, however many claims lead there.
TARGETS = {
    json.dumps([link.page, {k: as_text(v) for k, v in link.controls.items()}], sort_keys=True): link
    for link in LINKS.values()
}


def opened(link: links.Link) -> dict:
    """The values of the target page's controls after following a link."""
    page = next(page for page in ui.PAGES if page.key == link.page)
    at = driver.opened(page.key, **{name: as_text(each) for name, each in link.controls.items()})
    keys = {name: f"{page.prefix}{name}" for name in link.controls}
    return {name: at.session_state[key] for name, key in keys.items() if key in at.session_state}


@pytest.mark.parametrize("target", TARGETS, ids=lambda text: text[:60])
def test_the_page_that_a_link_opens_has_its_settings(target):
    link = TARGETS[target]
    values = opened(link)
    if link.page == "solver_race":
        shown, wanted = (
            races.spec_of({**races.default_controls(), **each}) for each in (values, link.controls)
        )
        if wanted.problem == "svm":  # which has no λ, and no control for it
            shown, wanted = replace(shown, lam=None), replace(wanted, lam=None)
        assert shown == wanted
    elif link.page == "esvm_accuracy":
        controls = {**settings.DEFAULTS, **values}
        assert settings.spec_of(controls) == settings.spec_of(
            {**settings.DEFAULTS, **link.controls}
        )
    else:
        shown = {name: str(values[name]) for name in link.controls if name in values}
        wanted = {name: str(value) for name, value in link.controls.items() if name in values}
        assert shown == wanted and set(link.controls) - set(values) <= {"tab"}


@pytest.mark.parametrize("key", PANELS)
def test_panels_are_the_races_that_were_measured(key):
    panel, spec = measured.panels(RESULTS.figure2)[key], PANELS[key].spec
    linked = links.race_spec(key, panel)
    assert [linked.seed + k for k in range(linked.repeats)] == [r["seed"] for r in panel["runs"]]
    for place, run in enumerate(panel["runs"]):
        assert load(linked.data(place)).description == run["problem"]
        assert run["seconds"] == linked.budget
        assert set(PANELS[key].contestants) == set(run["lanes"])
        raced = {lane["method"] for name, lane in run["lanes"].items()} - set(BENCHMARK_ONLY)
        assert raced == set(spec.methods)
        if spec.problem == "svm":
            assert (run["alpha"], run["beta"]) == (spec.alpha, spec.beta)
        else:
            assert linked.build(place).lam == pytest.approx(run["lam"], rel=1e-12)


@pytest.mark.parametrize("noise", ["independent", "shared"])
def test_the_sweep_of_figure_2d_is_of_the_measured_family(noise):
    controls = links.fig2d(noise)(RESULTS).controls
    spec = settings.spec_of({**settings.DEFAULTS, **controls})
    cells = [cell for cell in RESULTS.figure2d["cells"] if cell["noise"] == noise]
    assert {cell["family"] for cell in cells} == {spec.family}
    assert spec.ms == tuple(RESULTS.figure2d["wanted"]["ms"]) and spec.noise == noise


def test_rows_of_table_1_are_of_the_measured_families():
    rows = {row.data: row for row in TABLE_1 if row.data}
    for cell in RESULTS.table1["cells"]:
        look = (cell["protocol"], cell["preprocessing"], cell["ties"])
        controls = links.table(rows[cell["data"]], look)(RESULTS).controls
        spec = settings.spec_of({**settings.DEFAULTS, **controls})
        assert spec.family == cell["family"]
        assert (spec.fold_kind, spec.scaling, spec.protocol.ties) == look


def test_claims_measured_in_races_and_sweeps_have_links():
    for claim in claims.CLAIMS:
        if claim.needs in ("figure2", "figure2d"):
            assert claim.key in LINKS
        if claim.needs and claim.key not in LINKS:
            assert claim.command
    assert LINKS["as_printed"].controls["noise"] == "shared"
    assert LINKS["fig_2c"].controls["extras"] == 7
    assert LINKS["lelr_rate"].controls["m_lelr"]
    for key in ("subgradient_rate", "svm_subgradient"):
        assert LINKS[key].controls["m_subgradient"]
