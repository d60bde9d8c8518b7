/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_some_cases.h - cases of pe_api_test: all or some probes of several, and many probes of one site.
 */

static bool all_or_none(void)
{
	struct counter a, bad, b;
	struct pe_kprobe *all[] = { &a.kp, &bad.kp, &b.kp };

	at(&a, "pe_target:pe_target_mix", pe_mix_insns[2].offset);
	at(&bad, "pe_target:pe_target_mix", pe_mix_insns[1].offset + 1);
	at(&b, "pe_target:pe_target_add", 0);
	CHECK(case_register(all, 3) == -EILSEQ);
	CHECK(bad.kp.reason && !a.kp.reason && !b.kp.reason);
	pe_target_mix(1, 2);
	pe_target_add(1, 2);
	CHECK(!hits(&a) && !hits(&b));
	at(&bad, "pe_target:pe_target_none", 0);
	CHECK(case_register(all, 3) == -ENOENT);
	bad.kp.symbol = "pe_target:pe_target_add";
	CHECK(!reg(all, 3));
	pe_target_add(1, 2);
	CHECK(hits(&b) == 1 && hits(&bad) == 1);
	case_unregister(all, 3);
	return true;
}

static bool some_of_several(void)
{
	struct counter a, bad, b, none, off;
	struct pe_kprobe *all[] = { &a.kp, &bad.kp, &b.kp, &none.kp, &off.kp };
	struct pe_kprobe *good[] = { &a.kp, &b.kp, &off.kp };
	int errs[ARRAY_SIZE(all)];
	unsigned int i;

	at(&a, "pe_target:pe_target_mix", pe_mix_insns[2].offset);
	at(&bad, "pe_target:pe_target_mix", pe_mix_insns[1].offset + 1);
	at(&b, "pe_target:pe_target_add", 0);
	at(&none, "pe_target:pe_target_none", 0);
	at(&off, "pe_target:pe_target_string", 0);
	off.kp.flags = PE_KPROBE_DISABLED;
	pe_register_kprobes_some(all, ARRAY_SIZE(all), errs);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		if (!errs[i])
			case_replace(NULL, all[i]);
	}
	CHECK(!errs[0] && errs[1] == -EILSEQ && !errs[2] && errs[3] == -ENOENT && !errs[4]);
	CHECK(bad.kp.reason && none.kp.reason);
	pe_target_mix(1, 2);
	pe_target_add(1, 2);
	pe_target_string("x", 1);
	CHECK(hits(&a) == 1 && hits(&b) == 1 && !hits(&off));
	CHECK(!pe_enable_kprobe(&off.kp));
	pe_target_string("x", 1);
	CHECK(hits(&off) == 1);
	case_unregister(good, ARRAY_SIZE(good));
	return true;
}

/* Nanoseconds for @n probes of one site to come, be switched, fire once, and go; 0: failed. */
static u64 time_of_many(unsigned int n)
{
	struct pe_kprobe **kps = vmalloc(array_size(n, sizeof(*kps)));
	struct counter *cs = vmalloc(array_size(n, sizeof(*cs)));
	bool ok = false;
	u64 start = 0;
	unsigned int i;

	if (!kps || !cs)
		goto out;
	for (i = 0; i < n; i++) {
		at(&cs[i], NULL, 0);
		cs[i].kp.addr = (unsigned long)pe_target_mix + pe_mix_insns[2].offset;
		kps[i] = &cs[i].kp;
	}
	start = ktime_get_ns();
	if (pe_register_kprobes(kps, n))
		goto out;
	pe_disable_kprobes(kps, n);
	ok = !pe_enable_kprobes(kps, n);
	pe_target_mix(1, 2);
	ok = ok && hits(&cs[0]) == 1 && hits(&cs[n - 1]) == 1;
	pe_unregister_kprobes(kps, n);
out:
	vfree(kps);
	vfree(cs);
	return ok ? ktime_get_ns() - start : 0;
}

/* If each went through all of them, four times as many would take sixteen times as long. */
static bool many_on_one_site(void)
{
	u64 few = time_of_many(2000), many = time_of_many(8000);

	pr_info("probes of one site: 2000 in %llu us, 8000 in %llu us\n", few / 1000, many / 1000);
	CHECK(few && many);
	CHECK(many < 8 * few + 100 * NSEC_PER_MSEC);
	return true;
}
