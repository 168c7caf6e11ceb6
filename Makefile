# `make help` tells what there is.
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE = swift build -c release --static-swift-stdlib
BIN = .build/release
UNITS = $(DESTDIR)$(PREFIX)/share/systemd/user
SOURCES = Package.swift $(shell find Sources Protocol -type f)

.PHONY: help run test soak bench install uninstall clean build lint

help:
	@echo 'make run        builds, starts a daemon of its own and makes a letter'
	@echo 'make test       runs every test (at most 25 minutes on two cores)'
	@echo 'make soak       the long tests: kill -9 rounds, slow readers, fuzzing; with figures'
	@echo 'make bench      the budgets, beside ovsdb-server, as a table of ratios'
	@echo 'make install    programs, user units, completions and man page to PREFIX ($(PREFIX)); DESTDIR too'
	@echo 'make uninstall  takes them away again'
	@echo 'make lint       checks the format of the sources'
	@echo 'make clean      removes everything that was built; what was written with make run stays in .run'

run: .make/build .make/bin/stamp
	@.ci/demo

build: .make/build .make/bin/stamp

test: .make/test
	@.ci/test

soak: .make/test .make/bin/stamp
	@.ci/soak

bench: .make/bench .make/bin/stamp
	Tests/Benchmarks/run.sh

# Stamps: what a step needs has been installed.
.make/build .make/test .make/bench: .ci/setup Tests/Conformance/requirements.txt
	@mkdir -p .make
	@.ci/setup $(@F)
	@touch $@

# The programs as they are installed: release, no debugger's tables, no Swift library beside them.
.make/bin/stamp: .make/build $(SOURCES)
	@$(RELEASE) --product kindverbd && $(RELEASE) --product kindverb
	@mkdir -p .make/bin
	@cp $(BIN)/kindverbd $(BIN)/kindverb .make/bin/
	@strip .make/bin/kindverbd .make/bin/kindverb
	@touch $@

install: .make/bin/stamp
	install -d $(DESTDIR)$(PREFIX)/bin $(UNITS)/kindverbd.service.d
	install -m 755 .make/bin/kindverbd .make/bin/kindverb $(DESTDIR)$(PREFIX)/bin/
	install -m 644 systemd/kindverbd.socket $(UNITS)/
	sed 's|@PREFIX@|$(PREFIX)|' systemd/kindverbd.service > $(UNITS)/kindverbd.service
	install -m 644 systemd/kindverbd.service.d/strict.conf $(UNITS)/kindverbd.service.d/
	install -d $(DESTDIR)$(PREFIX)/share/applications
	install -m 644 systemd/kindverb.desktop $(DESTDIR)$(PREFIX)/share/applications/
	@PREFIX='$(DESTDIR)$(PREFIX)' .ci/generated install
	@echo
	@case '$(PREFIX)' in /usr|/usr/local|"$$HOME/.local") ;; *) \
	  echo 'systemd does not look under $(PREFIX) by itself; first:'; \
	  echo '  systemctl --user link $(PREFIX)/share/systemd/user/kindverbd.socket $(PREFIX)/share/systemd/user/kindverbd.service';; esac
	@echo 'Now, as the person who will use it:'
	@echo '  systemctl --user daemon-reload'
	@echo '  systemctl --user enable --now kindverbd.socket kindverbd.service'

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/kindverbd $(DESTDIR)$(PREFIX)/bin/kindverb
	rm -f $(UNITS)/kindverbd.socket $(UNITS)/kindverbd.service
	rm -rf $(UNITS)/kindverbd.service.d
	rm -f $(DESTDIR)$(PREFIX)/share/applications/kindverb.desktop
	@PREFIX='$(DESTDIR)$(PREFIX)' .ci/generated uninstall
	@echo
	@echo 'A daemon that runs goes on until, as the person who uses it:'
	@echo '  systemctl --user disable --now kindverbd.socket kindverbd.service'
	@echo 'What was written stays in ~/.local/share/kindverb.'

lint:
	swift format lint --strict --recursive Sources Tests Package.swift

clean:
	rm -rf .build .make
	@[ ! -e .run ] || echo 'What was written with make run stays in .run; rm -r .run throws it away.'
