# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# For people. kbuild reads Kbuild, not this file.

# The kernel to build for: KVER=..., or KDIR=its header tree.
KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
# The kernel in the VM of demo, shell and sweep.
KERNEL ?= 6.12-cloud

all: modules tool

modules: need-headers
	$(MAKE) -C $(KDIR) M=$(CURDIR) W=1 modules

# The command probe-events, in user space.
tool:
	@$(MAKE) --no-print-directory -C tools/probe-events

# PREFIX (/usr/local) and DESTDIR say where the command goes.
install: modules tool
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_DIR=extra modules_install
	depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(release)
	@$(MAKE) --no-print-directory -C tools/probe-events install

# Where modules_install puts them: the headers may be of another kernel than the one that runs.
release = $(or $(shell cat $(KDIR)/include/config/kernel.release 2>/dev/null),$(KVER))
modules_at = $(INSTALL_MOD_PATH)/lib/modules/$(release)

# What "install" has put there, with the same variables. What is loaded stays loaded.
uninstall:
	rm -f $(foreach m,probe_arena probe_core probe_events,$(modules_at)/extra/$m.ko \
		$(addprefix $(modules_at)/extra/$m.ko,.gz .xz .zst))
	rmdir $(modules_at)/extra 2>/dev/null || :
	test ! -d $(modules_at) || depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(release)
	@$(MAKE) --no-print-directory -C tools/probe-events uninstall

need-headers:
	@test -e $(KDIR)/Makefile || { echo "no kernel headers at $(KDIR):" \
		"apt install linux-headers-$(KVER), or set KDIR"; exit 1; }

# Debian packages; DEB has options of scripts/deb/make.
deb:
	@scripts/prereq deb
	@scripts/deb/make $(DEB)

demo: prereq
	@tests/demo/run $(KERNEL)

shell: prereq
	@tests/demo/run -i $(KERNEL)

test: prereq
	@scripts/test

# Everything, on every kernel, at full length; PE_LONG= leaves the length as in test.
test-all: prereq
	@PE_LONG=$${PE_LONG-1} scripts/test -a

# The packages on a real Debian, in a chroot and in a virtual machine; DEB has options of tests/deb/run.
test-deb: prereq
	@tests/deb/run $(DEB)

# Of 6.12 and of 6.1; SELFTESTS has options and cases of tests/selftests/run.
selftests: prereq
	@tests/selftests/run $(SELFTESTS)

# Every function of KERNEL, in slices; MODES, SEED, SLICES and SLICE as tests/sweep/run has them.
sweep: prereq
	@tests/sweep/run $(foreach k,$(KERNEL),-k $k) $(if $(MODES),-m "$(MODES)") $(if $(SEED),-s $(SEED)) \
		$(if $(SLICES),-n $(SLICES)) $(if $(SLICE),-i $(SLICE)) $(if $(PART),-p $(PART))

# The cost of a hit; BENCH has options and kernels of tests/bench/run.
bench: prereq
	@tests/bench/run $(BENCH)

fuzz: prereq
	@$(MAKE) --no-print-directory -C tests/unit fuzz

style: prereq
	@scripts/style

# Would the newest kernels of unstable and experimental break anything?
newest: prereq
	@scripts/newest $(NEWEST)

# README's table of kernels; SUPPORTED has options and kernels of scripts/supported.
supported: prereq
	@scripts/supported $(SUPPORTED)

sparse: prereq
	@out=$$(mktemp -d) && for k in $$(scripts/kernel list | grep -- -); do \
		echo "sparse: $$k"; scripts/build-modules -s $$k $$out || exit 1; done; rm -rf $$out

prereq:
	@scripts/prereq

clean:
	@if test -e $(KDIR)/Makefile; then $(MAKE) -C $(KDIR) M=$(CURDIR) clean; fi
	@$(MAKE) --no-print-directory -C tests/unit clean
	@$(MAKE) --no-print-directory -C tools/probe-events clean

help:
	@echo 'On this machine:'
	@echo '  make             build the modules for the running kernel (KVER=, KDIR=) and the command'
	@echo '  make install     put them into /lib/modules and /usr/local (PREFIX=), as root;'
	@echo '                   then: modprobe probe_events'
	@echo '  make uninstall   remove what was put there'
	@echo '  make deb         Debian packages: modules for each kernel whose headers are here (DEB=options)'
	@echo '  make clean       remove what was built here'
	@echo 'In throw-away virtual machines (KERNEL=6.12-cloud, 6.12-rt, 6.1-cloud, bare, debug, ...):'
	@echo '  make demo        see probes fire in a stock kernel'
	@echo '  make shell       a shell with the modules loaded, and the command'
	@echo '  make test        unit, fuzz smoke, decoder, style, VM tests where they say most: 15 minutes to an hour'
	@echo '  make test-all    every VM test on every kernel, at full length: hours (PE_LONG= for less)'
	@echo '  make test-deb    the Debian packages on a real Debian: three quarters of an hour'
	@echo '  make selftests   the kernel'"'"'s own ftrace selftests on our files, 6.12 and 6.1'
	@echo '  make sweep       probe every function of a kernel while everything happens: an hour or two'
	@echo '  make bench       cost of a hit in instructions, ours and the stock kernel'"'"'s'
	@echo 'Checks:'
	@echo '  make fuzz        every fuzz target for ten minutes'
	@echo '  make style       checkpatch, kernel-doc, shellcheck, documents; which part uses which, names'
	@echo '  make sparse      sparse for every kernel'
	@echo '  make newest      what the newest kernels of unstable and experimental lack (NEWEST=kernels)'
	@echo '  make supported   measure each kernel for the table in README (SUPPORTED=options): an hour or two'
	@echo 'One VM test: tests/func/run -h      Any script in a VM: tests/vm/run -h'

.PHONY: all modules tool install uninstall need-headers deb demo shell test test-all test-deb selftests sweep bench fuzz style newest supported sparse prereq clean help
