// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * may_compile.c - which hits can be compiled, as far as their site is concerned.
 *
 * The user of the probes judges whether the work at a hit can be compiled.
 */
#include <linux/list.h>
#include <linux/lockdep.h>
#include <pe/code.h>
#include <pe/kretprobe.h>
#include <pe_arch/emitters.h>
#include "kernel/arch.h"
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/jump/jump.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/site.h"
#include "kernel/return/return.h"

/* Does the function at @site call us at its entry? */
bool pe_code_site_is_entry(const struct pe_site *site)
{
	lockdep_assert_held(&pe_mutex);
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) && site->mech == &pe_mech_ftrace;
}

/* Probes of code, and those that C code counts and leaves out, are not mixed in a frame. */
static const char *pe_cannot_enter(const struct pe_return_set *set)
{
	unsigned int i;

	if (!set->n || set->n > PE_CODE_PROBES)
		return "the function has many return probes";
	if (set->frame_size > PE_FRAME_SMALL)
		return "the frame of a call is large";
	if (set->point->stack_words > PE_CALL_WORDS_MAX)
		return "the function may have many arguments on the stack";
	for (i = 0; i < set->n; i++) {
		if (!set->member[i].rp || !pe_wants_hit(&set->member[i].rp->kp))
			return "a return probe of the function is disabled";
	}
	return NULL;
}

/* NULL: code may enter the calls of the function at @site; or why not. */
const char *pe_call_site_check(const struct pe_site *site)
{
	u64 ret;

	lockdep_assert_held(&pe_mutex);
	if (!site->point || site->state != PE_SITE_DIVERTING)
		return "not armed";
	if (!pe_code_site_is_entry(site))
		return "a breakpoint at the entry of a function with return probes";
	if (site->hits == PE_HITS_CHANGED)
		return "handlers change registers there";
	if (!pe_arch_find_return(&ret))
		return "this CPU needs every call counted";
	return pe_cannot_enter(pe_return_set_of(site));
}

/* Are calls of the function called through?  Its return probes may all be disabled. */
static bool pe_code_site_is_call(const struct pe_site *site)
{
	return site->state == PE_SITE_DIVERTING && !list_empty(&site->probes[PE_CLIENT_RETURNS]);
}

/* NULL, or why the site has to be interpreted. */
static const char *pe_cannot_compile(const struct pe_site *site)
{
	if (!site || !pe_site_is_armed(site))
		return "not armed";
	if (pe_code_site_is_call(site))
		return pe_call_site_check(site);
	if (site->state == PE_SITE_DIVERTING || site->state == PE_SITE_MOVING)
		return "handlers change registers there";
	if (!pe_code_site_is_entry(site) && !pe_jump_is_on(site))
		return "a breakpoint, which is not a jump";
	return NULL;
}

static const char *pe_add_hits(const struct pe_site *site, struct pe_code_request *req,
			       const struct pe_code_user *user)
{
	struct pe_kprobe *kp;

	list_for_each_entry(kp, &site->probes[PE_CLIENT_HITS], node) {
		if (!pe_only_observes(kp))
			continue;
		if (kp->call != user->handler)	/* so it may nest */
			return "another user has a probe there";
		if (req->nr == PE_CODE_PROBES)
			return "the site has many probes";
		req->kps[req->nr++] = kp;
	}
	req->nr_hits = req->nr;
	return NULL;
}

/* In the order of the set. */
static const char *pe_code_site_add_returns(const struct pe_site *site, struct pe_code_request *req,
					    const struct pe_code_user *user)
{
	const struct pe_return_set *set;
	struct pe_kretprobe *rp;
	unsigned int i;

	if (!pe_code_site_is_call(site))
		return NULL;
	set = pe_return_set_of(site);
	for (i = 0; i < set->n; i++) {
		rp = set->member[i].rp;
		if (rp->call != user->return_handler ||
		    (rp->entry && rp->entry != user->return_entry))
			return "another user has a return probe there";
		if (req->nr == PE_CODE_PROBES)
			return "the site has many probes";
		req->kps[req->nr++] = &rp->kp;
	}
	return NULL;
}

/* pe_code_site(), with pe_mutex held. */
const char *pe_code_site_probes(struct pe_kprobe *kp, struct pe_code_request *req,
				const struct pe_code_user *user)
{
	const char *why = pe_cannot_compile(kp->site);

	lockdep_assert_held(&pe_mutex);
	*req = (struct pe_code_request){};
	if (!why) {
		req->entry = pe_code_site_is_entry(kp->site);
		why = pe_add_hits(kp->site, req, user);
	}
	if (!why)
		why = pe_code_site_add_returns(kp->site, req, user);
	return why ?: req->nr ? NULL : "not armed";
}
