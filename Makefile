# A thin layer over the CMake presets: every target works on a fresh clone. `make help` lists them.

# Jobs: JOBS=N or -jN where given, else all cores.
JOBS ?= $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(shell nproc))
PREFIX ?= /usr/local

.NOTPARALLEL:  # targets share build folders; the parallelism is inside them
.DEFAULT_GOAL := build
.PHONY: help setup setup-test setup-lint setup-bench build test test-asan test-tsan demo bench bench-micro lint format install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:
	@scripts/setup build

setup-test:
	@scripts/setup test

setup-lint:
	@scripts/setup lint

setup-bench:
	@scripts/setup bench

# Ninja itself sees when a CMakeLists.txt changes, but not when a preset does.
build/build.ninja: CMakePresets.json | setup
	@cmake --preset release --log-level=WARNING >/dev/null
	@touch $@

build-%/build.ninja: CMakePresets.json | setup
	@cmake --preset $* --log-level=WARNING >/dev/null
	@touch $@

build: setup build/build.ninja ## the library and the program, build/bin/lass0
	cmake --build --preset release -j $(JOBS) --target lass0_app

test: setup-test build/build.ninja ## build and run all tests
	cmake --build --preset release -j $(JOBS)
	ctest --preset release -j $(JOBS)

test-asan: ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
test-tsan: ## all tests under ThreadSanitizer
test-asan test-tsan: test-%: setup build-%/build.ninja
	cmake --build --preset $* -j $(JOBS)
	ctest --preset $* -j $(JOBS)

demo: build ## the paper's synthetic experiment, small
	@build/bin/lass0 demo

bench: setup-bench build/build.ninja ## lass0 beside its peers: all of it, BENCH="wide tiny" or BENCH=--quick
	cmake --build --preset release -j $(JOBS) --target lass0_app lass0_lasso_path
	@cd benchmarks && python3 -m peers $(BENCH)

bench-micro: setup build/build.ninja ## build and run the micro-benchmarks
	cmake --build --preset release -j $(JOBS) --target lass0_benchmarks
	@for program in build/bin/bench_*; do echo "== $$program"; $$program || exit 1; done

lint: setup-lint build/build.ninja ## check formatting (clang-format) and code (clang-tidy)
	@JOBS=$(JOBS) scripts/lint

format: setup-lint ## format all C++ files in place
	@git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' | xargs clang-format -i

install: build ## install to PREFIX (/usr/local); DESTDIR is respected
	cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	rm -rf build build-debug build-asan build-tsan
