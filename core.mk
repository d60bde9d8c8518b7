# SPDX-License-Identifier: GPL-2.0
# The pure files: compiled into the modules by Kbuild and, unchanged, into the
# user-space tests by tests/unit/Makefile.  A file listed here includes nothing
# but what tests/unit/shim offers.

pe-pure-core := arch/x86/insn.o arch/x86/insn_check.o arch/x86/insn_fixup.o \
		arch/x86/emulate.o arch/x86/flow.o arch/x86/return_words.o arch/x86/return_frame.o \
		kernel/kmem.o

pe-pure-events := kernel/trace/parse_err.o kernel/trace/lex.o \
		  kernel/trace/cmd_parse.o kernel/trace/arg_parse.o \
		  kernel/trace/fetch_parse.o \
		  kernel/trace/fetch_type.o kernel/trace/fetch_hit.o \
		  kernel/trace/record_print.o kernel/trace/marker_print.o kernel/trace/format_print.o \
		  kernel/trace/filter_parse.o kernel/trace/filter_pred.o \
		  kernel/trace/filter_hit.o kernel/trace/trigger_parse.o \
		  kernel/trace/rb_page.o kernel/trace/rb.o \
		  kernel/trace/rb_read.o kernel/trace/rb_mem.o
