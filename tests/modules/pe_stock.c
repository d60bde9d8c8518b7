// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_stock.c - kprobes of the kernel itself, from a shell.
 *
 * kprobe_events of the kernel refuses functions without an ftrace site; a module
 * may probe them.  "SYM+OFFS" to add or del; hits shows "SYM+OFFS hits flags".
 * "last" is the symbol of the probe that was hit last.
 * "SYM!" gets a post_handler: at a function's entry, such a kprobe claims the right
 * to divert the function (ftrace's IPMODIFY).
 * "START LAST STEP" to area tries a kprobe at every STEP bytes from START to LAST; reading gives how
 * many were tried, how many the kernel accepted, and the last one of these.
 * "SYM" to hold makes calls of that function wait at its entry, until "" is written;
 * reading gives how many wait.  The function takes up to six arguments.  Calls sleep, and
 * keep the locks that they hold.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>

struct probe {
	struct list_head list;
	struct kprobe kp;
	char text[128];
	char symbol[112];
	atomic_long_t hits;
	long turn;
};

static LIST_HEAD(probes);
static DEFINE_MUTEX(probes_mutex);
static atomic_long_t turns;

static int pre_handler(struct kprobe *kp, struct pt_regs *regs)
{
	struct probe *p = container_of(kp, struct probe, kp);

	atomic_long_inc(&p->hits);
	WRITE_ONCE(p->turn, atomic_long_inc_return(&turns));
	return 0;
}

static void post_handler(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static int pre_nothing(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}

static int add(const char *text)
{
	struct probe *p = kzalloc(sizeof(*p), GFP_KERNEL);
	char *plus, *mark;
	int err;

	if (!p)
		return -ENOMEM;
	strscpy(p->text, text, sizeof(p->text));
	strscpy(p->symbol, text, sizeof(p->symbol));
	mark = strchr(p->symbol, '!');
	if (mark) {
		*mark = '\0';
		p->kp.post_handler = post_handler;
	}
	plus = strchr(p->symbol, '+');
	if (plus)
		*plus++ = '\0';
	err = plus ? kstrtouint(plus, 0, &p->kp.offset) : 0;
	p->kp.symbol_name = p->symbol;
	p->kp.pre_handler = pre_handler;
	if (!err)
		err = register_kprobe(&p->kp);
	if (err)
		kfree(p);
	else
		list_add_tail(&p->list, &probes);
	return err;
}

static void del(struct probe *p)
{
	unregister_kprobe(&p->kp);
	list_del(&p->list);
	kfree(p);
}

static int del_named(const char *text)
{
	struct probe *p;

	list_for_each_entry(p, &probes, list) {
		if (!strcmp(p->text, text)) {
			del(p);
			return 0;
		}
	}
	return -ENOENT;
}

static int command_set(const char *val, const struct kernel_param *param)
{
	char text[128], *name;
	int err;

	strscpy(text, val, sizeof(text));
	name = strim(text);
	mutex_lock(&probes_mutex);
	err = strstr(param->name, "add") ? add(name) : del_named(name);
	mutex_unlock(&probes_mutex);
	return err;
}

static const struct kernel_param_ops command_ops = { .set = command_set };
module_param_cb(add, &command_ops, NULL, 0200);
module_param_cb(del, &command_ops, NULL, 0200);

static int hits_get(char *buf, const struct kernel_param *param)
{
	struct probe *p;
	int len = 0;

	mutex_lock(&probes_mutex);
	list_for_each_entry(p, &probes, list)
		len += sysfs_emit_at(buf, len, "%s %ld 0x%x\n", p->text,
				     atomic_long_read(&p->hits), p->kp.flags);
	mutex_unlock(&probes_mutex);
	return len;
}

static const struct kernel_param_ops hits_ops = { .get = hits_get };
module_param_cb(hits, &hits_ops, NULL, 0400);

static int last_get(char *buf, const struct kernel_param *param)
{
	struct probe *p, *last = NULL;
	int len = 0;

	mutex_lock(&probes_mutex);
	list_for_each_entry(p, &probes, list)
		if (p->turn && (!last || p->turn > last->turn))
			last = p;
	if (last)
		len = sysfs_emit(buf, "%s\n", last->text);
	mutex_unlock(&probes_mutex);
	return len;
}

static const struct kernel_param_ops last_ops = { .get = last_get };
module_param_cb(last, &last_ops, NULL, 0400);

/* ---- many addresses ---- */

static unsigned long tried, accepted, accepted_at;

static int area_set(const char *val, const struct kernel_param *param)
{
	unsigned long start, last, step;

	if (sscanf(val, "%lx %lx %lu", &start, &last, &step) != 3 || !step)
		return -EINVAL;
	mutex_lock(&probes_mutex);
	for (tried = accepted = accepted_at = 0; start <= last; start += step, tried++) {
		struct kprobe kp = { .addr = (void *)start, .pre_handler = pre_nothing };

		if (register_kprobe(&kp))
			continue;
		unregister_kprobe(&kp);
		accepted++;
		accepted_at = start;
	}
	mutex_unlock(&probes_mutex);
	return 0;
}

static int area_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%lu %lu %pS\n", tried, accepted, (void *)accepted_at);
}

static const struct kernel_param_ops area_ops = { .set = area_set, .get = area_get };
module_param_cb(area, &area_ops, NULL, 0600);

/* ---- calls that wait ---- */

typedef unsigned long (*held_function)(unsigned long a, unsigned long b, unsigned long c,
				       unsigned long d, unsigned long e, unsigned long f);

static struct kprobe hold;
static char hold_symbol[112];
static bool holding;
static atomic_t held;
static DECLARE_WAIT_QUEUE_HEAD(hold_queue);

/* Runs in place of the function, and calls it after the wait. */
static unsigned long wait_and_call(unsigned long a, unsigned long b, unsigned long c,
				   unsigned long d, unsigned long e, unsigned long f)
{
	unsigned long ret;

	atomic_inc(&held);
	wait_event(hold_queue, !READ_ONCE(holding));
	ret = ((held_function)hold.addr)(a, b, c, d, e, f);
	atomic_dec(&held);
	wake_up_all(&hold_queue);
	return ret;
}

static int divert(struct kprobe *kp, struct pt_regs *regs)
{
	if (!READ_ONCE(holding))
		return 0;
	instruction_pointer_set(regs, (unsigned long)wait_and_call);
	return 1;
}

static void release(void)
{
	if (!holding)
		return;
	WRITE_ONCE(holding, false);
	wake_up_all(&hold_queue);
	wait_event(hold_queue, !atomic_read(&held));
	unregister_kprobe(&hold);
}

static int hold_set(const char *val, const struct kernel_param *param)
{
	int err = 0;

	mutex_lock(&probes_mutex);
	release();
	strscpy(hold_symbol, val, sizeof(hold_symbol));
	if (*strim(hold_symbol)) {
		/* The post_handler keeps the kprobe from becoming a jump, which cannot divert. */
		hold = (struct kprobe){
			.symbol_name = strim(hold_symbol),
			.pre_handler = divert,
			.post_handler = post_handler,
		};
		WRITE_ONCE(holding, true);
		err = register_kprobe(&hold);
		if (err)
			WRITE_ONCE(holding, false);
	}
	mutex_unlock(&probes_mutex);
	return err;
}

static int hold_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&held));
}

static const struct kernel_param_ops hold_ops = { .set = hold_set, .get = hold_get };
module_param_cb(hold, &hold_ops, NULL, 0600);

static int __init stock_init(void)
{
	return 0;
}

static void __exit stock_exit(void)
{
	struct probe *p, *next;

	release();
	list_for_each_entry_safe(p, next, &probes, list)
		del(p);
}

module_init(stock_init);
module_exit(stock_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Kprobes of the kernel from a shell, for tests");
