# Every task of the project; `make help` lists them.
.DEFAULT_GOAL := help
PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

help:  ## list the tasks
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

.venv/core: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[report,plot,exact]'
	@touch $@

.venv/test: .venv/core
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

.venv/bench: .venv/core
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

.venv/docs: .venv/core
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

.venv/release: .venv/core
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	@touch $@

setup: .venv/test  ## install everything that tests need into .venv

demo: .venv/core  ## check a real table, select its features, show what they are worth, write a page
	$(BIN)/fewest check ionosphere
	$(BIN)/fewest select ionosphere --seed 1 \
	  --json demo-result.json --report demo-report.html

test: .venv/test  ## lint, types, tests compiled, kernels once uncompiled
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadgroup --max-worker-restart 0 $(PYTEST_FLAGS)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q tests/kernels

test-clusters: .venv/test  ## count and score on clusters of Dask, Ray and Spark on this machine, and kill workers
	FEWEST_CLUSTERS=1 $(BIN)/python -m pytest -q $(PYTEST_FLAGS) tests/run/test_cluster.py

test-oldest:  ## the tests with the oldest versions that pyproject.toml allows
	$(PYTHON) -m venv .venv-oldest
	$(PYTHON) tests/oldest.py > .venv-oldest/constraints.txt
	.venv-oldest/bin/python -m pip install --quiet -c .venv-oldest/constraints.txt --editable '.[test]'
	.venv-oldest/bin/python -m pytest -n 2 --dist loadgroup --max-worker-restart 0

lint: .venv/test  ## fix style where possible, write the public names, then check style and types
	$(BIN)/python -m tests.public_names
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

coverage: .venv/test  ## run the tests and report the coverage of lines and branches
	$(BIN)/python -m pip install --quiet --editable '.[coverage]'
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q tests/kernels --cov --cov-report=
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup --max-worker-restart 0 --cov --cov-append --cov-report=term

bench: .venv/bench  ## measure speed against what a user would do instead
	$(BIN)/python -m benchmarks

papers: .venv/test  ## run the experiments of the five documents again, about an hour of two cores
	$(BIN)/python -m papers --all --jobs 2

campaign: .venv/test  ## half an hour of kills, damage, hostile files, interrupts and full disks
	$(BIN)/python -m tests.campaign --seconds 1800

hunt: .venv/test  ## 20,000 random tables, models and scorings against scikit-learn's cross_val_score
	$(BIN)/python -m tests.hunt --cases 20000

mutants: .venv/test  ## 300 deliberate changes to the package, and the share that the tests notice
	$(BIN)/python -m tests.mutants

docs: .venv/docs  ## build the documentation into docs/_build
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build

wheel: .venv/release  ## build wheel and source archive, check them, try the wheel on its own
	rm -rf dist build .venv-wheel
	$(BIN)/python -m build --outdir dist
	$(BIN)/python -m tests.packaging.contents dist
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/python -m pip install --quiet "$$(ls dist/*.whl)[report,plot,exact]"
	.venv-wheel/bin/python -I tests/packaging/readme.py

packages:  ## install Chromium, Weka and a JDK for the tests, with apt-get as root, where missing
	@missing=; \
	for name in chromium chromium-browser google-chrome; do command -v $$name; done | grep -q . \
	  || missing="$$missing chromium"; \
	test -e /usr/share/java/weka.jar || missing="$$missing weka"; \
	command -v javac >/dev/null || missing="$$missing default-jdk-headless"; \
	/sbin/ldconfig -p 2>/dev/null | grep -q libgomp.so.1 || missing="$$missing libgomp1"; \
	if test -z "$$missing"; then echo "Chromium, Weka and the JDK are installed."; \
	elif command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	    --no-install-recommends $$missing; \
	else echo "Not installed:$$missing; the tests that need them are skipped."; fi

ci: packages .venv/test .venv/docs  ## everything that a change must pass, in a fresh environment
	$(MAKE) test PYTEST_FLAGS='--must-run tests/must_run.txt'
	SCIPY_ARRAY_API=1 $(BIN)/python -m pytest -q -k check_array_api_input tests
	$(MAKE) test-clusters PYTEST_FLAGS='-k dask'
	$(MAKE) docs
	$(MAKE) wheel

clean:  ## remove what can be made again
	rm -rf .venv .venv-oldest .venv-wheel docs/_build docs/generated docs/auto_examples build dist *.egg-info

.PHONY: help setup demo test test-clusters test-oldest lint coverage bench papers campaign hunt mutants docs wheel packages ci clean
