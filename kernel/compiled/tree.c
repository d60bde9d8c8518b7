// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * tree.c - how calls of us are led to the code of their site.
 *
 * Functions with calls that are only observed call the target of the static call pe_entry_front:
 * a tree, or pe_entry_stub if no site has code.  The tree leads from the return address of a
 * function's call of us to its site's piece, and other calls to where they go on as without pieces.
 * The same holds for detours, and for functions with diverted calls.
 *
 * A new tree is written where the one before the last was.  So before trees are switched again,
 * the caller waits until no task can be there (round.c).
 *
 * A CPU must not execute what it has fetched before the memory was written: the static call's
 * update makes all CPUs serialise, and only then leads there.
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/static_call.h>
#include <pe_arch/code_memory.h>
#include <pe_arch/emitters.h>
#include "kernel/arch.h"
#include "kernel/compiled/round.h"
#include "kernel/engine.h"

static_assert(PE_TREE_SIZE(PE_CODE_SITES) <= PE_CODE_TREE_SIZE);
static_assert(PE_TREE_SIZE(PE_CODE_CALLS) <= PE_CODE_CALL_TREE_SIZE);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
DEFINE_STATIC_CALL(pe_entry_front, pe_entry_stub);
DEFINE_STATIC_CALL(pe_divert_front, pe_entry_stub_divert);

static void pe_lead_entries(void (*to)(void))
{
	static_call_update(pe_entry_front, to ?: pe_entry_stub);
}

static void pe_lead_diverts(void (*to)(void))
{
	static_call_update(pe_divert_front, to ?: pe_entry_stub_divert);
}
#endif

DEFINE_STATIC_CALL(pe_detour_front, pe_detour_stub);

static void pe_lead_detours(void (*to)(void))
{
	static_call_update(pe_detour_front, to ?: pe_detour_stub);
}

/*
 * The entry that all calls of a kind go through.
 *
 * @trees: one is in use
 * @size: bytes of each
 * @current_tree: the one
 * @lead: let calls go to a tree; NULL: to the stub.  Itself NULL: there are no such calls
 * @interpret: where calls go that no piece is for
 * @ret_in_reg: a tree finds the return address in a register, else on the stack
 */
static struct front {
	struct {
		void (*tree)(void);
		char *code;
		unsigned int len;
	} trees[2];
	unsigned int size, current_tree;
	void (*lead)(void (*to)(void));
	char *interpret;
	bool ret_in_reg;
} pe_code_fronts[PE_CODE_NR_FRONTS] = {
	[PE_CODE_DETOUR] = {
		.trees = {
			{ pe_code_detour_tree_a, pe_code_detour_tree_a_code },
			{ pe_code_detour_tree_b, pe_code_detour_tree_b_code },
		},
		.size = PE_CODE_TREE_SIZE,
		.lead = pe_lead_detours, .interpret = pe_code_detour_interpret,
	},
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	[PE_CODE_ENTRY] = {
		.trees = {
			{ pe_code_tree_a, pe_code_tree_a_code },
			{ pe_code_tree_b, pe_code_tree_b_code },
		},
		.size = PE_CODE_TREE_SIZE,
		.lead = pe_lead_entries, .interpret = pe_code_interpret,
	},
	[PE_CODE_CALL] = {
		.trees = {
			{ pe_code_call_tree_a, pe_code_call_tree_a_code },
			{ pe_code_call_tree_b, pe_code_call_tree_b_code },
		},
		.size = PE_CODE_CALL_TREE_SIZE,
		.lead = pe_lead_diverts, .interpret = pe_code_call_interpret,
		.ret_in_reg = true,
	},
#endif
};

/* Memory to make a tree in. */
struct pe_tree_work {
	struct pe_tree_leaf leaves[PE_CODE_CALLS];
	u8 code[PE_CODE_CALL_TREE_SIZE];
};

struct pe_tree_work *pe_fronts_alloc(void)
{
	return kvmalloc(sizeof(struct pe_tree_work), GFP_KERNEL);
}

/* No CPU executes what is there.  A page at a time: writers of text take no more. */
void pe_code_write(unsigned long to, const u8 *code, unsigned int len)
{
	unsigned int n;

	for (; len; to += n, code += n, len -= n) {
		n = min_t(unsigned int, len, PAGE_SIZE - offset_in_page(to));
		pe_text_write_slot((void *)to, code, n);
	}
}

static int pe_by_ret(const void *a, const void *b)
{
	const struct pe_tree_leaf *x = a, *y = b;

	return x->ret < y->ret ? -1 : x->ret > y->ret;
}

static unsigned int pe_find_leaves(struct pe_tree_leaf *leaves, enum pe_code_from from,
				   const struct list_head *pieces)
{
	const struct pe_piece *piece;
	unsigned int n = 0;

	list_for_each_entry(piece, pieces, list) {
		if (piece->from == from)
			leaves[n++] = (struct pe_tree_leaf){
				.ret = piece->ret, .to = pe_piece_addr(piece),
			};
	}
	sort(leaves, n, sizeof(*leaves), pe_by_ret, NULL);
	return n;
}

/* Write a tree of all pieces.  Without memory there are none.  Return: its length; 0: no tree. */
static unsigned int pe_write_tree(struct pe_tree_work *work, const struct front *front, char *to,
				  const struct list_head *pieces)
{
	const struct pe_mem at = pe_tree_return();
	struct pe_emit e = { .size = front->size, .addr = (unsigned long)to };
	unsigned int n = work ? pe_find_leaves(work->leaves, front - pe_code_fronts, pieces) : 0;

	if (!n)
		return 0;
	e.code = work->code;
	pe_emit_tree(&e, front->ret_in_reg ? NULL : &at, work->leaves, n,
		     (unsigned long)front->interpret);
	if (WARN_ON_ONCE(e.bad))
		return 0;
	pe_code_write((unsigned long)to, work->code, e.len);
	return e.len;
}

static void pe_switch_tree(struct pe_tree_work *work, struct front *front,
			   const struct list_head *pieces)
{
	unsigned int next = !front->current_tree;
	unsigned int len = pe_write_tree(work, front, front->trees[next].code, pieces);

	front->lead(len ? front->trees[next].tree : NULL);
	/* Tasks may still be in the old one; it counts no more. */
	front->trees[front->current_tree].len = 0;
	front->trees[next].len = len;
	front->current_tree = next;
}

/* Lead all calls to the pieces that there are. */
void pe_fronts_switch(struct pe_tree_work *work, const struct list_head *pieces)
{
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	for (i = 0; i < ARRAY_SIZE(pe_code_fronts); i++) {
		if (pe_code_fronts[i].lead)
			pe_switch_tree(work, &pe_code_fronts[i], pieces);
	}
}

size_t pe_fronts_used(void)
{
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pe_code_fronts); i++)
		used += pe_code_fronts[i].trees[0].len + pe_code_fronts[i].trees[1].len;
	return used;
}

size_t pe_fronts_size(void)
{
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pe_code_fronts); i++)
		size += 2 * pe_code_fronts[i].size;
	return size;
}
