// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_probe.c - engine probes from a shell, without the event layer.
 *
 *   echo "SYM+OFFS" > add	a probe; the write fails as the registration does
 *   echo "r:SYM" > add		a return probe; its hits are returns
 *   echo "c:SYM+OFFS" > add	a probe that may change registers, with a post handler
 *   echo "d:SYM+OFFS" > add	a probe that returns 0 to the caller; nothing is on the stack
 *   echo "SYM+OFFS" > del, disable, enable
 *   cat hits			"SYM+OFFS hits missed mechanism task softirq irq nmi"
 *   echo 0|1 > armed		kprobes/enabled
 *   echo 0|1 > optimization	kprobes/optimization
 *   cat reason			why the last command failed
 *   echo "MOD:SYM+OFFS" > coming	a probe to add when the module MOD is loaded
 *   cat usage			of return probes: "functions sets calls-in-progress"
 *   cat text			checksum of the kernel's text
 *   list, blacklist: /proc/pe_probe_list, /proc/pe_probe_blacklist
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/kretprobe.h>
#include <pe/listing.h>
#include <pe/nofault.h>
#include <pe/symbols.h>

struct probe {
	struct list_head list;
	struct pe_kretprobe rp;	/* only rp.kp of a plain probe is used */
	char text[128];		/* "SYM+OFFS" */
	char symbol[112];
	unsigned long __percpu *hits;	/* [PE_NR_LEVELS] */
	unsigned long bad_ip;
	unsigned long __percpu *posts;
};

static LIST_HEAD(probes);
static DEFINE_MUTEX(probes_mutex);
static const char *last_reason;

static void on_hit(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct probe *p = container_of(kp, struct probe, rp.kp);

	this_cpu_inc(p->hits[hit->level]);
	if (hit->regs->ip != kp->addr + 1)
		WRITE_ONCE(p->bad_ip, hit->regs->ip);
}

static void on_return(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
		      void *data)
{
	struct probe *p = container_of(rp, struct probe, rp);

	this_cpu_inc(p->hits[hit->level]);
	if (hit->regs->ip != ret_ip)
		WRITE_ONCE(p->bad_ip, hit->regs->ip);
}

/* The engine ignores what it does to ->ip. */
static bool on_change(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	on_hit(kp, hit);
	hit->regs->ip = 0;
	return false;
}

static void on_post(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct probe *p = container_of(kp, struct probe, rp.kp);
	unsigned long past = hit->regs->ip - kp->addr;

	this_cpu_inc(*p->posts);
	if (!past || past > 15)
		WRITE_ONCE(p->bad_ip, hit->regs->ip);
}

static void just_return(void)
{
}

static bool on_divert(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	on_hit(kp, hit);
	hit->regs->ax = 0;
	hit->regs->ip = (unsigned long)just_return;
	return true;
}

static unsigned long posts_of(const struct probe *p)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(p->posts, cpu);
	return sum;
}

static unsigned long hits_at(const struct probe *p, unsigned int level)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(p->hits, cpu)[level];
	return sum;
}

static struct probe *find(const char *text)
{
	struct probe *p;

	list_for_each_entry(p, &probes, list) {
		if (!strcmp(p->text, text))
			return p;
	}
	return NULL;
}

static void probe_free(struct probe *p)
{
	free_percpu(p->hits);
	free_percpu(p->posts);
	kfree(p);
}

/* "SYM", "SYM+OFFS", "MOD:SYM+OFFS", "0xADDR", each with an optional "r:", "c:", "d:" first */
static int parse(struct probe *p, const char *text)
{
	char *plus;

	strscpy(p->text, text, sizeof(p->text));
	if (!strncmp(text, "r:", 2)) {
		text += 2;
		p->rp.kp.flags = PE_KPROBE_RETURN;
		p->rp.handler = on_return;
	} else if (!strncmp(text, "c:", 2)) {
		text += 2;
		p->rp.kp.handler = NULL;
		p->rp.kp.change = on_change;
		p->rp.kp.post = on_post;
	} else if (!strncmp(text, "d:", 2)) {
		text += 2;
		p->rp.kp.handler = NULL;
		p->rp.kp.change = on_divert;
	}
	strscpy(p->symbol, text, sizeof(p->symbol));
	plus = strchr(p->symbol, '+');
	if (plus)
		*plus++ = '\0';
	if (plus && kstrtoul(plus, 0, &p->rp.kp.offset))
		return -EINVAL;
	if (!kstrtoul(p->symbol, 0, &p->rp.kp.addr))
		return 0;
	p->rp.kp.symbol = p->symbol;
	return 0;
}

static int add(const char *text)
{
	struct probe *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int err = -ENOMEM;

	if (!p)
		return err;
	p->hits = __alloc_percpu(sizeof(unsigned long) * PE_NR_LEVELS, sizeof(unsigned long));
	p->posts = alloc_percpu(unsigned long);
	if (!p->hits || !p->posts)
		goto fail;
	p->rp.kp.handler = on_hit;
	err = parse(p, text);
	p->rp.kp.flags |= PE_KPROBE_NESTS;
	if (!err)
		err = pe_register_kprobe(&p->rp.kp);
	last_reason = p->rp.kp.reason;
	if (err)
		goto fail;
	list_add_tail(&p->list, &probes);
	return 0;
fail:
	probe_free(p);
	return err;
}

static int del(struct probe *p)
{
	pe_unregister_kprobe(&p->rp.kp);
	list_del(&p->list);
	probe_free(p);
	return 0;
}

static int command(const char *verb, const char *text)
{
	struct probe *p = find(text);
	int err;

	last_reason = NULL;
	if (!strcmp(verb, "add"))
		return add(text);
	if (!p)
		return -ENOENT;
	if (!strcmp(verb, "del"))
		return del(p);
	if (!strcmp(verb, "disable")) {
		pe_disable_kprobe(&p->rp.kp);
		return 0;
	}
	err = pe_enable_kprobe(&p->rp.kp);
	last_reason = p->rp.kp.reason;
	return err;
}

static int command_set(const char *val, const struct kernel_param *param)
{
	const char *verb = strrchr(param->name, '.');
	char text[128];
	int err;

	verb = verb ? verb + 1 : param->name;
	strscpy(text, val, sizeof(text));
	mutex_lock(&probes_mutex);
	err = command(verb, strim(text));
	mutex_unlock(&probes_mutex);
	return err;
}

static const struct kernel_param_ops command_ops = { .set = command_set };
module_param_cb(add, &command_ops, NULL, 0200);
module_param_cb(del, &command_ops, NULL, 0200);
module_param_cb(enable, &command_ops, NULL, 0200);
module_param_cb(disable, &command_ops, NULL, 0200);

static int show_hits(char *buf, int len, const struct probe *p)
{
	static const char * const mechanisms[] = { "none", "entry", "jump", "int3" };
	unsigned long by_level[PE_NR_LEVELS], total = 0;
	unsigned int i;

	for (i = 0; i < PE_NR_LEVELS; i++) {
		by_level[i] = hits_at(p, i);
		total += by_level[i];
	}
	return sysfs_emit_at(buf, len, "%s %lu %lu %s %lu %lu %lu %lu%s%s%s\n", p->text, total,
			     pe_kprobe_missed(&p->rp.kp), mechanisms[pe_kprobe_mechanism(&p->rp.kp)],
			     by_level[0], by_level[1], by_level[2], by_level[3],
			     p->rp.kp.flags & PE_KPROBE_GONE ? " GONE" : "",
			     p->bad_ip ? " BAD_IP" : "",
			     p->rp.kp.post && posts_of(p) != total ? " BAD_POST" : "");
}

static int hits_get(char *buf, const struct kernel_param *param)
{
	struct probe *p;
	int len = 0;

	mutex_lock(&probes_mutex);
	list_for_each_entry(p, &probes, list)
		len += show_hits(buf, len, p);
	mutex_unlock(&probes_mutex);
	return len;
}

static const struct kernel_param_ops hits_ops = { .get = hits_get };
module_param_cb(hits, &hits_ops, NULL, 0400);

static int reason_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%s\n", last_reason ?: "");
}

static const struct kernel_param_ops reason_ops = { .get = reason_get };
module_param_cb(reason, &reason_ops, NULL, 0400);

static char coming[128];	/* probes_mutex */

static int coming_set(const char *val, const struct kernel_param *param)
{
	char text[128];

	strscpy(text, val, sizeof(text));
	mutex_lock(&probes_mutex);
	strscpy(coming, strim(text), sizeof(coming));
	mutex_unlock(&probes_mutex);
	return 0;
}

static const struct kernel_param_ops coming_ops = { .set = coming_set };
module_param_cb(coming, &coming_ops, NULL, 0200);

static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;
	size_t len = strlen(mod->name);

	if (event != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	mutex_lock(&probes_mutex);
	if (!strncmp(coming, mod->name, len) && coming[len] == ':') {
		if (add(coming))
			pr_err("%s: %s\n", coming, last_reason);
		coming[0] = '\0';
	}
	mutex_unlock(&probes_mutex);
	return NOTIFY_OK;
}

/* Runs after jump labels and static calls have found the module's sites. */
static struct notifier_block module_notifier = {
	.notifier_call = module_event,
	.priority = -10,
};

static int armed_set(const char *val, const struct kernel_param *param)
{
	bool on;
	int err = kstrtobool(val, &on);

	return err ?: pe_kprobes_arm_all(on);
}

static int armed_get(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%d\n", pe_kprobes_armed());
}

static const struct kernel_param_ops armed_ops = { .set = armed_set, .get = armed_get };
module_param_cb(armed, &armed_ops, NULL, 0600);

static int optimization_set(const char *val, const struct kernel_param *param)
{
	bool on;
	int err = kstrtobool(val, &on);

	if (!err)
		pe_kprobes_optimize(on);
	return err;
}

static const struct kernel_param_ops optimization_ops = { .set = optimization_set };
module_param_cb(optimization, &optimization_ops, NULL, 0200);

static int usage_get(char *buf, const struct kernel_param *param)
{
	struct pe_kretprobe_usage usage;

	pe_kretprobe_usage(&usage);
	return sysfs_emit(buf, "%lu %lu %lu\n", usage.functions, usage.sets, usage.in_flight);
}

static const struct kernel_param_ops usage_ops = { .get = usage_get };
module_param_cb(usage, &usage_ops, NULL, 0400);

/* FNV-1a over _stext to _etext. */
static int text_get(char *buf, const struct kernel_param *param)
{
	unsigned long addr = pe_symbol_lookup("_stext"), end = pe_symbol_lookup("_etext");
	u64 sum = 0xcbf29ce484222325ULL, word;

	if (!addr || !end)
		return -ENOENT;
	for (; addr < end; addr += sizeof(word)) {
		if (!pe_read_nofault(&word, addr, sizeof(word)))
			continue;
		sum = (sum ^ word) * 0x100000001b3ULL;
		if (!(addr & 0xfffff))
			cond_resched();
	}
	return sysfs_emit(buf, "%016llx\n", sum);
}

static const struct kernel_param_ops text_ops = { .get = text_get };
module_param_cb(text, &text_ops, NULL, 0400);

static int list_show(struct seq_file *m, void *v)
{
	pe_kprobes_show_list(m);
	return 0;
}

static int blacklist_show(struct seq_file *m, void *v)
{
	pe_kprobes_show_blacklist(m);
	return 0;
}

static int __init probe_init(void)
{
	int err = register_module_notifier(&module_notifier);

	if (err)
		return err;
	proc_create_single("pe_probe_list", 0400, NULL, list_show);
	proc_create_single("pe_probe_blacklist", 0400, NULL, blacklist_show);
	return 0;
}

static void __exit probe_exit(void)
{
	struct probe *p, *next;

	unregister_module_notifier(&module_notifier);
	remove_proc_entry("pe_probe_list", NULL);
	remove_proc_entry("pe_probe_blacklist", NULL);
	list_for_each_entry_safe(p, next, &probes, list)
		del(p);
}

module_init(probe_init);
module_exit(probe_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Engine probes from a shell, for tests");
