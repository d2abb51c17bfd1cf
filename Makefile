# make build · core · demo · test · tidy · docs · bench · bench-jobs · bench-peers · bench-complete · install · packages · check-long. Thin: the work is in tools/ and CMake.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# Libraries of src/ whose unit tests are built and run (read;text). CI leaves to the sanitizers what they run.
UNIT_TESTS ?= all

.PHONY: build core demo test check tidy docs bench bench-jobs bench-peers bench-complete install packages check-long clean dependencies

# The command-line programs, at build/twinset and beside it.
build: build/build.ninja
	@cmake --build build -j $(JOBS) --target twinset_programs twinset_engine_programs

# build/twinset alone, with the commands of the core: half the time.
core: build/build.ninja
	@cmake --build build -j $(JOBS) --target twinset_cli

# Builds, finds the duplicates of the bundled crawl, and shows them: quiet until then.
demo:
	@command -v python3 >/dev/null || tools/install_dependencies demo
	@tools/demo build/demo

define build_with_tests
@grep -qxF 'TWINSET_UNIT_TESTS:STRING=$(UNIT_TESTS)' build/CMakeCache.txt || cmake -DTWINSET_UNIT_TESTS='$(UNIT_TESTS)' build
@cmake --build build -j $(JOBS)
endef

# Everything that can be tested on this machine in minutes.
test: build/build.ninja
	$(build_with_tests)
	@tools/run_tests build

# The checks of the sources alone; nothing is built.
check:
	@tools/check_layers
	@tools/check_sizes
	@tools/check_names
	@tools/check_method_names
	@tools/check_equality
	@tools/check_docs
	@tools/check_format

# clang-tidy over the product: minutes. SINCE=REVISION: only what changed since.
tidy:
	@tools/install_dependencies tidy
	@tools/run_tidy $(if $(SINCE),--since $(SINCE))

# The site of the documents, in build/docs: searched, and checked for dead links.
docs:
	@tools/install_dependencies python
	@tools/make_docs build

bench:
	@tools/install_dependencies build test bench
	@cmake --preset bench
	@cmake --build build/bench -j $(JOBS)
	@tools/run_bench build/bench

# Whole jobs from compressed files to compressed files, 102 MB of rows unless N (documents) says otherwise, also by other
# tools, which it installs below build/bench-peers. PAGE=1: also put the tables into docs/benchmarks.md.
bench-jobs: build
	@bench/bench_jobs.py build --peers -n $(or $(N),70000) $(if $(PAGES),--pages $(PAGES)) $(if $(PAGE),--page)

# Beside other deduplicators, which it installs below build/bench-peers: about an hour. N: synthetic documents;
# PAGES: real pages; PEERS: only these; PAGE=1: also write docs/benchmarks-peers.md.
bench-peers: build
	@tools/install_dependencies peers || echo "without Java: Spark is not measured"
	@bench/dedup_peers/run.py build $(if $(N),-n $(N)) $(if $(PAGES),--pages $(PAGES)) $(if $(PEERS),--peers "$(PEERS)") $(if $(PAGE),--page)

# The complete join beside MinHash as the corpus grows. LARGEST: documents, 100000 if not given (a corpus of 10^6 needs
# 8 GB of disk); TEXTS: other real text; PAGE=1: also write docs/benchmarks-complete.md.
bench-complete: build
	@bench/bench_complete.py build $(if $(LARGEST),--largest $(LARGEST)) $(if $(TEXTS),--texts $(TEXTS)) $(if $(PAGE),--page)

install: build/build.ninja
	@cmake --build build -j $(JOBS) --target twinset_programs twinset_manual twinset_engine_programs
	@cmake --install build --prefix "$(PREFIX)"

# Debian packages and a tarball that carries its libraries, in build/packages (docs/packages.md).
packages: build
	@cmake --build build -j $(JOBS) --target twinset_manual
	@tools/install_dependencies packages
	@tools/make_packages build build/packages

# Hours of kills, seeds and large corpora: run it after changing what it checks. The stores of others need Go 1.25 and Rust.
check-long: build/build.ninja
	$(build_with_tests)
	@tools/run_tests --long build
	@tests/toy_method/run.py --parameter build
	@tests/python/wheels.py build
	@tools/compile_alone
	@$(MAKE) tidy

clean:
	rm -rf build

dependencies:
	@tools/install_dependencies

build/build.ninja: CMakePresets.json | dependencies
	@cmake --preset release
	@touch $@
