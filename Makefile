# The front door. CMake does the building; this file says what there is to do.

PREFIX  ?= /usr/local
DESTDIR ?=
TIME    ?= 60
QUICK   ?=
EXPORT  ?=

jobs := $(shell nproc 2>/dev/null || echo 2)
comma := ,
# MAKEFLAGS anew, or the make inside CMake would argue with a -j given to this one.
build_in = MAKEFLAGS=--no-print-directory cmake --build $(1) --parallel $(jobs)
# If configuring fails, the likely reason is a package that is not there: name it.
configure = MAKEFLAGS= cmake --preset $(1) >/dev/null || { tools/setup --check $(2); exit 1; }

# The loader knows the libraries of /usr/local from a list that is made by root.
tell_loader = if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then \
	PATH="$$PATH:/usr/sbin:/sbin" ldconfig || echo 'The loader may not find libsito.so: ldconfig failed.' >&2; fi

.PHONY: help setup build run test bench lab fuzz amalgamation format check-rates check-cuckoo check-static check-tex check-hyphen check-kmer check-fresh install uninstall clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: ## install the Debian packages that are missing
	@tools/setup

build: ## build/sito, build/libsito.a, build/libsito.so; installs nothing
	@$(call configure,release,build)
	@$(call build_in,build)

run: ## set up, build, and put the system's word list through a filter
	@tools/setup build run
	@$(MAKE) --no-print-directory build
	@tools/demo

test: ## set up, build, and run every test
	@tools/setup build test lab
	@$(call configure,release -DSITO_TESTS=ON -DSITO_LAB=ON -DSITO_WERROR=ON,build test lab)
	@$(call configure,asan,build test)
	@$(call configure,tsan,build test)
	@for dir in build build-asan build-tsan; do $(call build_in,$$dir) || exit 1; done
	@tools/run-tests

bench: ## build and run the benchmarks; EXPORT=json, csv or md for one form only
	@tools/setup build bench
	@$(call configure,release -DSITO_BENCH=ON,build bench)
	@$(call build_in,build)
	@bench/run $(if $(EXPORT),--export $(EXPORT))

lab: ## build and run the experiments; QUICK=1 for sketches, below build/lab
	@tools/setup build lab
	@$(call configure,release -DSITO_LAB=ON,build lab)
	@$(call build_in,build)
	@for run in lab/*/run; do echo "== $$run"; QUICK=$(QUICK) "$$run" || exit 1; done
	@$(if $(QUICK),echo 'These are sketches$(comma) not to be cited: see build/lab/*/quick. What is in lab/ stays as it was.')

fuzz: ## feed each fuzz target for TIME=60 seconds
	@tools/setup build test
	@tools/fuzz $(TIME)

amalgamation: ## build/amalgamation/sito.c and sito.h, for those who copy two files
	@tools/amalgamate

format: ## lay out all C files by .clang-format
	@tools/format -i

check-rates: ## measure rates at 10 and 100 million keys, and beyond 2^33 bits; some minutes
	@tools/setup build test
	@$(call configure,release -DSITO_TESTS=ON,build test)
	@$(call build_in,build)
	@SITO_LONG=1 build/tests/stats/test_rates

check-cuckoo: ## millions of refused inserts, random calls and planned fills of cuckoo filters; an hour
	@tools/setup build test
	@$(call configure,release -DSITO_TESTS=ON,build test)
	@$(call build_in,build)
	@for test in unit/test_cuckoo unit/test_cuckoo_model stats/test_cuckoo_fills stats/test_cuckoo_moves \
	    stats/test_cuckoo_rates; do \
	    SITO_LONG=1 build/tests/$$test || exit 1; \
	done

check-static: ## builds of every size up to 20,000 with 20 seeds, and random ones up to 1e7; half an hour
	@tools/setup build test
	@$(call configure,release -DSITO_TESTS=ON,build test)
	@$(call build_in,build)
	@for test in test_fuse test_ribbon; do SITO_LONG=1 build/tests/unit/$$test || exit 1; done

check-tex: ## are our breaks TeX's? in all languages whose patterns Debian has; fetches 500 MB, some minutes
	@tools/setup build
	@$(call configure,release,build)
	@$(call build_in,build)
	@tools/check-tex

check-hyphen: ## are our breaks libhyphen's? under all of Debian's dictionaries; fetches 20 MB, some minutes
	@tools/setup build test
	@$(call configure,release -DSITO_TESTS=ON,build test)
	@$(call build_in,build)
	@tools/check-hyphen

check-kmer: ## every kind, rule and layout with all k-mers of a genome; some minutes
	@tools/setup build test
	@$(call configure,release -DSITO_TESTS=ON,build test)
	@$(call build_in,build)
	@SITO_LONG=1 tools/run-tests kmer/every

check-fresh: ## `make run` and `make test` on a bare Debian made for it; needs root
	@tools/setup fresh
	@tools/check-fresh

install: build ## to PREFIX=/usr/local, below DESTDIR=
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"
	@$(tell_loader)

uninstall: ## take away what the last install wrote; with the same DESTDIR=
	@cd build && DESTDIR="$(DESTDIR)" cmake -P ../cmake/uninstall.cmake
	@$(tell_loader)

clean: ## remove everything that was built
	rm -rf build build-*
