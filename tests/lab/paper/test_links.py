"""Every link opens the settings that were measured, on the page that it leads to."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.statements import checks
from lab import races, ui
from lab.accuracy import NOISES, settings
from lab.accuracy.view import controls as accuracy_controls
from lab.balance import settings as balance_settings
from lab.balance.view import setting as balance_setting
from lab.cones import searches
from lab.cones.view import controls as cone_controls
from lab.data.datasets import DATA_FOLDER_VARIABLE, MAT_FILES, load
from lab.data.paper_numbers import TABLE_1, row_of
from lab.norms.view import controls as norm_controls
from lab.paper import bounds, claims, errata, figures, links, measured, points
from lab.paper.checks import patterns
from lab.paper.errata import balance
from lab.paper.view import page as paper_page
from lab.races.panels import BENCHMARK_ONLY, PANELS, SECONDS
from lab.races.recorded import RecordedRace
from lab.ui import address
from lab.ui.address import ANYTHING, texts_of
from tests import driver

RESULTS = measured.read()
LINKS = {
    claim.key: link for claim in claims.CLAIMS if (link := claim.linked(RESULTS)) is not None
} | {erratum.key: erratum.link for erratum in errata.ERRATA if erratum.link is not None}
LOOKS = tuple(product(measured.PROTOCOLS, figures.PREPROCESSED, measured.RULES))


def of_the_tabs() -> Iterator[tuple[str, links.Link]]:
    """Every link that the tabs of figures, theorem and table can show."""
    for key in measured.panels(RESULTS.figure2):
        yield key, links.race(key)(RESULTS)
    for noise in NOISES:
        yield f"2(d), {noise}", links.fig2d(noise)(RESULTS)
    for look in LOOKS:
        yield f"table, {' '.join(look)}", links.table(row_of("leu"), look)(RESULTS)
    choices = bounds.theorem_choices(RESULTS.theorem5)
    for n, m, t in product(*choices.values()):
        view = bounds.bound_view(RESULTS.theorem5, int(n), int(m), float(t))
        if view is not None:
            link = links.theorem_cut(int(n), int(m), float(t), [int(s) for s in view.s])
            if link is not None:
                yield f"theorem, n = {n}, m = {m}, t = {t}", link


# One per target, however many claims lead there.
TARGETS = {
    json.dumps(
        [link.page, {k: texts_of(v) for k, v in link.controls.items()}], sort_keys=True
    ): link
    for link in [*LINKS.values(), *(link for _, link in of_the_tabs())]
}
DEFAULTS = {
    "solver_race": races.default_controls(),
    "esvm_accuracy": settings.DEFAULTS,
    "random_grouping": balance_settings.DEFAULTS,
    "cone_projections": cone_controls.DEFAULTS,
    "norm_patterns": norm_controls.DEFAULTS,
    "paper_vs_measured": paper_page.DEFAULTS,
}
LIMITS = {
    "solver_race": {},  # believed when they are drawn: those are opened below
    "esvm_accuracy": {**accuracy_controls.LIMITS, "data": ANYTHING},
    "random_grouping": balance_setting.LIMITS,
    "cone_projections": cone_controls.LIMITS,
    "norm_patterns": norm_controls.LIMITS,
    "paper_vs_measured": paper_page.limits(RESULTS),
}


def read_back(link: links.Link) -> dict:
    """The values that the target page reads from the address of a link."""
    found = {}
    for name, value in link.controls.items():
        found[name] = address.value_of(texts_of(value), DEFAULTS[link.page][name])
    return found


def followed(link: links.Link) -> AppTest:
    """The page that a link leads to."""
    return driver.opened(
        link.page, **{name: texts_of(each) for name, each in link.controls.items()}
    )


def values_on(at: AppTest, link: links.Link) -> dict:
    """The values of the target page's controls."""
    page = ui.frame.page_of(link.page)
    keys = {name: f"{page.prefix}{name}" for name in link.controls}
    return {name: at.session_state[key] for name, key in keys.items() if key in at.session_state}


@pytest.mark.parametrize("target", TARGETS, ids=lambda text: text[:60])
def test_the_address_of_a_link_means_its_settings(target):
    """Every control is one of the page's, its text reads back as its value, and is accepted."""
    link = TARGETS[target]
    for name, value in read_back(link).items():
        wanted = list(link.controls[name]) if isinstance(value, list) else link.controls[name]
        assert value == wanted, name
        accepted = LIMITS[link.page].get(name)
        assert accepted is None or value in accepted, name


def same_settings(link: links.Link, values: dict) -> bool:
    """Whether the values that a page has make the spec that the link is of."""
    if link.page == "solver_race":
        shown, wanted = (
            races.spec_of({**races.default_controls(), **each}) for each in (values, link.controls)
        )
        if wanted.problem == "svm":  # which has no λ, and no control for it
            shown, wanted = replace(shown, lam=None), replace(wanted, lam=None)
        return shown == wanted
    if link.page == "esvm_accuracy":
        shown, wanted = (
            settings.spec_of({**settings.DEFAULTS, **each}) for each in (values, link.controls)
        )
        return shown == wanted
    named = {name: str(values[name]) for name in link.controls if name in values}
    wanted = {name: str(value) for name, value in link.controls.items() if name in values}
    return named == wanted and set(link.controls) - set(values) <= {"tab", "claim", "topic"}


@pytest.mark.parametrize("target", TARGETS, ids=lambda text: text[:60])
def test_the_page_that_a_link_opens_has_its_settings(target):
    link = TARGETS[target]
    at = followed(link)
    assert same_settings(link, values_on(at, link)) and not at.error
    if link.controls.get("budget") == SECONDS:  # what was measured is shown, not the example
        race = at.session_state["_race"]
        assert isinstance(race, RecordedRace)
        wanted = races.spec_of({**races.default_controls(), **link.controls})
        assert race.spec == wanted


def test_a_link_that_says_something_else_is_noticed():
    link = LINKS["fig_2c"]
    assert not same_settings(link, {**link.controls, "extras": 0})
    link = LINKS["esvm_first"]
    assert not same_settings(link, {**link.controls, "noise": "shared"})
    link = LINKS["rule_of_thumb"]
    assert not same_settings(link, {**link.controls, "m": "80"})


def test_links_of_the_theorems_tab_are_of_its_settings():
    found = dict(of_the_tabs())
    link = found["theorem, n = 5040, m = 8, t = 0.5"]
    assert dict(link.controls) == {"n": 5040, "s": "2520", "m": "8", "t": "0.5"}
    for name, each in found.items():
        if name.startswith("theorem"):
            said = f"theorem, n = {each.controls['n']}, m = {each.controls['m']}, "
            assert name == f"{said}t = {each.controls['t']}"


@pytest.mark.parametrize("key", PANELS)
def test_one_seed_of_a_panel_opens_as_the_race_that_was_measured(key):
    link = links.race(key)(RESULTS)
    controls = {**link.controls, "seed": 1, "repeats": 1}
    at = followed(replace(link, controls=controls))
    race = at.session_state["_race"]
    assert isinstance(race, RecordedRace) and (race.spec.seed, race.spec.repeats) == (1, 1)
    assert not any("Settings changed" in text.value for text in at.markdown)


@pytest.mark.parametrize("key", PANELS)
def test_panels_are_the_races_that_were_measured(key):
    panel, spec = measured.panels(RESULTS.figure2)[key], PANELS[key].spec
    linked = links.race_spec(key, panel)
    assert [linked.seed + k for k in range(linked.repeats)] == [r["seed"] for r in panel["runs"]]
    for place, run in enumerate(panel["runs"]):
        assert load(linked.data(place)).description == run["problem"]
        assert run["seconds"] == linked.budget
        assert set(PANELS[key].lanes) == set(run["lanes"])
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


def test_a_claim_without_a_link_names_its_command_or_has_nothing_to_run():
    for claim in claims.CLAIMS:
        assert claim.key in LINKS or claim.command or not claim.needs
        if claim.needs == "statements":
            assert claim.check in RESULTS.statements
            assert claim.command == f"python -m benchmarks.statements --only {claim.check}"
        if claim.check:
            assert claim.check in checks(quick=True)
    without = [claim for claim in claims.CLAIMS if claim.needs and claim.key not in LINKS]
    assert len(without) < 20


def test_an_erratums_link_opens_the_point_that_it_computes():
    for key, at in points.FAILING.items():
        erratum = errata.BY_KEY[key]
        assert erratum.link.controls["vector"] == at.text
        assert erratum.link.controls["height"] == at.b and erratum.link.controls["cone"] == at.cone
    tie = points.FAILING["windows"]
    search = searches.printed_search(tie.cone, tie.a, tie.b, tie.zeta)
    assert search.missed_by_rounding is not None
    assert balance.SPLIT == (5040, 504, 81, 0.5)
    for key in ("proof_probability", "rule_of_thumb"):
        assert dict(errata.BY_KEY[key].link.controls) == {
            "n": 5040,
            "s": "504",
            "m": "81",
            "t": "0.5",
        }


def test_links_of_patterns_are_of_the_sizes_that_are_drawn():
    controls = LINKS["fig1_l1"].controls
    data = patterns.FIGURE_1
    assert (controls["groups"], controls["size"]) == (data.groups, data.size) == (10, 12)
    assert controls["samples"] == data.samples == 80
    assert LINKS["pair_l1"].controls["twin_samples"] == patterns.PAIR.samples == 60


@pytest.mark.parametrize("data", ["isolet", "leu"])
def test_a_row_of_table_1_opens_where_nobody_has_its_data(data, tmp_path, monkeypatch):
    """Its trials come with the source; another set under its link would be a false answer."""
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    (row,) = [row for row in TABLE_1 if row.data == data]
    link = links.table(row)(RESULTS)
    at = followed(link)
    assert at.session_state["acc_data"] == MAT_FILES[data].title
    assert values_on(at, link) == dict(link.controls)
    answer = at.markdown[0].value
    assert f"On {MAT_FILES[data].title}, E-SVM(R) is right on" in answer
    assert not at.error and at.button(key="acc_run").label == "All trials are done"


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


def test_a_link_to_a_race_says_what_the_claim_goes_by_and_only_if_it_is_measured_there():
    """“The claims go by true error” stood beside those of Fig. 2(c), and beside rates."""
    results = measured.read()
    judged = {row.claim.key: row for row in claims.judged(results)}
    told = {links.BY_TRUE_ERROR: "error", links.BY_GAP_AND_CHANGE: "certified"}
    said = set()
    for key, link in LINKS.items():
        if link.page != "solver_race" or not link.note:
            continue
        said.add(link.note)
        assert (claims.BY_KEY[key].needs == "figure2") == (link.label == "Run it again")
        if link.note in told:
            assert link.label == "Run it again" and told[link.note] in judged[key].measured, key
    assert said == {*told, links.BY_ITERATION, links.SMALLER, links.GREYED}
