/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * kernel_names.h - functions that the kernel has on x86 only, by their names.  For the tables of
 * kernel/policy/ and kernel/return/check.c, which have the others, and the reasons.
 */
#ifndef PE_ARCH_KERNEL_NAMES_H
#define PE_ARCH_KERNEL_NAMES_H

/* Rows of blacklist.c.  First, what the engine's own code calls or returns through. */
#define PE_ARCH_BLACKLIST							\
	{ "__x86_indirect_*", pe_because_thunk },				\
	{ "__x86_return_*", pe_because_thunk },					\
	{ "call_depth_return_thunk", pe_because_thunk },			\
	{ "srso_*", pe_because_thunk },						\
	{ "retbleed_*", pe_because_thunk },					\
	{ "its_return_thunk", pe_because_thunk },				\
	{ "its_static_thunk", pe_because_thunk },				\
	{ "warn_thunk_thunk", pe_because_thunk },				\
	{ "__warn_thunk", pe_because_thunk },					\
	{ "entry_untrain_ret", pe_because_thunk },				\
	{ "entry_ibpb", pe_because_thunk },					\
	{ "write_ibpb", pe_because_thunk },					\
	{ "clear_bhb_loop", pe_because_thunk },					\
	/* The path from ftrace to our handler, with inner labels */		\
	{ "__fentry__", pe_because_ftrace, IS_ENABLED(CONFIG_FUNCTION_TRACER) }, \
	{ "ftrace_regs_caller*", pe_because_ftrace },				\
	{ "ftrace_regs_call*", pe_because_ftrace },				\
	/* A CPU that starts, or wakes up, before its first C function */	\
	{ "secondary_startup_64*", pe_because_no_handlers },			\
	{ "common_startup_64", pe_because_no_handlers },			\
	{ "start_secondary", pe_because_no_handlers, IS_ENABLED(CONFIG_SMP) },	\
	{ "do_suspend_lowlevel", pe_because_no_handlers, IS_ENABLED(CONFIG_ACPI_SLEEP) }, \
	{ "wakeup_long64", pe_because_no_handlers, IS_ENABLED(CONFIG_ACPI_SLEEP) }, \
	/* The last steps to another kernel */					\
	{ "idt_invalidate", pe_because_no_handlers },				\
	{ "native_idt_invalidate", pe_because_no_handlers },			\
	{ "native_gdt_invalidate", pe_because_no_handlers },			\
	{ "restore_image", pe_because_no_handlers, IS_ENABLED(CONFIG_HIBERNATION) }, \
	{ "restore_registers", pe_because_no_handlers, IS_ENABLED(CONFIG_HIBERNATION) }, \
	{ "core_restore_code", pe_because_copied, IS_ENABLED(CONFIG_HIBERNATION) }, \
	{ "relocate_kernel", pe_because_copied, IS_ENABLED(CONFIG_KEXEC_CORE) }, \
	{ "relocate_range", pe_because_copied },				\
	{ "identity_mapped", pe_because_copied, IS_ENABLED(CONFIG_KEXEC_CORE) }, \
	{ "virtual_mapped", pe_because_copied, IS_ENABLED(CONFIG_KEXEC_CORE) },	\
	{ "swap_pages", pe_because_copied, IS_ENABLED(CONFIG_KEXEC_CORE) },	\
	/* A CPU that has reported that it is dead */				\
	{ "native_play_dead", pe_because_offline, IS_ENABLED(CONFIG_HOTPLUG_CPU) }, \
	{ "play_dead_common", pe_because_offline, IS_ENABLED(CONFIG_HOTPLUG_CPU) }, \
	{ "mwait_play_dead*", pe_because_offline },				\
	{ "hlt_play_dead", pe_because_offline, IS_ENABLED(CONFIG_HOTPLUG_CPU) }, \
	{ "tboot_shutdown", pe_because_offline },

/* Roots of reach.c: where the way of a breakpoint begins, and the code of a CPU that starts. */
#define PE_ARCH_REACH_ROOTS							\
	/* exc_int3() calls these for the kernel's own text; its other half is for user space. */ \
	{ PE_REACH_TRAP, pe_because_path, "asm_exc_int3", .must = true },	\
	{ PE_REACH_TRAP, pe_because_path, "poke_int3_handler", "smp_text_poke_int3_handler", \
	  .must = true },							\
	{ PE_REACH_TRAP, pe_because_path, "smp_text_poke_int3_handler" },	\
	{ PE_REACH_TRAP, pe_because_path, "irqentry_nmi_enter", .must = true },	\
	{ PE_REACH_TRAP, pe_because_path, "irqentry_nmi_exit", .must = true },	\
	/* A CPU starts; its first interrupt table is for two other exceptions only. */ \
	{ PE_REACH_TRAP, pe_because_no_handlers, "secondary_startup_64",	\
	  .must = IS_ENABLED(CONFIG_SMP) },					\
	{ PE_REACH_TRAP, pe_because_no_handlers, "secondary_startup_64_no_verify", \
	  .must = IS_ENABLED(CONFIG_SMP) },					\
	{ PE_REACH_TRAP, pe_because_no_handlers, "early_setup_idt",		\
	  .must = IS_ENABLED(CONFIG_SMP) },					\
	{ PE_REACH_TRAP, pe_because_no_handlers, "start_secondary", .until_handlers = true, \
	  .must = IS_ENABLED(CONFIG_SMP) },					\
	/* A CPU wakes up, or starts to run a kernel that was saved to disk. */	\
	{ PE_REACH_TRAP, pe_because_no_handlers, "restore_processor_state",	\
	  .until_handlers = true, .must = IS_ENABLED(CONFIG_PM_SLEEP) },	\
	{ PE_REACH_TRAP, pe_because_no_handlers, "__restore_processor_state",	\
	  .until_handlers = true },

/* Functions where its walks stop. */
#define PE_ARCH_REACH_STOPS							\
	/* These jump to an address in a register */				\
	{ "__x86_indirect_*", true, true },					\
	/* The half that serves the kernel is among the roots */		\
	{ "exc_int3", true, true },						\
	/* Not ours: the kernel's own kprobes */				\
	{ "do_int3", true, false },						\
	{ "kprobe_int3_handler", true, false },

/* Rows of return/check.c. */
#define PE_ARCH_NO_RETURN_PROBES						\
	{ "__switch_to_asm", pe_because_stack, true },				\
	{ "ret_from_fork_asm", pe_because_frame },

#endif
