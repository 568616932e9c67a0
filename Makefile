# A thin layer over the CMake presets: every target works on a fresh clone. `make help` lists them.

# Jobs: JOBS=N or -jN where given, else all cores.
JOBS ?= $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(shell nproc))
PREFIX ?= /usr/local

.NOTPARALLEL:  # targets share build folders; the parallelism is inside them
.DEFAULT_GOAL := build
.PHONY: help setup setup-test setup-lint setup-reproduce setup-bench setup-python setup-engines setup-docs setup-blas build python test test-cpp test-python test-engines test-install \
  test-asan test-tsan test-blas demo docs reproduce hard evidence bench bench-micro lint format install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:
	@scripts/setup build

setup-test:
	@scripts/setup test

setup-lint:
	@scripts/setup lint

setup-reproduce:
	@scripts/setup reproduce

setup-bench:
	@scripts/setup bench

setup-python:
	@scripts/setup python

setup-engines:
	@scripts/setup engines

setup-docs:
	@scripts/setup docs

setup-blas:
	@scripts/setup blas

# Ninja itself sees when a CMakeLists.txt changes, but not when a preset does.
build/build.ninja: CMakePresets.json | setup
	@cmake --preset release --log-level=WARNING >/dev/null
	@touch $@

build-%/build.ninja: CMakePresets.json | setup
	@cmake --preset $* --log-level=WARNING >/dev/null
	@touch $@

build: setup build/build.ninja ## the library and the program, build/bin/lass0
	cmake --build --preset release -j $(JOBS) --target lass0_app

python: setup-python ## the Python package, in the environment build/venv
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) build/venv/bin/python -m pip install --quiet --disable-pip-version-check \
	  --no-build-isolation --no-deps --editable .

test: test-cpp test-python ## build and run all tests

test-cpp: setup-test build/build.ninja ## the tests of the library and the program
	cmake --build --preset release -j $(JOBS)
	ctest --preset release -j $(JOBS)

test-python: python ## the tests of the Python package
	OPENBLAS_NUM_THREADS=1 build/venv/bin/python -m pytest -q -n $(JOBS)

test-engines: setup-engines python ## moments from Dask, Spark and DuckDB, arrays of PyTorch, which make test does without
	OPENBLAS_NUM_THREADS=1 timeout 900 build/venv/bin/python -m pytest -q python/tests_engines
	timeout 600 scripts/test_torch

test-install: setup-python ## a fresh environment, pip install and the README's example
	scripts/test_install

docs: setup-docs python ## the documentation of the Python package, build/docs/index.html
	build/venv/bin/python -m sphinx -q -W --keep-going -j $(JOBS) -d build/doctrees python/docs build/docs

test-asan: ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
test-tsan: ## all tests under ThreadSanitizer
test-asan test-tsan: test-%: setup build-%/build.ninja
	cmake --build --preset $* -j $(JOBS)
	ctest --preset $* -j $(JOBS)

# BLAS_AREAS="search moments" builds and runs the tests of these areas alone. The Fortran BLAS is the reference BLAS where it is there, else
# the one that CMake finds.
BLAS_AREAS ?=

build-blas-fortran/build.ninja: CMakePresets.json | setup-blas
	@reference=$$(ls /usr/lib/*/blas/libblas.so 2>/dev/null | head -n 1); \
	cmake --preset blas-fortran --log-level=WARNING $${reference:+-DBLAS_LIBRARIES=$$reference} >/dev/null
	@touch $@

test-blas: test-blas-fortran test-blas-eigen ## all C++ tests with another BLAS, and without; BLAS_AREAS="search moments"
test-blas-fortran test-blas-eigen: test-%: setup-test setup-blas build-%/build.ninja
	cmake --build --preset $* -j $(JOBS) $(BLAS_AREAS:%=--target test_%)
	ctest --preset $* -j $(JOBS) $(if $(BLAS_AREAS),-R '^($(subst $(eval ) ,|,$(strip $(BLAS_AREAS))))\.')

demo: build ## the paper's synthetic experiment, small
	@build/bin/lass0 demo

reproduce: setup-reproduce build/build.ninja ## repeat the paper's table and figure; REPRODUCE="figure1 htt", --full
	cmake --build --preset release -j $(JOBS) --target lass0_paper
	@python3 experiments/paper/run.py $(REPRODUCE)

hard: setup-reproduce build/build.ninja ## how often lass0 and other methods find the true support; HARD="phase cv", --tiny
	cmake --build --preset release -j $(JOBS) --target lass0_app lass0_hard
	@python3 experiments/hard/run.py $(HARD)

evidence: setup build/build.ninja ## do prediction intervals and p-values keep what they promise; EVIDENCE="p_values", --tiny
	cmake --build --preset release -j $(JOBS) --target lass0_evidence
	@python3 experiments/evidence/run.py $(EVIDENCE)

bench: setup-bench build/build.ninja ## compare lass0 with other packages; BENCH="wide tiny", BENCH=--quick
	cmake --build --preset release -j $(JOBS) --target lass0_app lass0_serve
	@cd benchmarks && python3 -m peers $(BENCH)

bench-micro: setup build/build.ninja ## build and run the micro-benchmarks
	cmake --build --preset release -j $(JOBS) --target lass0_benchmarks
	@for program in build/bin/bench_*; do echo "== $$program"; $$program || exit 1; done

lint: setup-lint setup-python build/build.ninja ## check formatting (clang-format, ruff) and code (clang-tidy, ruff)
	@JOBS=$(JOBS) scripts/lint

format: setup-lint ## format all C++ files in place
	@git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' | xargs clang-format -i

install: build ## install to PREFIX (/usr/local); DESTDIR is respected
	cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	rm -rf build build-debug build-asan build-tsan build-blas-*
