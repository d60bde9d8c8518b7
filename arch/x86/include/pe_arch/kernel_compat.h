/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * kernel_compat.h - differences between the supported kernels, on x86.  For kernel/know/compat.h,
 * which alone includes it.
 */
#ifndef PE_ARCH_KERNEL_COMPAT_H
#define PE_ARCH_KERNEL_COMPAT_H

/* Functions of the kernel begin at multiples of it. */
#define PE_ARCH_FUNCTION_ALIGN	16

/* Bytes before a function that the kernel may have written at boot; there from 6.2 on. */
#ifdef CONFIG_FUNCTION_PADDING_BYTES
#define PE_ENTRY_PADDING	CONFIG_FUNCTION_PADDING_BYTES
#else
#define PE_ENTRY_PADDING	0
#endif

/*
 * Has the compiler been told to make no tables of jumps?  Retpolines imply it (gcc 8.4), IBT says
 * so.  Named CONFIG_RETPOLINE before 6.9.
 */
#define PE_NO_JUMP_TABLES	(IS_ENABLED(CONFIG_MITIGATION_RETPOLINE) || \
				 IS_ENABLED(CONFIG_RETPOLINE) || \
				 IS_ENABLED(CONFIG_X86_KERNEL_IBT))

/* Variables of each CPU that are in struct pcpu_hot from 6.2 to 6.14. */
#if PE_HAVE_PCPU_HOT
#define pe_cpu_preempt_count	pcpu_hot.preempt_count
#define pe_cpu_current_task	pcpu_hot.current_task
#define pe_cpu_number		pcpu_hot.cpu_number
#else
#define pe_cpu_preempt_count	__preempt_count
#define pe_cpu_current_task	current_task
#define pe_cpu_number		cpu_number
#endif

/*
 * The last word of this CPU's stack for interrupts.  0 where modules cannot know it.
 */
static __always_inline unsigned long pe_irq_stack_last(void)
{
#if PE_HAVE_PCPU_HOT
	return (unsigned long)this_cpu_read(pcpu_hot.hardirq_stack_ptr);
#else
	return 0;
#endif
}

/* Rows of ksyms.h, and the same functions by the names of all kernels. */
#if PE_HAVE_SMP_TEXT_POKE
#define PE_ARCH_KSYM_SYNC_FUNCS(X)						\
	X(smp_text_poke_sync_each_cpu, 1, void, (void))				\
	X(smp_text_poke_single, 1, void,					\
	  (void *addr, const void *opcode, size_t len, const void *emulate))
#define pe_ks_text_sync		pe_ks(smp_text_poke_sync_each_cpu)
#define pe_ks_text_change	pe_ks(smp_text_poke_single)
#else
#define PE_ARCH_KSYM_SYNC_FUNCS(X)						\
	X(text_poke_sync, 1, void, (void))					\
	X(text_poke_bp, 1, void,						\
	  (void *addr, const void *opcode, size_t len, const void *emulate))
#define pe_ks_text_sync		pe_ks(text_poke_sync)
#define pe_ks_text_change	pe_ks(text_poke_bp)
#endif

#define PE_ARCH_KSYM_FUNCS(X)							\
	X(text_poke, 1, void *, (void *addr, const void *src, size_t len))	\
	PE_ARCH_KSYM_SYNC_FUNCS(X)						\
	X(nmi_uaccess_okay, 1, bool, (void))					\
	X(recover_probed_instruction, PE_IF(KPROBES), unsigned long,		\
	  (u8 *buf, unsigned long addr))

/*
 * Is the user memory that is there now the current task's?  In kernel threads, and while kernel
 * text is patched or tasks are switched, it is not.  copy_from_user_nofault() asks that, too, from
 * Debian's 6.1 on; strncpy_from_user_nofault() never does.
 */
#define pe_ks_user_is_ours	pe_ks(nmi_uaccess_okay)

/*
 * For tests.  is_endbr() wants a pointer since 6.15, and is not there for modules; before 5.18
 * there is no ENDBR64 anywhere.
 */
#if PE_HAVE_IBT_H
#include <asm/ibt.h>
#endif
#if !PE_HAVE_IBT_H
#define pe_is_endbr(word)	((void)(word), false)
#define ENDBR_INSN_SIZE		0
#elif PE_HAVE_IS_ENDBR_ADDRESS
#define pe_is_endbr		__is_endbr
#else
#define pe_is_endbr		is_endbr
#endif

#endif
