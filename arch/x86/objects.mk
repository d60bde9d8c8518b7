# SPDX-License-Identifier: GPL-2.0
# The architecture's parts of probe_core, whose pure files are in core.mk, and of probe_arena.

pe-arch := arch/x86/site_insn.o arch/x86/trap_hook.o arch/x86/breakpoint_hit.o arch/x86/text_patch.o \
	   arch/x86/jump_insn.o arch/x86/text_targets.o arch/x86/detour_stub.o \
	   arch/x86/stack.o arch/x86/return_slot.o arch/x86/return_entry.o \
	   arch/x86/code_area.o arch/x86/code_env.o
pe-arch-arena := arch/x86/return_arena.o

# Only where ftrace saves registers.
pe-arch-ftrace := arch/x86/entry_stub.o arch/x86/call_env.o

# Of probe_events.
pe-arch-events := arch/x86/hit/hit_env.o arch/x86/hit/hit_exit.o arch/x86/hit/hit_mem.o
