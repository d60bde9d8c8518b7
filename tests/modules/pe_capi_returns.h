/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_capi_returns.h - return probes: a part of pe_capi_cases.h.
 */

struct returning {
	struct kretprobe rp;
	unsigned int entries, returns;
	bool skip, wrong;
	unsigned long value;
};

struct call {
	unsigned long marks[8], argument;
};

static int enter(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct returning *r = container_of(get_kretprobe(ri), struct returning, rp);
	struct call *call = (struct call *)ri->data;

	r->entries++;
	if (r->rp.data_size) {
		memset(call->marks, 0x5a, sizeof(call->marks));
		call->argument = regs->di;
	}
	return r->skip;
}

static int leave(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct returning *r = container_of(get_kretprobe(ri), struct returning, rp);
	struct call *call = (struct call *)ri->data;

	r->returns++;
	r->value = regs_return_value(regs);
	if (regs->ip != get_kretprobe_retaddr(ri) || !within_module(regs->ip, THIS_MODULE))
		r->wrong = true;
#if OURS
	/* The kernel has these only in some versions. */
	if (ri->rp != &r->rp || (unsigned long)ri->ret_addr != regs->ip)
		r->wrong = true;
#endif
	if (r->rp.data_size &&
	    (memchr_inv(call->marks, 0x5a, sizeof(call->marks)) || call->argument != 3))
		r->wrong = true;
	return 0;
}

static int change_value(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs->ax = 88;
	return 1;	/* ignored */
}

/* Each level waits for the next one, so that all of them are active. */
static noinline __noclone unsigned long capi_recurse(unsigned long n)
{
	unsigned long below = n ? capi_recurse(n - 1) : 0;

	barrier();
	return below + n;
}

static int try_return(struct kretprobe rp)
{
	int err = register_kretprobe(&rp);

	if (!err)
		unregister_kretprobe(&rp);
	return err;
}

static void return_answers(void)
{
	struct kretprobe rp = {}, *none = NULL;

	rp.handler = leave;
	say("return: neither", try_return(rp));
	rp.kp.symbol_name = "pe_no_such_symbol";
	say("return: no symbol", try_return(rp));
	rp.kp.symbol_name = MIX;
	rp.kp.offset = mov_at;
	say("return: inside", try_return(rp));
	rp.kp.symbol_name = ADD;
	rp.kp.offset = 0;
	rp.data_size = 1008;
	say("return: much data", try_return(rp));
	rp.data_size = 4097;
	say("return: too much data", try_return(rp));
	rp.data_size = 0;
	rp.handler = NULL;
	say("return: no handler", try_return(rp));
	say("return: array of none", register_kretprobes(&none, 0));
}

static void returns(void)
{
	struct returning r = {
		.rp = { .kp.symbol_name = ADD, .handler = leave, .entry_handler = enter,
			.data_size = sizeof(struct call), .maxactive = 1 },
	};
	struct returning bad = { .rp = { .kp.symbol_name = "pe_no_such_symbol", .handler = leave } };
	struct kretprobe *rps[] = { &r.rp, &bad.rp };

	say("return: array", register_kretprobes(rps, 2));
	add(3, 4);
	say("return: array hits", r.entries * 10 + r.returns);
	r.rp.kp.addr = NULL;
	r.rp.kp.flags = 0;
	r.rp.nmissed = 99;
	say("return: register", register_kretprobes(rps, 1));
	say("return: missed at first", r.rp.nmissed);
	add(3, 4);
	say("return: both", r.entries * 10 + r.returns);
	say("return: value", r.value);
	r.skip = true;
	add(3, 4);
	say("return: skipped", r.entries * 10 + r.returns);
	r.skip = false;
	say("return: disable", disable_kretprobe(&r.rp));
	add(3, 4);
	say("return: disabled", r.entries * 10 + r.returns);
	say("return: enable", enable_kretprobe(&r.rp));
	r.rp.handler = change_value;
	say("return: changed value", add(3, 4));
	unregister_kretprobes(rps, 1);
	say("return: not changed", add(3, 4));
	say("return: missed", r.rp.nmissed);
	say("return: wrong", r.wrong);
}

static void return_depth(void)
{
	struct returning r = {
		.rp = { .handler = leave, .maxactive = 2,
			.kp.symbol_name = KBUILD_MODNAME ":capi_recurse" },
	};

	say("depth: register", register_kretprobe(&r.rp));
	say("depth: value", capi_recurse(9));
	unregister_kretprobe(&r.rp);
	say("depth: returns", r.returns);
	say("depth: missed", r.rp.nmissed);
}
