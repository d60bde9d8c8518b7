/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * round.h - compiled hits, as the engine sees them; <pe/code.h> is for users that make the code.
 */
#ifndef PE_ROUND_H
#define PE_ROUND_H

#include <linux/list.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <pe/code.h>
#include <pe/kprobe.h>
#include "kernel/arch.h"
#include "kernel/probe/retire.h"
#include "kernel/probe/site.h"

#ifndef PE_NO_CODE
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
DECLARE_STATIC_CALL(pe_entry_front, pe_entry_stub);
DECLARE_STATIC_CALL(pe_divert_front, pe_entry_stub_divert);
#endif
DECLARE_STATIC_CALL(pe_detour_front, pe_detour_stub);
#define PE_CODE_FRONT(name, stub)	(&STATIC_CALL_TRAMP(name))
#else
#define PE_CODE_FRONT(name, stub)	(&(stub))
#endif

/* Call target of functions with calls that are only observed. */
#define PE_ENTRY_FRONT	PE_CODE_FRONT(pe_entry_front, pe_entry_stub)
/* Call target of functions with diverted calls. */
#define PE_DIVERT_FRONT	PE_CODE_FRONT(pe_divert_front, pe_entry_stub_divert)

/* Call target of detours. */
static inline unsigned long pe_code_detour_front(void)
{
	return (unsigned long)PE_CODE_FRONT(pe_detour_front, pe_detour_stub);
}

/**
 * struct pe_piece - the code of a site; all under pe_mutex
 * @list: in pe_pieces, or of those that leave
 * @retired: nothing leads there any more
 * @keep: memory that the code uses
 * @ret: return address of the call
 * @site: of a call: the site that has it as ->call; NULL: it has lost its point
 * @unit: where it is in the area
 * @nr_units: its length
 * @live: of its byte
 * @from: how it is entered: enum pe_code_from
 * @leads: the site's call slot leads here
 * @fresh: made in this round, so it is stale until its trees are in use
 * @nr_kps: how many probes there were; 0: the engine has made the code by itself
 * @kps: its probes; NULL: unregistered
 */
struct pe_piece {
	union {
		struct list_head list;
		struct pe_retired retired;
	};
	void *keep;
	unsigned long ret;
	struct pe_site *site;
	u16 unit, nr_units, live;
	u8 from;
	bool leads, fresh;
	u8 nr_kps;
	struct pe_kprobe *kps[];
};

/* The memory that describes the code, and that the code uses. */
static inline size_t pe_piece_memory(const struct pe_piece *piece)
{
	return piece ? ksize(piece) + ksize(piece->keep) : 0;
}

/* The same of a site's pieces: its probes share one, but those of a kind that is not called. */
static inline size_t pe_code_site_memory(const struct pe_site *site)
{
	size_t bytes = pe_piece_memory(site->call);
	const struct pe_kprobe *kp;
	unsigned int kind;

	for (kind = 0; kind < PE_NR_CLIENTS && !site->call; kind++) {
		if (list_empty(&site->probes[kind]))
			continue;
		kp = list_first_entry(&site->probes[kind], struct pe_kprobe, node);
		bytes += pe_piece_memory(kp->code);
	}
	return bytes;
}

/*
 * piece.c.  pe_mutex held, but pe_piece_addr() and pe_piece_live() need no lock.  @pe_pieces: all
 * that do not leave.
 */
extern struct list_head pe_pieces;
typedef void pe_piece_make_t(struct pe_emit *e, u64 live, void *data);
struct pe_piece *pe_piece_make(struct pe_code_request *req, enum pe_code_from from,
			       pe_piece_make_t *make, void *data);
unsigned long pe_piece_addr(const struct pe_piece *piece);
u8 *pe_piece_live(const struct pe_piece *piece);
void pe_piece_drop(struct pe_piece *piece);
void pe_piece_stale(struct pe_piece *piece);
void pe_piece_leave(struct pe_piece *piece);
bool pe_pieces_leave(void);
void pe_pieces_retire(void);
size_t pe_pieces_used(void);

/* round.c.  pe_mutex held, except pe_code_exit(). */
#ifdef PE_NO_CODE
static inline void pe_code_site_changes(struct pe_site *site) { }
static inline void pe_code_forget(struct pe_kprobe *kp) { }
static inline void pe_code_exit(void) { }
#else
void pe_code_site_changes(struct pe_site *site);
void pe_code_forget(struct pe_kprobe *kp);
void pe_code_exit(void);
#endif

/*
 * tree.c.  pe_mutex held.  pe_fronts_alloc() gives memory to make trees in, or NULL; it needs
 * no lock.
 */
struct pe_tree_work *pe_fronts_alloc(void);
void pe_fronts_switch(struct pe_tree_work *work, const struct list_head *pieces);
size_t pe_fronts_used(void);
size_t pe_fronts_size(void);
void pe_code_write(unsigned long to, const u8 *code, unsigned int len);

/* call_piece.c.  pe_mutex held.  Without ftrace, no function's entry calls us. */
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS) && !defined(PE_NO_CODE)
struct pe_piece *pe_call_compile(struct pe_code_request *req);
void pe_calls_make(void);
void pe_call_lose_point(struct pe_site *site);
void pe_call_disown(struct pe_piece *piece);
#else
static inline struct pe_piece *pe_call_compile(struct pe_code_request *req) { return NULL; }
static inline void pe_calls_make(void) { }
static inline void pe_call_lose_point(struct pe_site *site) { }
static inline void pe_call_disown(struct pe_piece *piece) { }
#endif

/* may_compile.c.  pe_mutex held. */
const char *pe_code_site_probes(struct pe_kprobe *kp, struct pe_code_request *req,
				const struct pe_code_user *user);
const char *pe_call_site_check(const struct pe_site *site);
bool pe_code_site_is_entry(const struct pe_site *site);

/* entry_stub.S and code_area.S call it.  [H] */
void pe_code_rest_hit(struct pt_regs *regs, const void *data, void *base);

#endif
