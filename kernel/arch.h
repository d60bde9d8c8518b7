/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * arch.h - the functions that an architecture provides for the engine.
 *
 * The generic side (kernel/) owns sites, probes, locks and lifetimes.  The
 * architecture knows instructions and is the only writer of kernel text.
 *
 * The architecture's own headers have all that kernel/ needs to be compiled:
 *
 *   <pe_arch/abi.h>		registers by name, arguments, values, addresses
 *   <pe_arch/kernel_names.h>	functions that the kernel has on this architecture only
 *   <pe_arch/features.h>	questions for this kernel's headers
 *   <pe_arch/kernel_compat.h>	what becomes of the answers
 *   <pe_arch/cycles.h>		the CPU's counter of cycles
 *   <pe_arch/site_insn.h>	struct pe_arch_site (an instruction), sizes of slots
 *   <pe_arch/site_jump.h>	struct pe_arch_jump (instructions under a jump), slots of detours
 *   <pe_arch/hit_entry.h>	what a breakpoint adds to preempt_count(), calls told by ftrace
 *   <pe_arch/arena_slot.h>	slots of functions with return probes
 *   <pe_arch/return_slots.h>	what is read in such functions
 *   <pe_arch/control_flow.h>	following calls
 *   <pe_arch/code_memory.h>	where the code of compiled hits lies
 *   <pe_arch/emitters.h>	what joins compiled hits
 *   <pe_arch/hit_code.h>	what compiled hits are made from
 *
 * Its objects are in arch/ARCH/objects.mk.  Files that are named below are those of x86.
 */
#ifndef PE_ARCH_H
#define PE_ARCH_H

#include <linux/types.h>
#include <pe_arch/site_insn.h>

struct pe_arch_jump;
struct pe_call_env;
struct pe_site;
struct pt_regs;

/* A refusal: the errno and why.  @err 0: not refused. */
struct pe_refusal {
	int err;
	const char *reason;
};

#define PE_ACCEPT	((struct pe_refusal){ 0, NULL })
#define PE_REFUSE(e, r)	((struct pe_refusal){ -(e), (r) })

/*
 * text/site_insn.c.  Process context, may sleep.  pe_mutex held, except for
 * pe_arch_release(), pe_arch_body(), pe_arch_after_copy() and pe_arch_skip_entry_mark().
 *
 * pe_arch_examine(): decode from the start of the function that holds @addr, as its
 * text is without probes.  Refuse an address that is no instruction boundary, and an
 * instruction that cannot be probed.  Fill @as->insn and @as->cls.
 * pe_arch_prepare(): make the slot.  pe_arch_release(): give it back.
 * pe_arch_make_body(): instead of pe_arch_prepare(), for a copy of an examined site: make
 * another slot, for pe_arch_body(), with code for emulated branches as well; -EOPNOTSUPP
 * if such a slot is impossible.
 * pe_arch_body(): where to go on after the probed instruction.  @as is NULL for an entry that
 * ftrace patches.
 * pe_arch_after_copy(): where the copy in the slot ends, which is a jump back; 0: the
 * instruction can be executed without a copy; -EOPNOTSUPP: neither.
 * pe_arch_skip_entry_mark(): @addr, or the address after the mark there, for indirect calls.
 */
struct pe_refusal pe_arch_examine(struct pe_arch_site *as, unsigned long addr);
int pe_arch_prepare(struct pe_arch_site *as, unsigned long addr);
void pe_arch_release(struct pe_arch_site *as);
int pe_arch_make_body(struct pe_arch_site *as, unsigned long addr);
unsigned long pe_arch_body(const struct pe_arch_site *as, unsigned long addr);
int pe_arch_after_copy(const struct pe_arch_site *as, unsigned long *after);
unsigned long pe_arch_skip_entry_mark(unsigned long addr);

/*
 * text/jump_insn.c.  Process context, may sleep.  pe_mutex held, except for
 * pe_arch_detour_return().
 *
 * pe_arch_jump_examine(): which instructions would a jump at @addr replace, and does control come
 * between them from nearby?
 * pe_arch_island_find(): where may a short jump at @addr go on?  In padding that @is_free.
 * pe_arch_jump_insn(): the @i-th of these instructions; false if there are fewer.
 * pe_arch_jump_write(): write the detour.  pe_arch_detour_clear(): no task is in it any more.
 * pe_arch_detour_return(): the return address of its call.
 *
 * text/text_targets.c: find text that control may reach from afar.
 *
 * pe_arch_targets_prepare(): look at the kernel's text, once; may take seconds, without the mutex.
 * pe_arch_targets_between(): may control come to one of these bytes?
 * pe_arch_targets_rest(): forget what is known of a module, before the mutex is released.
 *
 * An int that is returned: 0: there may be a jump; -EOPNOTSUPP: never; -EAGAIN: not known now, as
 * there was no memory; what @is_free returns, if that is all that is known against an island.
 */
int pe_arch_jump_examine(struct pe_arch_jump *j, unsigned long addr, unsigned int size,
			 const char **why);
typedef int pe_island_is_free_t(unsigned long pad, unsigned long at);
int pe_arch_island_find(struct pe_arch_jump *j, unsigned long addr, pe_island_is_free_t *is_free);
bool pe_arch_jump_insn(const struct pe_arch_jump *j, unsigned int i, struct pe_arch_site *as,
		       unsigned int *off);
int pe_arch_jump_write(struct pe_arch_jump *j, unsigned long addr, unsigned int detour,
		       unsigned long us);
unsigned long pe_arch_detour_return(unsigned int detour);
void pe_arch_detour_clear(unsigned int detour);
void pe_detour_stub(void);	/* detour_stub.S: calls pe_jump_hit() (kernel/jump/jump.h) */
void pe_arch_targets_prepare(void);
int pe_arch_targets_between(unsigned long from, unsigned long to, const char **why);
void pe_arch_targets_rest(void);
void pe_arch_targets_exit(void);

/*
 * text/trap_hook.c: pe_arch_hit_init() makes breakpoints reach us;
 * pe_arch_hit_exit() may be called only after all of ours are gone.
 */
int pe_arch_hit_init(void);
void pe_arch_hit_exit(void);

/*
 * entry/breakpoint_hit.c.  [H]
 *
 * pe_breakpoint(): the breakpoint handler.
 * pe_arch_perform(): execute the probed instruction, or let the copy do it.
 * pe_arch_perform_or_divert(): the same at a site that may divert.  Return: has it been
 * executed?  Then ->ip is where to go on.
 */
bool pe_breakpoint(struct pt_regs *regs);
void pe_arch_perform(const struct pe_site *site, struct pt_regs *regs);
bool pe_arch_perform_or_divert(const struct pe_site *site, struct pt_regs *regs);

/*
 * entry/entry_stub.S: what a function with an ftrace site calls while we are its only
 * tracer. Called as the site's instruction, in any context, RCU watching or not, with
 * preemption as it is.  They call pe_ftrace_stub_hit*() (kernel/mech/ftrace.h).  [H]
 */
void pe_entry_stub(void);
void pe_entry_stub_divert(void);
/*
 * entry/code_area.S: memory for compiled hits, and trees that lead there; compiled/round.c.  A tree
 * is called in place of pe_entry_stub(), and pe_code_interpret goes on there.  pe_code_rest goes on
 * in pe_code_rest_hit(); pe_code_done returns, with the frame pointer as it was.  pe_code_finish
 * and pe_code_finish_bare enable preemption before that; the first also pops registers.
 */
void pe_code_tree_a(void);
void pe_code_tree_b(void);
extern char pe_code_tree_a_code[], pe_code_tree_b_code[], pe_code_area[], pe_code_shared[];
extern char pe_code_interpret[], pe_code_rest[], pe_code_done[];
extern char pe_code_finish[], pe_code_finish_bare[];
/* The same of detours, in place of pe_detour_stub(). */
void pe_code_detour_tree_a(void);
void pe_code_detour_tree_b(void);
extern char pe_code_detour_tree_a_code[], pe_code_detour_tree_b_code[];
extern char pe_code_detour_interpret[], pe_code_detour_rest[], pe_code_detour_return[];
extern char pe_code_detour_finish[], pe_code_detour_finish_bare[];
/*
 * The same of calls that are called through, in place of pe_entry_stub_divert().  entry_stub.S has
 * what goes on in pe_code_rest_hit().
 */
void pe_code_call_tree_a(void);
void pe_code_call_tree_b(void);
extern char pe_code_call_tree_a_code[], pe_code_call_tree_b_code[], pe_code_call_interpret[];
void pe_code_call_rest(void);
void pe_code_return_rest(void);
extern const u8 pe_code_ret[];	/* a return, as this kernel has it */
/* entry/code_env.c, call_env.c.  Process context. */
bool pe_arch_find_return(u64 *ret);
void pe_arch_call_env(struct pe_call_env *env);
/* The same for arch_prepare_optimized_kprobe(); it calls pe_optprobe_stub_hit(). */
void pe_optprobe_stub(void);

/*
 * text/text_patch.c.  Between pe_text_lock() and pe_text_unlock(), which exclude other
 * writers of text, and CPUs that come up:
 *
 * pe_text_is(): does the text at @addr hold the site's instruction, unchanged?
 * pe_text_has_breakpoint(): is the breakpoint there?
 * pe_text_put_breakpoint(): put it there.  pe_text_restore(): put the instruction back.
 * pe_text_restore_jump(): the breakpoint was on the first byte of a slot's jump.
 * pe_text_is_breakpoint_of(), pe_text_is_jump_of(): is there what a jump replaces, with the
 * breakpoint; or the jump?
 * pe_text_put_tail(), pe_text_put_jump(), pe_text_restore_tail(): a jump's bytes after the first;
 * the first; the original ones after the first.
 * pe_text_sync(): every CPU sees the new text, and none is in the handler of a breakpoint
 * that has been replaced.
 *
 * Without the lock:
 *
 * pe_text_write_slot(): put code into executable memory that no CPU executes.
 * pe_text_replace(): put code into text that no CPU executes, if it holds @was.  Return: did it?
 * pe_text_replace_live(): put an instruction in the place of another one of the same length, which
 * CPUs may execute meanwhile.
 * pe_text_read(): a consistent copy of text, no patching in progress.
 * pe_arch_recover(): undo the kernel's kprobes in a copy of text, for kernel/probe/hidden.c.
 */
void pe_text_lock(void);
void pe_text_unlock(void);
bool pe_text_is(const struct pe_arch_site *as, unsigned long addr);
bool pe_text_has_breakpoint(unsigned long addr);
void pe_text_put_breakpoint(unsigned long addr);
void pe_text_restore(const struct pe_arch_site *as, unsigned long addr);
void pe_text_restore_jump(unsigned long addr);
bool pe_text_is_breakpoint_of(const struct pe_arch_jump *j, unsigned long addr);
bool pe_text_is_jump_of(const struct pe_arch_jump *j, unsigned long addr);
void pe_text_put_tail(const struct pe_arch_jump *j, unsigned long addr);
void pe_text_put_jump(const struct pe_arch_jump *j, unsigned long addr);
void pe_text_restore_tail(const struct pe_arch_jump *j, unsigned long addr);
void pe_text_sync(void);
void pe_text_write_slot(void *slot, const void *code, size_t len);
bool pe_text_replace(unsigned long addr, const u8 *was, const u8 *put, size_t len);
void pe_text_replace_live(unsigned long addr, const void *code, size_t len);
bool pe_text_read(void *dst, unsigned long src, size_t len);
void pe_arch_recover(u8 *code, unsigned long start, size_t len);

/* text/return_slot.c */
void pe_arch_return_init(void);
int pe_arch_return_write(unsigned int i, unsigned long body, bool exact);
int pe_arch_return_lead(unsigned int i, unsigned long to);

/*
 * text/task_calls.c
 *
 * pe_arch_task_calls(): the calls with return probes that a task is in, by the unwinder, innermost
 * first.  @call gets the number of each one's slot and the address of its T.  The task is not on
 * another CPU when it begins, and its stack is held; it may run meanwhile, and then anything may be
 * found.  Any context.  False: the unwinder has not come to the end, or there is none; it has seen
 * what is below the address @seen, which may be anywhere.
 */
struct task_struct;
typedef void pe_arch_task_call_t(void *arg, unsigned int slot, unsigned long at);
bool pe_arch_task_calls(struct task_struct *t, pe_arch_task_call_t *call, void *arg,
			unsigned long *seen);

/* text/return_entry.c */
bool pe_arch_is_called(unsigned long addr);
bool pe_arch_is_return_thunk(unsigned long addr);

#endif
