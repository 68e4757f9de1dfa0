# SPDX-License-Identifier: BSD-3-Clause
#
# The few commands a user needs; CMake does the work. `make demo` and `make test`
# set up what is missing (tools/setup.sh), build, and run.
BUILD ?= build
PREFIX ?= /usr/local
PYTHON ?= python3
JOBS ?= $(shell nproc)
VENV := $(BUILD)/venv
CMAKE_FLAGS ?=
BENCH ?=

.PHONY: all setup demo test test-asan test-tsan bench install docs clean

all: $(BUILD)/build.ninja
	cmake --build $(BUILD) -j $(JOBS)

setup:
	@tools/setup.sh

$(BUILD)/build.ninja: | setup
	cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS)

# The report's Python packages, in a virtual environment of the build folder.
$(VENV)/ready: report/pyproject.toml | setup
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -e 'report[test]'
	touch $@

demo: all $(VENV)/ready
	$(VENV)/bin/mpt run --build $(BUILD) --out $(BUILD)/demo --demo

# The laboratory in five minutes; BENCH="--full --vs openmpi" and the like say otherwise.
bench: all $(VENV)/ready
	$(VENV)/bin/mpt bench --build $(BUILD) --out $(BUILD)/bench-out $(BENCH)

test: all $(VENV)/ready
	ctest --test-dir $(BUILD) --output-on-failure -LE nightly -j $(JOBS)
	$(VENV)/bin/python -m pytest -q report

# The same tests with the sanitizers, in build folders of their own.
test-asan:
	$(MAKE) all BUILD=$(BUILD)-asan CMAKE_FLAGS="-DMPT_SANITIZE=address,undefined -DMPT_BENCH=OFF $(CMAKE_FLAGS)"
	ctest --test-dir $(BUILD)-asan --output-on-failure -LE 'nightly|nosan' -E '\.(1|3|8|tcp4|ofi4)$$' -j $(JOBS)

test-tsan:
	$(MAKE) $(BUILD)-tsan/build.ninja BUILD=$(BUILD)-tsan CMAKE_FLAGS="-DMPT_SANITIZE=thread -DMPT_BENCH=OFF $(CMAKE_FLAGS)"
	cmake --build $(BUILD)-tsan -j $(JOBS) --target tsan_tests
	ctest --test-dir $(BUILD)-tsan --output-on-failure -L tsan -LE 'ofi|nightly' -j $(JOBS)

install: all
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

docs:
	$(PYTHON) tools/environment_page.py > docs/environment.md
	$(PYTHON) man/environment.py

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan
