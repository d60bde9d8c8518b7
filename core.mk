# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# The pure files: compiled into the modules by Kbuild and, unchanged, into the
# user-space tests by tests/unit/Makefile.  A file listed here includes nothing
# but what tests/unit/shim offers.

SRCARCH ?= x86
include $(dir $(lastword $(MAKEFILE_LIST)))arch/$(SRCARCH)/objects.mk

# PE_PLAIN=1: as on an architecture that has neither jumps nor compiled hits, yet.
ifdef PE_PLAIN
$(foreach part,jump jump-pure code code-pure code-ftrace events events-pure,$(eval pe-arch-$(part) :=))
endif

pe-pure-core := $(pe-arch-pure) $(pe-arch-jump-pure) $(pe-arch-code-pure) kernel/know/kmem.o kernel/know/btf_check.o kernel/know/btf_elf.o

pe-pure-events := $(pe-arch-events-pure) $(addprefix kernel/trace/, \
	$(addprefix parse/, parse_err.o lex.o near.o parser.o cmd_parse.o arg_parse.o arg_words.o arg_hints.o btf_walk.o btf_fields.o btf_arg.o fetch_parse.o cast_parse.o \
		fetch_type.o suggest.o program.o filter_parse.o filter_pred.o trigger_parse.o hist_parse.o hist_field.o hist_expr.o hist_var.o hist_ref.o hist_action.o hist_text.o \
		session_parse.o limit_parse.o event_text.o) \
	$(addprefix hit/, fetch_hit.o filter_hit.o table_hit.o vars_hit.o elapsed.o since.o) \
	$(addprefix ring/, rb_page.o rb.o rb_read.o rb_mem.o rb_dump.o) \
	$(addprefix table/, fit.o merge.o view.o table_print.o key_print.o action_print.o table_text.o hist_show.o) \
	$(addprefix print/, record_print.o value_print.o text_print.o marker_print.o format_print.o safe_text.o))
