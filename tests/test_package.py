"""A stranger's first minutes: the wheel in an empty environment, far from the checkout."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import yaml
from packaging.requirements import Requirement

import solvers
from lab import exports
from lab.home import code
from lab.own_table import model
from tests.lab.code_runner import printed_by
from tests.lab.own_table.tables import case_of, mixed_table, run

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Fetched by `make`, together with the other requirements, so that the tests need no network.
WHEELS = Path(sys.prefix) / "wheels"


def pip(*arguments) -> None:
    """pip with our pins and the wheels that were fetched before, whatever indices are set up."""
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--no-index"]
    variables = {"PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "PIP_FIND_LINKS": str(WHEELS)}
    done = subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@dataclass(frozen=True)
class Stranger:
    """Somebody's environment that has the wheel and nothing else of ours."""

    wheel: Path
    python: Path
    folder: Path

    def run(self, code: str, *arguments: str) -> str:
        done = subprocess.run(
            [self.python, "-I", "-c", code, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def stranger(tmp_path_factory) -> Stranger:
    assert WHEELS.is_dir(), f"{WHEELS} is missing; `make test` fetches it."
    folder = tmp_path_factory.mktemp("stranger")
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    # Without their own wheels' bytecode a few imports are slower, and the installation is not.
    pip("--python", str(python), "install", "--no-compile", str(wheel))
    return Stranger(wheel, python, folder)


def test_the_wheel_holds_the_solvers_and_nothing_else(stranger):
    names = zipfile.ZipFile(stranger.wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"solvers", f"exclusive_sparsity-{solvers.__version__}.dist-info"}
    assert "solvers/py.typed" in names
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "solvers").rglob("*.py")}
    assert sources == {name for name in names if name.endswith(".py")}


def test_an_empty_environment_gets_what_the_solvers_need_and_no_more(stranger):
    code = (
        "import importlib.metadata as m, json, solvers\n"
        "print(json.dumps([solvers.__file__, solvers.__version__, m.version('exclusive-sparsity'),"
        " sorted(d.name.lower() for d in m.distributions())]))"
    )
    file, version, installed, names = json.loads(stranger.run(code))
    assert Path(file).is_relative_to(stranger.folder)
    assert version == installed == solvers.__version__
    own = {"exclusive-sparsity", "numpy", "scipy", "scikit-learn"}
    of_scikit_learn = {"joblib", "threadpoolctl", "cloudpickle", "narwhals"}
    assert own <= set(names) <= own | of_scikit_learn


def test_every_public_name_is_there(stranger):
    code = "import solvers\nfor name in solvers.__all__: getattr(solvers, name)\nprint('all')"
    assert stranger.run(code) == "all\n"


@pytest.mark.parametrize(
    "example", re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
)
def test_the_readme_is_true_of_the_wheel(stranger, example):
    assert "solvers" in example
    stranger.run(example)


def test_a_model_saved_by_the_app_predicts_the_same_elsewhere(stranger):
    table = mixed_table()
    case = case_of(table, method="logistic", tuning="hand")
    fitted = model.to_model(case.prepared, run(case, "logistic", None), {})
    (stranger.folder / "model.json").write_text(fitted.to_json(), encoding="utf-8")
    rows = json.dumps(
        {
            name: table.frame[name].astype(object).where(table.frame[name].notna(), None).tolist()
            for name in fitted.needed
        }
    )
    code = (
        "import json, sys\nfrom solvers import load_model\nmodel = load_model('model.json')\n"
        "rows = json.loads(sys.argv[1])\n"
        "print(json.dumps([model.predict(rows).tolist(), model.predict_proba(rows).tolist()]))"
    )
    classes, chances = json.loads(stranger.run(code, rows))
    assert classes == fitted.predict(table.frame).tolist()
    assert np.array_equal(chances, fitted.predict_proba(table.frame))


def test_a_script_of_the_app_runs_where_its_comment_says(stranger):
    script = exports.script(code.snippet(zeta=1.0))
    assert "needs numpy and solvers" in script and "#     pip install .\n" in script
    assert stranger.run(script) == printed_by(code.snippet(zeta=1.0))


# ---------------------------------------------------------------- lists that must agree


def requirements(lines) -> dict[str, str]:
    """What is asked for by name: extras and versions, whatever the spelling."""
    parsed = [Requirement(line) for line in lines]
    return {each.name.lower(): f"{sorted(each.extras)} {each.specifier}" for each in parsed}


def listed(file: str) -> dict[str, str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return requirements(line for line in lines if line and line[0] not in "#-")


def test_the_lists_of_requirements_agree():
    extras = PROJECT["optional-dependencies"]
    assert requirements(PROJECT["dependencies"] + extras["app"]) == listed("requirements.txt")
    assert requirements(extras["dask"]).items() <= listed("requirements-dev.txt").items()
    assert set(requirements(PROJECT["dependencies"])) == {"numpy", "scipy", "scikit-learn"}


def test_the_citation_is_of_this_version_and_names_the_paper():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == solvers.__version__
    assert citation["license"] == PROJECT["license"]
    (paper,) = citation["references"]
    assert paper["title"] in " ".join(README.split()) and paper["url"] in README
    assert [author["family-names"] for author in paper["authors"]] == ["Huang", "Liu"]
