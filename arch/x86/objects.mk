# SPDX-License-Identifier: GPL-2.0
# The architecture's part of probe_core; its pure files are in core.mk.

pe-arch := arch/x86/site_insn.o arch/x86/trap_hook.o arch/x86/breakpoint_hit.o arch/x86/text_patch.o \
	   arch/x86/stack.o arch/x86/return_slot.o arch/x86/return_arena.o arch/x86/return_leave.o \
	   arch/x86/return_entry.o
