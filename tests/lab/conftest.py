"""For all tests of `lab`: what the live figure computes in the browser, run in node."""

import json
import shutil
import subprocess

import pytest

from lab.drawing import live
from tests.clocks import PATIENCE


@pytest.fixture(scope="session")
def maths(tmp_path_factory):
    """maths(name, arguments): one call of a function of MATHS per argument, in one process."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("live")
    (folder / "live.mjs").write_text(live.javascript() + "\nexport {MATHS};\n", encoding="utf-8")
    script = folder / "run.mjs"
    script.write_text(
        'import {MATHS} from "./live.mjs";\n'
        'import {readFileSync} from "node:fs";\n'
        'const {name, given} = JSON.parse(readFileSync(0, "utf8"));\n'
        "console.log(JSON.stringify(given.map(MATHS[name])));\n",
        encoding="utf-8",
    )

    def run(name: str, given: list[dict]) -> list:
        done = subprocess.run(
            [node, str(script)],
            input=json.dumps(dict(name=name, given=given)),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        return json.loads(done.stdout)

    return run
