# The front door. Every target sets up what it needs (tools/setup) and can be called on a new machine.

# The plain build compiles every file alone and for speed; the quick one is for everything that is not measured.
PLAIN := build/default
QUICK := build/quick
JOBS := $(shell nproc)
# Tests wait for each other's answers as often as they compute.
TESTS_AT_ONCE := $(shell expr $(JOBS) + 1)
# How long each fuzzer and the torture loops run.
FUZZ_SECONDS ?= 20
TORTURE_SECONDS ?= 300

.PHONY: help setup demo demo-web build test lint build-cost bench check-all torture mutate fuzz install clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: ## Install the Debian packages that are missing, for building, testing and checking
	@tools/setup check

demo: ## Build patra quickly and harvest the built-in simulator end to end
	@tools/setup build
	@cmake --preset demo >/dev/null
	@cmake --build $(QUICK) --target patra_program patra_sim_program -j $(JOBS) -- --quiet
	@ln -sf quick/bin/patra build/patra && ln -sf quick/bin/patra-sim build/patra-sim
	@build/patra demo
	@echo "make demo-web shows the same in a browser, with four providers and faults"

demo-web: ## Build patra with its dashboard and show four simulated providers in the browser
	@tools/setup web
	@cmake --preset demo-web >/dev/null
	@cmake --build $(QUICK) --target patra_program patra_sim_program -j $(JOBS) -- --quiet
	@ln -sf quick/bin/patra build/patra && ln -sf quick/bin/patra-sim build/patra-sim
	@tools/demo_web $(QUICK)/bin

# The two programs as users run them.
build: ## Build the two programs for speed: build/patra and build/patra-sim
	@tools/setup web
	@cmake --preset programs >/dev/null
	@cmake --build $(PLAIN) --target patra_program patra_sim_program -j $(JOBS) -- --quiet
	@ln -sf default/bin/patra build/patra && ln -sf default/bin/patra-sim build/patra-sim

test: ## Build and run all tests
	@tools/setup test
	@cmake --preset quick >/dev/null
	@cmake --build $(QUICK) -j $(JOBS) -- --quiet
	@ln -sf quick/bin/patra build/patra && ln -sf quick/bin/patra-sim build/patra-sim
	@ctest --test-dir $(QUICK) --output-on-failure -j $(TESTS_AT_ONCE)

lint: setup ## Check format, layers, and clang-tidy on what changed
	@cmake --preset default >/dev/null
	@tools/lint

build-cost: ## Build everything anew and print the CPU seconds and the dearest files
	@tools/setup test
	@tools/build_cost

bench: setup ## Measure; prints ratios and this machine's own speed beside them
	@cmake --preset bench >/dev/null && cmake --build build/bench -j $(JOBS) -- --quiet
	@tools/bench

check-all: test ## Everything: ASan/UBSan and TSan by clang, fuzz, tidy on all files
	@tools/check_all

torture: setup ## Fail the disk at every call, simulate TORTURE_SEEDS worlds, storm, kill harvests, play every definition
	@cmake --preset default >/dev/null && cmake --build $(PLAIN) --target patra_program patra_torture patra_lose_server patra_matrix patra_infra_tests patra_simulation_tests patra_e2e_tests -j $(JOBS) -- --quiet
	@TORTURE_SECONDS=$(TORTURE_SECONDS) tools/torture

mutate: setup ## Take guards out of the code one by one; a test must notice each
	@tools/mutate

fuzz: setup ## Run every fuzzer for FUZZ_SECONDS
	@cmake --preset fuzz >/dev/null && cmake --build build/fuzz --target patra_fuzzers -j $(JOBS) -- --quiet
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz

PREFIX ?= /usr/local
install: build ## Install programs, definitions, manual pages and completions below PREFIX
	@cmake --install $(PLAIN) --prefix $(PREFIX) --component patra --strip

clean: ## Remove everything that was built
	@rm -rf build
