# Two commands: `make run` serves the app, `make test` checks everything.

PYTHON ?= python3
PORT ?= 8501
WORKERS ?= 2
PYTEST_OPTIONS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run test lint format browser quick-tests browser-tests audit clean
.NOTPARALLEL:  # each part of the tests uses all cores

help:
	@echo "make run     install what is missing and serve the app on http://127.0.0.1:$(PORT)"
	@echo "make test    install what is missing, then lint, format check and all tests"
	@echo "make browser-tests   only the tests in a browser"
	@echo "make lint    ruff check and ruff format --check"
	@echo "make format  let ruff fix and format the code"
	@echo "make audit   ask the advisory databases about the pinned versions (needs the network)"
	@echo "make clean   remove the virtual environment and caches"

run: $(VENV)/installed-app
	@echo "Serving the app on http://127.0.0.1:$(PORT) (stop with Ctrl-C) ..."
	@$(BIN)/python -m streamlit run app.py --server.port $(PORT)

test: lint browser quick-tests browser-tests

quick-tests: $(VENV)/installed-dev
	@echo "Running the tests with $(WORKERS) workers ..."
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not browser" $(PYTEST_OPTIONS)

# By file: races of several visitors wait for each other, so their tests must not run side by side.
browser-tests: browser
	@echo "Running the browser tests with $(WORKERS) workers, against one server ..."
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(PYTEST_OPTIONS) tests/browser

lint: $(VENV)/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/installed-dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

browser: $(VENV)/installed-dev
	@$(BIN)/python -m tests.browser.chromium

# In an environment of its own, so that the auditor's packages are not those of the app.
audit: $(VENV)/created
	@test -x $(VENV)/audit/bin/pip-audit || { $(BIN)/python -m venv $(VENV)/audit && \
		$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit; }
	@$(VENV)/audit/bin/pip-audit --strict --requirement constraints.txt --no-deps --disable-pip

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis

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

$(VENV)/installed-dev: $(VENV)/installed-app requirements-dev.txt
	@echo "Installing what the tests need (requirements-dev.txt) ..."
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@
