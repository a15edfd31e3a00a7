# `make demo` needs Python 3.11 and nothing else. `make test` makes its own environment in .venv.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test bench fix clean

demo:
	@PYTHONPATH=src $(PYTHON) -m hbeval demo

test: $(VENV)/ready
	@BIN=$(BIN) tools/test

bench: $(VENV)/bench
	@BIN=$(BIN) tools/bench

fix: $(VENV)/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) out dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage*

$(VENV)/bench: $(VENV)/ready requirements/bench.txt
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements/bench.txt
	@touch $@

$(VENV)/ready: requirements/test.txt requirements/interop.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements/interop.txt --editable .
	@touch $@
