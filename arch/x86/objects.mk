# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# The objects of this architecture, for core.mk and Kbuild.  A name with -pure has the pure files.

# Of probe_core: what an architecture begins with; of these only where ftrace saves registers.
pe-arch-pure := $(addprefix arch/x86/insn/, insn.o insn_check.o insn_fixup.o emulate.o flow.o return_words.o)
pe-arch := $(addprefix arch/x86/, $(addprefix text/, site_insn.o trap_hook.o text_patch.o return_slot.o return_entry.o task_calls.o) \
	   $(addprefix entry/, breakpoint_hit.o callers.o))
pe-arch-ftrace := arch/x86/entry/entry_stub.o
# Hits run these, and a switch in them may become a table of jumps.
pe-arch-no-jump-tables := arch/x86/insn/emulate.o
# Of probe_arena.
pe-arch-arena := arch/x86/entry/return_arena.o

# Breakpoints that become jumps; empty: none does.
pe-arch-jump-pure := arch/x86/emit/detour.o arch/x86/insn/targets.o
pe-arch-jump := $(addprefix arch/x86/, text/jump_insn.o text/text_targets.o entry/detour_stub.o)

# Compiled hits, which need jumps; empty: there are none.  The last two are of probe_events.
pe-arch-code-pure := arch/x86/emit/emit_call.o arch/x86/emit/emit_tree.o
pe-arch-code := arch/x86/entry/code_area.o arch/x86/entry/code_env.o
pe-arch-code-ftrace := arch/x86/entry/call_env.o
pe-arch-events-pure := $(addprefix arch/x86/hit/, emit_hit.o emit_context.o emit_return.o emit_regs.o emit_filter.o \
		       emit_fetch.o emit_ring.o emit_count.o emit_key.o)
pe-arch-events := $(addprefix arch/x86/hit/, hit_env.o hit_exit.o hit_mem.o)

# Assembler that needs the constants of asm_offsets.c.
pe-arch-with-offsets := $(addprefix arch/x86/entry/, return_arena.o detour_stub.o code_area.o)
