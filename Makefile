# SPDX-License-Identifier: BSD-3-Clause
#
# The few commands a user needs; CMake does the work (CMakePresets.json has the same builds). `make demo` and `make test`
# set up what is missing (tools/setup.sh), build, and run.
BUILD ?= build
PREFIX ?= /usr/local
PYTHON ?= python3
# One more than there are cores: a compiler waits for files now and then.
JOBS ?= $(shell expr $$(nproc) + 1)
# A test of several PEs takes two of these places (cmake/MptTest.cmake), and most tests wait for half of their time.
TESTS ?= $(shell expr 2 \* $$(nproc))
VENV := $(BUILD)/venv
LINT := $(BUILD)/lint-venv
SITE := $(BUILD)/site-venv
PRESET ?= release
CMAKE_FLAGS ?=
BENCH ?=
RELEASE ?=
MACHINE ?=

.PHONY: all help setup demo test one debug test-asan test-tsan lint lint-tools bench install wheel deb release uninstall docs site clean

all: $(BUILD)/build.ninja ## build library, tools, tests and benchmarks in build/
	cmake --build $(BUILD) -j $(JOBS)

help: ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
	@echo "With BUILD=folder, PREFIX=folder, JOBS=n, CMAKE_FLAGS=\"-D...\"; library and tools only: CMAKE_FLAGS=\"-DMPT_TESTS=OFF -DMPT_BENCH=OFF\""

setup: ## bring the packages that are missing
	@tools/setup.sh

$(BUILD)/build.ninja: | setup
	cmake -S . --preset $(PRESET) -B $(BUILD) $(CMAKE_FLAGS)

# The report's Python packages, in a virtual environment of the build folder.
$(VENV)/ready: report/pyproject.toml | setup
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -e 'report[test]'
	touch $@

demo: all $(VENV)/ready ## the three tests of the T3D newsletter, with a report
	$(VENV)/bin/mpt run --build $(BUILD) --out $(BUILD)/demo --demo

# The laboratory in five minutes; BENCH="--full --vs openmpi" and the like say otherwise.
bench: all $(VENV)/ready ## the laboratory in five minutes; BENCH="--full --vs openmpi"
	$(VENV)/bin/mpt bench --build $(BUILD) --out $(BUILD)/bench-out $(BENCH)

test: all $(VENV)/ready ## all tests but the nightly ones
	ctest --test-dir $(BUILD) --output-on-failure -LE nightly -j $(TESTS)
	$(VENV)/bin/python -m pytest -q report

one: $(BUILD)/build.ninja ## build and run the tests whose names begin with T, as T=mpi.p2p
	@[ -n "$(T)" ] || { echo "make one T=mpi.p2p: which tests? ctest --test-dir $(BUILD) -N lists them" >&2; exit 1; }
	@$(PYTHON) tools/one.py $(BUILD) "$(T)" $(JOBS)

debug: ## library, tools and tests for a debugger (-O0 -g3) in build-debug/
	$(MAKE) all BUILD=$(BUILD)-debug PRESET=debug

# The same tests with the sanitizers, in build folders of their own.
test-asan: ## tests with the sanitizers of addresses and undefined behaviour
	$(MAKE) all BUILD=$(BUILD)-asan PRESET=asan
	ctest --test-dir $(BUILD)-asan --output-on-failure -LE 'nightly|nosan' -E '\.(1|3|8|tcp4|ofi4)$$' -j $(TESTS)

test-tsan: ## tests of threads with the thread sanitizer
	$(MAKE) $(BUILD)-tsan/build.ninja BUILD=$(BUILD)-tsan PRESET=tsan
	cmake --build $(BUILD)-tsan -j $(JOBS) --target tsan_tests
	ctest --test-dir $(BUILD)-tsan --output-on-failure -L tsan -LE 'ofi|nightly' -j $(TESTS)

# Checkers with the versions that are pinned, and what mypy must see of the report.
$(LINT)/ready: tools/lint-requirements.txt report/pyproject.toml | setup
	$(PYTHON) -m venv $(LINT)
	$(LINT)/bin/pip install --quiet --disable-pip-version-check -r tools/lint-requirements.txt -e 'report[test,lint]'
	touch $@

lint-tools: $(LINT)/ready

lint: $(LINT)/ready ## layers, sizes, layout, spelling, shell, Python, clang-tidy; CHECKS="layout tidy": only these
	$(PYTHON) tools/lint.py --build $(BUILD) $(CHECKS)

install: $(BUILD)/build.ninja ## library and tools to PREFIX; `make all install`: the benchmarks, too
	cmake --build $(BUILD) -j $(JOBS) --target toolkit
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

wheel: ## the Python wheel mpt-toolkit (packaging/README.md), in build-wheel/dist; MACHINE=aarch64: for that one
	@$(PYTHON) packaging/wheel/build.py --build $(BUILD)-wheel$(addprefix -,$(MACHINE)) --jobs $(JOBS) $(addprefix --machine ,$(MACHINE))

deb: ## packages for Debian and Ubuntu (packaging/README.md), in build/deb
	@$(PYTHON) packaging/deb/build.py --build $(BUILD)/deb --jobs $(JOBS)

release: ## what a release consists of, in build-release; VERSION=X.Y.Z RELEASE="--wheel --site build --tag"
	@$(PYTHON) tools/release/release.py "$(VERSION)" --out $(BUILD)-release $(RELEASE)

uninstall: ## remove what the last `make install` from this build folder put somewhere
	@[ -f $(BUILD)/install_manifest.txt ] || { echo "uninstall: nothing was installed from $(BUILD)" >&2; exit 1; }
	@tools/uninstall.sh $(BUILD)/install_manifest.txt "$(DESTDIR)"

docs: ## write the pages that are made from tables
	$(PYTHON) tools/environment_page.py > docs/environment.md
	$(PYTHON) man/environment.py
	$(PYTHON) tools/adr_index.py

$(SITE)/ready: tools/site-requirements.txt | setup
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/pip install --quiet --disable-pip-version-check -r tools/site-requirements.txt
	touch $@

site: $(BUILD)/build.ninja $(SITE)/ready ## the documentation and the reference as a site, build/site/index.html
	cmake --build $(BUILD) -j $(JOBS) --target mpt_reference
	$(PYTHON) tools/site/build.py $(BUILD)

clean: ## remove all build folders
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-debug $(BUILD)-wheel $(BUILD)-release
