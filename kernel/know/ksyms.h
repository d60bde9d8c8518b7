/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * ksyms.h - kernel symbols that are not exported to modules.
 *
 * PE_KSYM_FUNCS lists, with their types, the kernel's functions that the engine needs
 * and may not link against.  pe_ksyms_init() finds them by name and turns each into a
 * static call.  That is a direct call instruction, which needs no mark at its target, where
 * indirect ones do (a function that the kernel never calls so has none), and no detour.
 *
 *   pe_ks_has(ftrace_location)       found?  Always true for required ones.
 *   pe_ks(ftrace_location)(addr)     call it
 *   pe_ks_data.text_mutex            a data symbol, NULL if not found
 *
 * If a required symbol is missing, the module refuses to load and names it.  What keeps text of
 * others from being changed is required wherever the kernel is configured with those others: under
 * another name it would be gone in silence.  If an optional one is missing, the kernel lacks the
 * feature.
 */
#ifndef PE_KSYMS_H
#define PE_KSYMS_H

#include <linux/kconfig.h>
#include <linux/static_call.h>
#include <linux/types.h>
#include "kernel/know/compat.h"

struct btf;
struct btf_type;
struct cred;
struct dyn_ftrace;
struct exception_table_entry;
struct ftrace_ops;
struct ftrace_rec_iter;
struct jump_entry;
struct kprobe;
struct kretprobe_blackpoint;
struct list_head;
struct llist_node;
struct module;
struct mutex;
struct static_call_site;
struct task_struct;

#if PE_HAVE_SYMBOL_FN_NO_MODULE
typedef int pe_ks_symbol_fn(void *data, const char *name, unsigned long addr);
typedef int pe_ks_t_module_kallsyms_on_each_symbol(const char *modname,
		int (*fn)(void *data, const char *name, unsigned long addr), void *data);
#else
typedef int pe_ks_symbol_fn(void *data, const char *name, struct module *mod, unsigned long addr);
typedef int pe_ks_t_module_kallsyms_on_each_symbol(
		int (*fn)(void *data, const char *name, struct module *mod,
			  unsigned long addr), void *data);
#endif

#if PE_HAVE_EXECMEM_RW
#define PE_KSYM_EXEC_FUNCS(X)							\
	X(execmem_alloc_rw, 1, void *, (enum execmem_type type, size_t size))	\
	X(execmem_free, 1, void, (void *ptr))
#elif PE_HAVE_EXECMEM
#define PE_KSYM_EXEC_FUNCS(X)							\
	X(execmem_alloc, 1, void *, (enum execmem_type type, size_t size))	\
	X(execmem_free, 1, void, (void *ptr))
#else
#define PE_KSYM_EXEC_FUNCS(X)							\
	X(module_alloc, 1, void *, (unsigned long size))			\
	X(module_memfree, 1, void, (void *ptr))
#endif

/* Before 6.2 there is no search by name: name_index.c. */
#if PE_HAVE_KALLSYMS_MATCH
#define PE_KSYM_MATCH_FUNCS(X)							\
	X(kallsyms_on_each_match_symbol, 1, int,				\
	  (int (*fn)(void *data, unsigned long addr), const char *name, void *data)) \
	X(kallsyms_on_each_symbol, 0, int, (pe_ks_symbol_fn *fn, void *data))
#else
#define PE_KSYM_MATCH_FUNCS(X)							\
	X(kallsyms_on_each_symbol, 1, int, (pe_ks_symbol_fn *fn, void *data))
#endif

/* Required where the kernel is configured with an option. */
#define PE_IF(option)	IS_ENABLED(CONFIG_##option)

/* X(name, required, return type, arguments) */
#define PE_KSYM_FUNCS(X)							\
	PE_KSYM_EXEC_FUNCS(X)							\
	X(set_memory_ro, 1, int, (unsigned long addr, int pages))		\
	X(set_memory_x, 1, int, (unsigned long addr, int pages))		\
	PE_ARCH_KSYM_FUNCS(X)							\
	X(core_kernel_text, 1, int, (unsigned long addr))			\
	X(__module_text_address, 1, struct module *, (unsigned long addr))	\
	X(kallsyms_lookup_name, 1, unsigned long, (const char *name))		\
	X(kallsyms_lookup_size_offset, 1, int,					\
	  (unsigned long addr, unsigned long *size, unsigned long *offset))	\
	PE_KSYM_MATCH_FUNCS(X)							\
	X(kallsyms_show_value, PE_IF(KALLSYMS), bool, (const struct cred *cred)) \
	X(search_exception_tables, 1,						\
	  const struct exception_table_entry *, (unsigned long addr))		\
	X(strncpy_from_kernel_nofault, 1, long,					\
	  (char *dst, const void *src, long n))					\
	X(strncpy_from_user_nofault, 1, long,					\
	  (char *dst, const void __user *src, long n))				\
	X(alternatives_text_reserved, PE_HAVE_ALTERNATIVES_RESERVED && PE_IF(SMP), int, \
	  (void *start, void *end))						\
	X(jump_label_lock, PE_IF(JUMP_LABEL), void, (void))			\
	X(jump_label_unlock, PE_IF(JUMP_LABEL), void, (void))			\
	X(jump_label_text_reserved, PE_IF(JUMP_LABEL), int,			\
	  (void *start, void *end))						\
	X(static_call_text_reserved, PE_IF(HAVE_STATIC_CALL_INLINE), int,	\
	  (void *start, void *end))						\
	X(ftrace_location, PE_IF(DYNAMIC_FTRACE), unsigned long,		\
	  (unsigned long addr))							\
	X(ftrace_text_reserved, PE_IF(DYNAMIC_FTRACE), int,			\
	  (const void *start, const void *end))					\
	X(ftrace_free_filter, PE_IF(DYNAMIC_FTRACE), void, (struct ftrace_ops *ops)) \
	X(ftrace_rec_iter_start, 0, struct ftrace_rec_iter *, (void))		\
	X(ftrace_rec_iter_next, 0, struct ftrace_rec_iter *, (struct ftrace_rec_iter *iter)) \
	X(ftrace_rec_iter_record, 0, struct dyn_ftrace *, (struct ftrace_rec_iter *iter)) \
	X(ftrace_find_rec_direct, PE_IF(DYNAMIC_FTRACE_WITH_DIRECT_CALLS),	\
	  unsigned long, (unsigned long ip))					\
	X(ftrace_graph_ret_addr, PE_IF(FUNCTION_GRAPH_TRACER), unsigned long,	\
	  (struct task_struct *task, int *idx, unsigned long ret, unsigned long *retp)) \
	X(rethook_find_ret_addr, PE_IF(RETHOOK), unsigned long,			\
	  (struct task_struct *task, unsigned long frame, struct llist_node **cur)) \
	X(bpf_get_btf_vmlinux, 0, struct btf *, (void))				\
	X(btf_name_by_offset, 0, const char *, (const struct btf *btf, u32 offset)) \
	X(btf_type_by_id, 0, const struct btf_type *, (const struct btf *btf, u32 id)) \
	X(bpf_find_btf_id, 0, s32, (const char *name, u32 kind, struct btf **btf)) \
	X(btf_is_module, 0, bool, (const struct btf *btf))			\
	X(btf_try_get_module, 0, struct module *, (const struct btf *btf))	\
	X(btf_put, 0, void, (struct btf *btf))					\
	X(is_module_percpu_address, 0, bool, (unsigned long addr))		\
	X(put_task_stack, 1, void, (struct task_struct *task))			\
	X(idle_task, 1, struct task_struct *, (int cpu))			\
	X(get_kprobe, PE_IF(KPROBES), struct kprobe *, (void *addr))		\
	X(wait_for_kprobe_optimizer, PE_IF(OPTPROBES), void, (void))		\
	X(within_kprobe_blacklist, PE_IF(KPROBES), bool, (unsigned long addr))	\
	X(tracing_reset_all_online_cpus, 0, void, (void))

/* X(name, required, type): a pointer to the object, in pe_ks_data. */
#define PE_KSYM_DATA(X)								\
	X(text_mutex, 1, struct mutex)						\
	X(_stext, 1, char)							\
	X(_etext, 1, char)							\
	X(__start_notes, 0, const u8)						\
	X(__stop_notes, 0, const u8)						\
	X(__start___jump_table, PE_IF(JUMP_LABEL), const struct jump_entry)	\
	X(__stop___jump_table, PE_IF(JUMP_LABEL), const struct jump_entry)	\
	X(__start_static_call_sites, PE_IF(HAVE_STATIC_CALL_INLINE),		\
	  const struct static_call_site)					\
	X(__stop_static_call_sites, PE_IF(HAVE_STATIC_CALL_INLINE),		\
	  const struct static_call_site)					\
	X(ftrace_lock, 0, struct mutex)						\
	X(ftrace_enabled, PE_IF(FUNCTION_TRACER), int)				\
	X(kprobe_mutex, PE_IF(KPROBES), struct mutex)				\
	X(kprobe_table, PE_IF(KPROBES), struct hlist_head)			\
	X(kprobe_blacklist, PE_IF(KPROBES), struct list_head)			\
	X(kretprobe_blacklist, PE_IF(KRETPROBES), struct kretprobe_blackpoint)	\
	X(event_mutex, 0, struct mutex)						\
	X(ftrace_events, 0, struct list_head)					\
	X(__per_cpu_start, 0, char)						\
	X(__per_cpu_end, 0, char)

#define PE_KSYM_TYPE(name, required, ret, args)	typedef ret pe_ks_t_##name args;
#define PE_KSYM_DECLARE(name, ...)	DECLARE_STATIC_CALL(pe_ks_##name, pe_ks_t_##name);
#define PE_KSYM_INDEX(name, ...)	PE_KSYM_##name,
#define PE_KSYM_POINTER(name, required, type)	type *name;

PE_KSYM_FUNCS(PE_KSYM_TYPE)
PE_KSYM_FUNCS(PE_KSYM_DECLARE)
PE_KSYM_DECLARE(module_kallsyms_on_each_symbol)

enum pe_ksym_func {
	PE_KSYM_FUNCS(PE_KSYM_INDEX)
	PE_KSYM_module_kallsyms_on_each_symbol,
	PE_KSYM_NR_FUNCS,
};

struct pe_ksym_data {
	PE_KSYM_DATA(PE_KSYM_POINTER)
};

/* Written once by pe_ksyms_init(). */
extern bool pe_ksym_found[PE_KSYM_NR_FUNCS];
extern struct pe_ksym_data pe_ks_data;

#define pe_ks_has(name)	(pe_ksym_found[PE_KSYM_##name])
#define pe_ks(name)	static_call(pe_ks_##name)

int pe_ksyms_init(void);

/*
 * The address of a symbol of the kernel itself, or 0 if there is none (name_index.c).  Process
 * context, may sleep; not before pe_ksyms_init().
 */
unsigned long pe_ksym_address(const char *name);

#endif
