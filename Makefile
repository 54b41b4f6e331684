# The front door. Every target sets up what it needs (tools/setup) and can be called on a new machine.

BUILD := build/default
JOBS := $(shell nproc)
# How long each fuzzer and the torture loops run.
FUZZ_SECONDS ?= 20
TORTURE_SECONDS ?= 300

.PHONY: help setup demo build test lint bench check-all torture mutate fuzz install clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: ## Install the Debian packages that are missing
	@tools/setup

demo: programs ## Build patra and harvest the built-in simulator end to end
	@build/patra demo

# The two programs without the tests: what `make demo`, `make build` and `make install` need.
.PHONY: programs
programs: setup
	@cmake --preset default -DPATRA_BENCH=OFF >/dev/null
	@cmake --build $(BUILD) --target patra_program patra_sim_program -j $(JOBS) -- --quiet
	@ln -sf default/bin/patra build/patra && ln -sf default/bin/patra-sim build/patra-sim

build: programs ## Build the two programs: build/patra and build/patra-sim

test: setup ## Build and run all tests
	@cmake --preset default >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) -- --quiet
	@ln -sf default/bin/patra build/patra && ln -sf default/bin/patra-sim build/patra-sim
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

lint: setup ## Check format, layers and clang-tidy on what changed
	@cmake --preset default >/dev/null
	@tools/lint

bench: setup ## Measure; prints ratios and this machine's own speed beside them
	@cmake --preset bench >/dev/null && cmake --build build/bench -j $(JOBS) -- --quiet
	@tools/bench

check-all: test ## Everything: ASan/UBSan, TSan, clang, fuzz, tidy on all files
	@tools/check_all

torture: setup ## Fail the disk at every call, simulate TORTURE_SEEDS worlds, storm, kill harvests, play every definition
	@cmake --preset default >/dev/null && cmake --build $(BUILD) --target patra_torture patra_matrix patra_infra_tests patra_simulation_tests patra_e2e_tests -j $(JOBS) -- --quiet
	@TORTURE_SECONDS=$(TORTURE_SECONDS) tools/torture

mutate: setup ## Take guards out of the code one by one; a test must notice each
	@tools/mutate

fuzz: setup ## Run every fuzzer for FUZZ_SECONDS
	@cmake --preset fuzz >/dev/null && cmake --build build/fuzz --target patra_fuzzers -j $(JOBS) -- --quiet
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz

PREFIX ?= /usr/local
install: programs ## Install both programs and the definitions below PREFIX
	@cmake --install $(BUILD) --prefix $(PREFIX) --component patra

clean: ## Remove everything that was built
	@rm -rf build
