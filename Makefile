# Two commands: `make run` serves the app, `make test` checks everything.

PYTHON ?= python3
PORT ?= 8501
WORKERS ?= 2
PYTEST_OPTIONS ?=

VENV ?= .venv
BIN := $(VENV)/bin
# What a test installs in an empty environment, offline: the package's needs and its build backend.
FOR_THE_WHEEL := numpy scipy scikit-learn hatchling
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run cluster test check types lint format docs browser quick-tests browser-tests audit clean solver-tests
ifneq ($(BESIDE),yes)
.NOTPARALLEL:  # each part of the tests uses all cores
endif
# What one process has compiled the others find, wherever the environment says otherwise: the tests
# start dozens that import the app.
export PYTHONDONTWRITEBYTECODE :=

help:
	@echo "make run     install what is missing and serve the app on http://127.0.0.1:$(PORT)"
	@echo "make cluster start a Dask cluster on this machine, for sweeps and for data beyond memory"
	@echo "make test    install what is missing, then lint, format check and all tests"
	@echo "make browser-tests   only the tests in a browser"
	@echo "make solver-tests    only the package: its tests, and its wheel in an empty environment;"
	@echo "             PYTHON=python3.13 VENV=.venv-3.13 for another interpreter beside this one"
	@echo "make check   lint, types, architecture and a small core of tests, for everyday use"
	@echo "make lint    ruff check and ruff format --check"
	@echo "make format  let ruff fix and format the code"
	@echo "make docs    the guide and the reference, as docs/_build/html/index.html"
	@echo "make audit   ask the advisory databases about the pinned versions (needs the network)"
	@echo "make clean   remove the virtual environment and caches"

run: $(VENV)/installed-app
	@echo "Serving the app on http://127.0.0.1:$(PORT) (stop with Ctrl-C) ..."
	@$(BIN)/python -m streamlit run app.py --server.port $(PORT)

cluster: $(VENV)/installed-cluster
	@$(BIN)/python -m lab.running.cluster

# Parts that take one core each run beside each other, and all of them, so that one run tells all.
test: $(VENV)/installed-dev
	@$(MAKE) --no-print-directory --jobs=$(WORKERS) --keep-going BESIDE=yes types docs lint browser
	@$(MAKE) --no-print-directory --keep-going quick-tests browser-tests

quick-tests: $(VENV)/installed-dev
	@echo "Running the tests with $(WORKERS) workers ..."
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --ignore=tests/browser $(PYTEST_OPTIONS)

# By group: races of several visitors wait for each other, so their tests must not run side by side.
browser-tests: browser
	@echo "Running the browser tests with $(WORKERS) workers, against one server ..."
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(PYTEST_OPTIONS) tests/browser

# What a user of the package relies on, for trying other interpreters and kernels.
solver-tests: $(VENV)/installed-dev
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(PYTEST_OPTIONS) tests/solvers tests/test_package.py

# Everyday: what breaks most often, in under a minute.
CORE := tests/test_architecture.py tests/solvers/test_linear_algebra.py tests/solvers/test_units.py tests/solvers/test_norms.py

check: lint types
	@$(BIN)/python -m pytest -q -n $(WORKERS) $(CORE)

types: $(VENV)/installed-dev
	@$(BIN)/python -m mypy

lint: $(VENV)/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/installed-dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

docs: $(VENV)/installed-dev
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --fresh-env docs docs/_build/html

browser: $(VENV)/installed-dev
	@$(BIN)/python -m tests.browser.chromium

# In an environment of its own, so that the auditor's packages are not those of the app.
audit: $(VENV)/created
	@test -x $(VENV)/audit/bin/pip-audit || { $(BIN)/python -m venv $(VENV)/audit && \
		$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit; }
	@$(VENV)/audit/bin/pip-audit --strict --requirement constraints.txt --no-deps --disable-pip

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis docs/_build

# Stamp files: a second `make` installs nothing unless a list of requirements changed.
$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed, but '$(PYTHON)' is missing or older;" \
			"name a newer one, as in: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; \
		exit 1; }
	@echo "Creating the virtual environment $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed-app: $(VENV)/created requirements.txt constraints.txt
	@echo "Installing what the app needs (requirements.txt) ..."
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

# Dask is for who wants a cluster; the app runs without.
$(VENV)/installed-cluster: $(VENV)/installed-app
	@echo "Installing Dask ..."
	@$(PIP_INSTALL) "dask[array]" distributed
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed-app requirements-dev.txt
	@echo "Installing what the tests need (requirements-dev.txt) ..."
	@$(PIP_INSTALL) -r requirements-dev.txt
	@$(BIN)/python -m pip download --quiet --disable-pip-version-check -c constraints.txt \
		--dest $(VENV)/wheels $(FOR_THE_WHEEL)
	@touch $@
