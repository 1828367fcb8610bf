"""The runs of the browser tests are read from the reports that pytest writes."""

from benchmarks import flakes

REPORT = """<testsuites><testsuite>
<testcase classname="tests.browser.test_home" name="test_a" time="1.26"/>
<testcase classname="tests.browser.test_home" name="test_b[x]" time="3"><failure>no</failure></testcase>
<testcase classname="tests.browser.test_race" name="test_c" time="2"><error>no</error></testcase>
<testcase classname="tests.browser.test_race" name="test_d" time="0"><skipped/></testcase>
</testsuite></testsuites>"""  # noqa: E501


def test_a_report_tells_outcomes_what_did_not_pass_and_what_took_longest(monkeypatch):
    monkeypatch.setattr(flakes, "SLOWEST", 2)
    assert flakes.read_report(REPORT) == {
        "outcomes": {"passed": 1, "failure": 1, "error": 1, "skipped": 1},
        "not_passed": ["test_home::test_b[x]", "test_race::test_c", "test_race::test_d"],
        "slowest": {"test_home::test_b[x]": 3.0, "test_race::test_c": 2.0},
    }
