"""On the pages that compare, a screen speaks of one thing: in every tab, preset and state.

Headline, title, figure, table, caption and download come from one spec and from one look at its
results: before a run, while it is on its way, cancelled, complete, and with other data loaded.
"""

import json
import re
import time
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from lab import accuracy, exports, races, ui
from lab.accuracy import QUANTITIES, settings
from lab.data.datasets import MAT_FILES, data_folder
from lab.paper import claims, errata, race_figures
from lab.paper.view import page as paper_page
from lab.races import recorded
from lab.results import (
    OWN_FOLDER_VARIABLE,
    SHIPPED_FOLDER_VARIABLE,
    Store,
    for_files,
    made_here,
)
from lab.running import jobs
from tests import driver
from tests.clocks import until
from tests.driver import numbers, ran
from tests.lab.paper import paper_results
from tests.lab.sentences import faults
from tests.queues import ended


@pytest.fixture(autouse=True)
def own_server(tmp_path, monkeypatch, own_queue):
    """A results folder and a queue for this test alone."""
    monkeypatch.setenv(OWN_FOLDER_VARIABLE, str(tmp_path / "own"))


@pytest.fixture
def offered(monkeypatch) -> list[ui.Export]:
    """What the pages offer to take home, the latest last."""
    found: list[ui.Export] = []
    offer = ui.ExportRow.offer
    monkeypatch.setattr(
        ui.ExportRow, "offer", lambda row, export: (found.append(export), offer(row, export))[1]
    )
    return found


def said_on(at) -> str:
    return " ".join(text.value for text in [*at.markdown, *at.caption]).replace("\u00a0", " ")


def assert_it_reads_well(at) -> None:
    """No sentence, title, cell, button or progress of the page says what none may say."""
    said = [text.value for text in [*at.markdown, *at.caption, *at.error, *at.warning]]
    said += [button.label for button in at.button]
    said += [element.proto.text for element in at.get("progress")]
    said += [element.proto.alt for element in at.get("plotly_chart")]
    said += [driver.title_on(at)] if at.get("plotly_chart") else []
    for table in [*at.table, *at.dataframe]:
        said += [*map(str, table.value.columns), *map(str, table.value.to_numpy().ravel())]
    assert faults(said) == []


def content_of(figure: dict) -> list[tuple]:
    """Of each line of a figure its name and its numbers as far as they are numbers."""
    lines = []
    for trace in figure["data"]:
        columns = []
        for name in ("x", "y"):
            try:
                columns.append(numbers(trace.get(name, [])).tolist())
            except (TypeError, ValueError):
                columns.append(list(trace[name]))
        lines.append((trace.get("name"), *columns))
    return lines


def assert_taken_home_is_on_show(at, export: ui.Export) -> None:
    """The code that is offered is on the page, the figure is the one on show, down to its numbers

    Where there is no figure, the table on show is the one that is offered.
    """
    assert exports.script(export.code).strip() in [code.value.strip() for code in at.code]
    columns = export.data()
    assert len({len(column) for column in columns.values()}) == 1
    shown = driver.charts(at)
    if shown:
        (figure,) = shown
        taken = json.loads(export.figure().to_json())
        assert repr(content_of(figure)) == repr(content_of(taken))
        title, said = driver.title_on(at), driver.title_of(taken).replace("\u00a0", " ")
        assert said == title or said.startswith(f"{title}: ")  # a claim's verdict is its badge
        (element,) = at.get("plotly_chart")
        assert title in element.proto.alt.replace("\u00a0", " ")
    elif at.dataframe:
        assert [str(name) for name in at.dataframe[0].value.columns] == list(columns)
        for name, column in columns.items():
            assert list(map(str, at.dataframe[0].value[name])) == list(map(str, column))


# -- the accuracy page -----------------------------------------------------------------------------

ACCURACY = ui.frame.page_of("esvm_accuracy")
TINY = {
    settings.GENERATED: dict(ms="8, 12", features="40", repeats="2"),
    settings.WHEN: dict(wide="40", known="4", samples="16", draws="2", values="10, 20"),
    settings.REAL: dict(data="Wine", folds="3", rivals=["SVM", "S-SVM", "E-SVM(R)"]),
}


def run_if_told(spec, trial, computed, flag):
    """A trial, at once if it is among those; the others wait for the flag."""
    while trial not in computed and not Path(flag).exists():
        time.sleep(0.02)
    return accuracy.run_trial(spec, trial)


def spec_on(at):
    """The sweep that the page's address describes, or what was chosen on it."""
    return settings.spec_of(
        {n: at.session_state[f"acc_{n}"] for n in settings.DEFAULTS if on(at, n)}
        | {n: v for n, v in settings.DEFAULTS.items() if not on(at, n)}
    )


def on(at, name) -> bool:
    return f"acc_{name}" in at.session_state


def assert_of_one_look(at, export: ui.Export, spec, known: int) -> None:
    """All that counts or averages does so over the very trials that are offered as data."""
    assert_taken_home_is_on_show(at, export)
    assert_it_reads_well(at)
    total = len(spec.trials())
    columns = export.data()
    assert len(columns["accuracy"]) == known
    assert export.settings["sweep"] == spec.id
    assert all(columns["date"]) and all(columns["processor"]) and all(columns["versions"])
    headline, caption = next(text.value for text in at.markdown), said_on(at)
    assert f"{known} of {total} trials" in caption
    title = driver.title_on(at)
    so_far = f"So far, {known} of {total} trials: "
    if known == 0:
        active = any(button.key == "acc_cancel" for button in at.button)
        nothing = (
            "No trial of these settings is done" if active else "These settings have not been run"
        )
        assert headline.startswith(f"{nothing} yet: ")
        assert title == "No results yet" and not at.dataframe and "None yet." in caption
        return
    assert headline.startswith(so_far) == title.startswith(so_far) == (known < total)
    table = at.dataframe[0].value
    assert int(table["trials"].sum()) == known
    # The accuracies of the table and of the figure, from nothing but the data that are offered.
    place, method = next(iter(columns)), np.array(columns["method"])
    places = np.array(columns[place]) if not isinstance(spec, accuracy.RealSpec) else None
    drawn = {trace["name"]: trace for trace in driver.figure(at)["data"]}
    for row in table.to_dict("records"):
        key = next(k for k, label in accuracy.LABELS.items() if label == row["method"])
        rows = method == key
        if places is not None:
            first = next(iter(row.values()))
            said = str(first).replace(",", "")
            told = {value: said_of(spec, value) for value in set(places.tolist())}
            value = next(v for v, text in told.items() if text == said)
            rows &= places == value
        mean = 100 * np.mean(np.array(columns["accuracy"])[rows])
        assert float(row["accuracy, %"].split(" ")[0]) == pytest.approx(mean, abs=0.0501)
        if places is not None:
            line = drawn[row["method"]]
            at_place = [data[0] for data in custom(line)].index(value)
            assert numbers(line["y"])[at_place] == pytest.approx(mean)
        else:
            line = next(t for t in driver.figure(at)["data"] if t["y"] == [row["method"]])
            assert line["x"][0] == pytest.approx(mean)


def custom(line) -> list:
    shown = line["customdata"]
    if isinstance(shown, dict):
        return numbers(shown).reshape([int(part) for part in shown["shape"].split(",")]).tolist()
    return shown


def said_of(spec, value) -> str:
    if isinstance(spec, accuracy.WhenSpec):
        return QUANTITIES[spec.quantity].said(value)
    return str(value)


@pytest.mark.parametrize("tab", TINY)
def test_an_accuracy_screen_is_of_one_look_in_every_state(tab, offered, tmp_path):
    at = driver.opened(ACCURACY.key, tab=tab, show="accuracy", **TINY[tab])
    spec = spec_on(at)
    assert_of_one_look(at, offered[-1], spec, 0)

    trials, flag = spec.trials(), tmp_path / "go on"
    computed = trials[: len(trials) // 2 + 1]
    store = Store()

    def submit():
        known = store.load(spec)
        return jobs.shared_queue().submit(
            "a sweep",
            run_if_told,
            [(spec, trial, computed, str(flag)) for trial in trials],
            already_done={i: known[t] for i, t in enumerate(trials) if t in known},
            on_result=lambda index, result: store.add(spec, result),
            id=spec.id,
        )

    job = submit()
    until(lambda: job.snapshot().done == len(computed))
    ran(at)
    (progress,) = at.get("progress")
    assert progress.proto.text.startswith(f"running: {len(computed)} of {len(trials)} trials")
    assert_of_one_look(at, offered[-1], spec, len(computed))

    job.cancel()
    assert ended(job).state == "cancelled"
    ran(at)
    assert "The last run was cancelled" in said_on(at)
    assert at.button(key="acc_run").label == f"Resume ({len(computed)} of {len(trials)} done)"
    assert_of_one_look(at, offered[-1], spec, len(computed))

    flag.touch()
    assert ended(submit()).state == "done"
    ran(at)
    assert "cancelled" not in said_on(at)
    assert_of_one_look(at, offered[-1], spec, len(trials))

    # Other settings, and nothing is left of these.
    ran(at.segmented_control(key="acc_show").set_value(settings.LEAD))
    ran(at.number_input(key="acc_seed").set_value(5))
    other = spec_on(at)
    assert other.seed == 5
    assert_of_one_look(at, offered[-1], other, 0)


def test_with_a_table_loaded_nothing_speaks_of_another_set(offered):
    """It was breast cancer that the headline still spoke of."""
    at = driver.opened(ACCURACY.key, tab=settings.REAL, show="accuracy", rivals=["SVM", "E-SVM(R)"])
    assert "On Breast cancer, E-SVM(R) is right on" in said_on(at)
    ran(at.selectbox(key="acc_data").set_value(settings.OWN_FILE))
    ran(at.slider(key="acc_folds").set_value(2))
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{'pq'[int(a > 0)]}" for a, b in rng.standard_normal((24, 2))]
    content = "\n".join(["first,second,class", *rows]).encode()
    ran(at.file_uploader(key="acc_uploader").upload("mine.csv", content, "text/csv"))
    everything = [said_on(at), offered[-1].code, driver.title_on(at)]
    assert "have not been run yet: Your own file, 2 ordinary folds" in everything[0]
    ran(at.button(key="acc_run").click())
    (job,) = jobs.shared_queue().jobs()
    assert ended(job).state == "done"
    ran(at)
    assert_taken_home_is_on_show(at, offered[-1])
    assert "On your own file, E-SVM(R) is right on" in said_on(at)
    assert len(offered[-1].data()["accuracy"]) == 4 == int(at.dataframe[0].value["trials"].sum())
    everything += [said_on(at), offered[-1].code, str(offered[-1].settings)]
    assert not any("reast" in text for text in everything)


ACCURACY_SCREENS = [
    *(
        (dict(tab=tab, show=show), None)
        for tab in TINY
        for show in settings.SHOWN
        if (tab, show) != (settings.GENERATED, settings.LEAD)
    ),
    *((dict(tab=settings.WHEN, quantity=each.title), None) for each in QUANTITIES.values()),
    *(({}, preset) for preset in settings.presets()),
]


@pytest.mark.parametrize(("query", "preset"), ACCURACY_SCREENS, ids=str)
def test_every_accuracy_view_offers_what_it_shows(query, preset, offered):
    at = driver.opened(ACCURACY.key, **query)
    if preset is not None:
        ran(at.button(key=f"acc_preset_{preset}").click())
    spec = spec_on(at)
    assert_taken_home_is_on_show(at, offered[-1])
    assert_it_reads_well(at)
    known, total = len(offered[-1].data()["accuracy"]), len(spec.trials())
    assert offered[-1].settings["sweep"] == spec.id
    assert f"{known} of {total} trials" in said_on(at)
    if preset and preset.startswith("Table 1"):
        name = next(f.title for f in MAT_FILES.values() if f.title.startswith(preset[9:]))
        assert f"On {name}" in said_on(at) and data_folder().exists()


# -- the race page ---------------------------------------------------------------------------------

SMALL = dict(samples="40", features="120", groups="8", repeats="1")


def assert_of_one_race(at, export: ui.Export, race) -> None:
    """Headline, chart, podium and downloads are of this race, whatever the controls say by now."""
    assert_taken_home_is_on_show(at, export)
    assert_it_reads_well(at)
    headline = next(text.value for text in at.markdown if "certif" in text.value)
    assert race.spec.description in headline.replace("\u00a0", " ")
    assert export.settings == race.spec.settings() | for_files(race.made or made_here())
    podium = list(at.table[0].value.columns[1:])
    assert sorted(podium) == sorted(races.METHODS[race.spec.problem][k].label for k in begun(race))
    assert set(export.data()["method"]) == set(begun(race))
    document = races.document(race)
    assert document["spec"]["n_features"] == race.spec.n_features
    assert {run["label"] for run in document["runs"]} == set(podium)


def begun(race) -> list[str]:
    return [standing.key for standing in races.podium(race)]


def race_shown(at):
    return at.session_state["_race"]


def test_a_race_screen_is_of_one_race_in_every_state(offered):
    at = driver.opened("solver_race")
    title = driver.title_of(driver.figure(at))
    taken = offered[-1].figure().layout.title.text.replace("<br>", " ")  # plotly's own line breaks
    assert "a small example" in said_on(at) and title in taken

    hard = driver.opened("solver_race", lam="0.001", tol="1e-8", budget="60.0", **SMALL)
    ran(hard.button(key="race_start").click())
    race = race_shown(hard)
    while not begun(race):
        ran(hard)
    ran(hard.button(key="race_pause").click())  # so that it stands still while it is looked at
    headline = next(text.value for text in hard.markdown if "certif" in text.value)
    assert headline.startswith("So far: ")
    assert driver.title_of(driver.figure(hard)).startswith("So far: ")
    assert "Podium so far" in [text.value for text in hard.subheader]
    assert_of_one_race(hard, offered[-1], race)

    ran(hard.button(key="race_cancel").click())
    assert race.cancelled and "when the race was cancelled" in said_on(hard)
    assert driver.title_of(driver.figure(hard)).startswith("When cancelled: ")
    assert_of_one_race(hard, offered[-1], race)

    done = driver.opened("solver_race", budget="0.5", **SMALL)
    ran(done.button(key="race_start").click())
    race = race_shown(done)
    while not race.finished:
        race.advance()
    ran(done)
    assert "o far" not in said_on(done) and "cancelled" not in said_on(done)
    assert_of_one_race(done, offered[-1], race)

    # Another problem is set up: what is on show stays that of the race, and says whose it is.
    ran(done.selectbox(key="race_problem").set_value(races.PROBLEMS["svm"]))
    assert "these are the results of the old settings" in said_on(done)
    assert race_shown(done) is race
    assert_of_one_race(done, offered[-1], race)


@pytest.mark.parametrize("label", races.PAPER)
def test_a_shipped_race_is_told_as_it_was_run(label, offered):
    at = driver.opened("solver_race")
    ran(at.button(key=f"race_preset_{label}").click())
    race = race_shown(at)
    assert isinstance(race, recorded.RecordedRace) and race.spec == races.PAPER[label]
    assert_of_one_race(at, offered[-1], race)
    for measure in races.MEASURES.values():
        ran(at.selectbox(key="race_measure").set_value(measure))
        assert_of_one_race(at, offered[-1], race)


# -- the paper page --------------------------------------------------------------------------------

PAPER = ui.frame.page_of("paper_vs_measured")
PAPER_SCREENS = [
    *({"tab": tab} for tab in (paper_page.CLAIMS, paper_page.ACCURACY, paper_page.THEOREM)),
    {"tab": paper_page.ACCURACY, "noise": "shared"},
    *({"verdict": verdict} for verdict in claims.VERDICTS),
    {"topic": "Speed"},
    *(
        {"tab": paper_page.RACES, "panel": panel, "measure": measure}
        for panel in list(race_figures.PANELS)[:3]
        for measure in race_figures.MEASURES
    ),
    {"tab": paper_page.RACES, "seed": "77"},
    {"tab": paper_page.THEOREM, "n": "1008", "m": "112"},
    {"tab": paper_page.THEOREM, "n": "100800", "m": "112", "t": "0.8"},
    *({"tab": paper_page.TABLE, "protocol": kind} for kind in accuracy.FOLD_KINDS),
    {"tab": paper_page.TABLE, "preprocessing": "none", "ties": "strongest"},
    *({"tab": paper_page.ERRATA, "erratum": key} for key in ("momentum", "captions", "odd_m")),
]

# What is on show there is computed, whatever has been measured.
WITHOUT_RESULTS = (paper_page.THEOREM, paper_page.ERRATA)


@pytest.fixture(params=["as committed", "in part", "nothing measured"])
def results(request, tmp_path, monkeypatch):
    """The folder of results: as it is, with few trials of each sweep, or empty."""
    if request.param != "as committed":
        if request.param == "in part":
            content = paper_results.table1()
            for cell in content["cells"]:
                for name in ("number", "accuracy"):
                    cell[name] = cell[name][:1]
            paper_results.keep(tmp_path, paper_results.figure2d(), content)
            text = json.dumps(paper_results.figure2())
            (tmp_path / "figure2.json").write_text(text, encoding="utf-8")
        monkeypatch.setenv(SHIPPED_FOLDER_VARIABLE, str(tmp_path))
    return request.param


def test_every_view_of_the_paper_page_offers_what_it_shows(results, offered):
    answers = set()
    for query in PAPER_SCREENS:
        if query.get("tab") in WITHOUT_RESULTS and results != "as committed":
            continue
        at = driver.opened(PAPER.key, **query)
        assert_taken_home_is_on_show(at, offered[-1])
        assert_its_address_says_what_it_shows(at, query)
        answers.add(next(text.value for text in at.markdown if text.value.startswith("Of ")))
    (answer,) = answers  # one count of the verdicts, whatever is looked at
    for preset in paper_page.PRESETS:
        at = driver.opened(PAPER.key)
        ran(at.button(key=f"paper_preset_{preset}").click())
        assert_taken_home_is_on_show(at, offered[-1])
        assert answer in said_on(at)


def assert_its_address_says_what_it_shows(at, query) -> None:
    """The address to cite names the settings on show, and its title is the figure's."""
    entries = [code.value for code in at.code if code.value.startswith("@misc{exclusive-sparsity-")]
    if not entries:
        return
    (entry,) = entries
    address = re.search(r"url\s*= \{(.*?)\}", entry).group(1)
    said = dict(parse_qsl(address.split("?")[1]))
    assert all(said[f"paper_{name}"] == value for name, value in query.items())
    shown = driver.title_on(at) if driver.charts(at) else errata.BY_KEY[query["erratum"]].title
    plain = re.sub(r"\\(.)", r"\1", re.search(r"title\s*= \{(.*)\}", entry).group(1))
    assert shown == plain


@pytest.mark.parametrize("topic", claims.TOPICS)
def test_every_claim_offers_what_it_shows(topic, offered):
    for claim in claims.CLAIMS:
        if claim.topic != topic:
            continue
        at = driver.opened(PAPER.key, claim=claim.key)
        assert at.subheader[0].value == claim.title.replace("*", "\\*").replace("_", "\\_").replace(
            "|", "\\|"
        )
        assert_taken_home_is_on_show(at, offered[-1])
        bars = offered[-1].data()["what"]
        (badge,) = [text.value for text in at.markdown if "-badge[" in text.value]
        verdict = re.search(r"\[\S+ (.*)\]", badge).group(1)
        assert verdict in claims.VERDICTS
        if bars:
            assert driver.title_of(json.loads(offered[-1].figure().to_json())) == (
                f"{claim.title}: {verdict}"
            )
