# Every target sets itself up: on a fresh clone it makes .venv and installs the project with its tools there.
# Needed beforehand: make, Python 3.11 or newer, and a package index that pip can reach.

# The first of these that runs, is new enough and can make a virtual environment. `make PYTHON=...` chooses another.
PYTHON ?= $(shell for python in python3.14 python3.13 python3.12 python3.11 python3; do \
	"$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo "$$python"; break; }; done)

VENV  := .venv
BIN   := $(VENV)/bin
READY := $(VENV)/.ready
CODE  := rulelang benchmarks tests
# Each core begins with half of the tests, in their order: what a file's tests share is made once. Then it takes the other's.
BOTH  := -n 2 --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help demo docs studio screenshots pictures vsix wheel test slow check lint types rulesets fresh bench bench-peers mutation fuzz fuzz-million fmt clean

# One target for each shipped ruleset.
SHIPPED := $(patsubst rulesets/%/,check-%,$(wildcard rulesets/*/))
.PHONY: $(SHIPPED)

# The studio's pages: made by esbuild of what stands in WEB, with packages of the versions in its lock file.
WEB   := rulelang/apps/studio/web
PAGES := rulelang/apps/studio/static/index.html

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	|| sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1  \2/p' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer, with venv and ensurepip, was not found; try make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

studio: $(PAGES) ## the studio's pages, in rulelang/apps/studio/static (takes Node 18 or newer, and npm)

$(WEB)/node_modules/.ready: $(WEB)/package-lock.json
	npm --prefix $(WEB) ci --no-fund --no-audit --loglevel=error
	@touch $@

$(PAGES): $(WEB)/node_modules/.ready $(shell find $(WEB)/src $(WEB)/build.mjs $(WEB)/tsconfig.json -type f 2>/dev/null)
	npm --prefix $(WEB) run --silent --loglevel=error build

screenshots: $(READY) $(PAGES) ## pictures of every ruleset's table, in build/screenshots (takes chromium)
	$(BIN)/python -W ignore -m tests.studio.screenshots build/screenshots

pictures: $(READY) $(PAGES) ## the pictures of the documentation, in docs/pictures (takes chromium)
	$(BIN)/python -W ignore -m tests.studio.pictures docs/pictures

wheel: $(READY) $(PAGES) ## the wheel, with the studio's pages in it, in dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

demo: $(READY) ## check the ruleset of Evolution, then watch four bots play it
	$(BIN)/rulelang check rulesets/evolution
	$(BIN)/rulelang play evolution --bots 4 --seed 7

test: $(READY) ## the tests, on two cores (the slow ones are in `make slow`)
	$(BIN)/python -m pytest $(BOTH) -m "not slow and not browser"

slow: $(READY) ## tests that take long: more games, more mutations
	$(BIN)/python -m pytest $(BOTH) -m slow

# On both cores: first what is no test. The scenarios and the coverage of the rulesets are among that, not in the tests again.
check: $(READY) ## everything that must hold before a change lands
	$(MAKE) --jobs=2 --output-sync=target types lint fresh rulesets
	$(BIN)/python -m pytest $(BOTH) -m "not slow and not browser" --deselect tests/test_rulesets.py::test_scenario \
		--deselect tests/test_rulesets.py::test_every_numbered_rule_has_code_and_a_scenario

lint: $(READY) ## style, formatting and spelling
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/codespell rulelang benchmarks rulesets examples
	$(BIN)/codespell --builtin clear,rare,en-GB_to_en-US --ignore-regex '`[^`]*`|^    .*$$' --skip STYLE.md,builtins.md *.md docs

types: $(READY) ## mypy, strict
	$(BIN)/mypy --strict rulelang benchmarks

fresh: $(READY) ## generated files are what their generator writes today
	$(BIN)/rulelang docs --check

rulesets: $(SHIPPED) ## check, scenarios and rule coverage of every shipped ruleset

$(SHIPPED): check-%: $(READY)
	@set -e; for command in check 'fmt --check' test coverage lint; do \
		echo "rulelang $$command rulesets/$*"; $(BIN)/rulelang $$command rulesets/$*; \
	done

docs: $(READY) ## the documentation as a site, in build/docs
	$(BIN)/python -m sphinx -q -W --keep-going -c docs/site docs build/docs
	@echo "build/docs/README.html"

vsix: ## the extension of VS Code, as build/rulelang.vsix (needs npm)
	@command -v npm >/dev/null || { echo "npm, which comes with Node.js 20 or newer, was not found"; exit 1; }
	@mkdir -p build
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent package

bench: $(READY) ## the speed figures, each beside what has to hold and what is aimed at
	$(BIN)/python -m benchmarks

bench-peers: $(READY) ## other engines on like games, in turn (installs OpenSpiel and PGX into build/peers)
	$(BIN)/python -m benchmarks.peers

mutation: $(READY) ## mistakes put into every shipped ruleset, and what caught each (half an hour)
	$(BIN)/python -m tests.mutation

# So many minutes every decision of each ruleset is tested; then there are more games, tested natively.
MINUTES := 2

fuzz: $(READY) ## games of every shipped ruleset that look for mistakes (some 3 minutes each; MINUTES=1: some 2)
	@found=0; for ruleset in rulesets/*/; do \
		out=build/findings/$$(basename $$ruleset); \
		$(BIN)/rulelang fuzz $${ruleset%/} --minutes $(MINUTES) --against native --out $$out || found=1; \
		$(BIN)/rulelang fuzz $${ruleset%/} --games 2000 --inside --backend native --out $$out || found=1; \
	done; exit $$found

fuzz-million: $(READY) ## a million games of every shipped ruleset (hours); goes on where it was broken off
	@set -e; for ruleset in rulesets/*/; do \
		name=$$(basename $$ruleset); RULELANG_CC_PATIENCE=3600 \
			$(BIN)/rulelang fuzz $${ruleset%/} --games 1000000 --inside --backend native \
			--against python --resume build/million/$$name.jsonl --out build/findings/$$name; \
	done

fmt: $(READY) ## put the Python code into its canonical form
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

clean: ## remove what was made here, the virtual environment too
	rm -rf $(VENV) build dist rulelang/apps/studio/static $(WEB)/node_modules editors/vscode/dist editors/vscode/node_modules
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find rulelang benchmarks tests -name __pycache__ -type d -prune -exec rm -rf {} +
