# SPDX-License-Identifier: GPL-2.0
# The pure files: compiled into the modules by Kbuild and, unchanged, into the
# user-space tests by tests/unit/Makefile.  A file listed here includes nothing
# but what tests/unit/shim offers.

pe-pure-core := arch/x86/emit_call.o arch/x86/emit_tree.o \
		arch/x86/insn.o arch/x86/insn_check.o arch/x86/insn_fixup.o \
		arch/x86/emulate.o arch/x86/flow.o arch/x86/return_words.o \
		arch/x86/detour.o arch/x86/targets.o \
		kernel/kmem.o kernel/btf_check.o kernel/btf_elf.o

pe-pure-events := $(addprefix arch/x86/hit/, emit_hit.o emit_context.o emit_return.o emit_regs.o emit_filter.o emit_fetch.o \
		emit_ring.o) $(addprefix kernel/trace/, \
	$(addprefix parse/, parse_err.o lex.o near.o parser.o cmd_parse.o arg_parse.o arg_words.o arg_hints.o btf_walk.o btf_fields.o btf_arg.o fetch_parse.o cast_parse.o \
		fetch_type.o suggest.o program.o filter_parse.o filter_pred.o trigger_parse.o) \
	$(addprefix hit/, fetch_hit.o filter_hit.o elapsed.o) \
	$(addprefix ring/, rb_page.o rb.o rb_read.o rb_mem.o rb_dump.o) \
	$(addprefix print/, record_print.o marker_print.o format_print.o safe_text.o))
