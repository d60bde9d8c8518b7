/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_capi_races.h - probes that come and go while they are hit: a part of pe_capi_cases.h.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>

static atomic_t running;
static bool late;

static int note_late(struct kprobe *kp, struct pt_regs *regs)
{
	struct probe *p = container_of(kp, struct probe, kp);

	p->pre++;
	if (!atomic_read(&running))
		WRITE_ONCE(late, true);
	return 0;
}

static int call_all_the_time(void *unused)
{
	while (!kthread_should_stop()) {
		add(1, 2);
		mix(3, 4);
		cond_resched();
	}
	return 0;
}

static struct probe shared = { .kp = { .pre_handler = note_late } };
static struct completion over[2];

/* Two threads register and unregister the same probe, of which only one can have it. */
static int fight(void *data)
{
	unsigned int i;

	for (i = 0; i < 20; i++) {
		if (!register_kprobe(&shared.kp)) {
			cond_resched();
			unregister_kprobe(&shared.kp);
		}
	}
	complete(data);
	return 0;
}

static void come_and_go(const char *symbol, unsigned int offset, struct probe *p)
{
	*p = (struct probe){
		.kp = { .symbol_name = symbol, .offset = offset, .pre_handler = note_late,
			.post_handler = count_post },
	};
	atomic_set(&running, 1);
	if (register_kprobe(&p->kp))
		late = true;
	cond_resched();
	unregister_kprobe(&p->kp);
	atomic_set(&running, 0);
}

static void races(void)
{
	struct task_struct *caller = kthread_run(call_all_the_time, NULL, "capi_caller");
	static struct probe p;
	unsigned int i;

	if (IS_ERR(caller))
		return;
	for (i = 0; i < (OURS ? 10 : 2); i++) {
		come_and_go(ADD, 0, &p);
		come_and_go(MIX, cmp_at, &p);
	}
	say("late handlers", late);
	if (OURS) {
		shared.kp.addr = (void *)mix;
		atomic_set(&running, 1);
		for (i = 0; i < 2; i++) {
			init_completion(&over[i]);
			kthread_run(fight, &over[i], "capi_fight");
		}
		wait_for_completion(&over[0]);
		wait_for_completion(&over[1]);
		say("fight is over", disable_kprobe(&shared.kp));
	}
	kthread_stop(caller);
}
