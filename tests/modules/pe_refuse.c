// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_refuse.c - a notifier that refuses modules.
 *
 *   echo NAME > name	the module NAME cannot be loaded; "": every module can
 *   echo 1 > wait	it is refused when this is 0 again; 2: it is here, and comes until then
 *
 * Notifiers of the usual priorities are told before that the module comes.  The kernel's check of a
 * module's BTF refuses modules in the same way.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

static int wait;
module_param(wait, int, 0600);
static char name[MODULE_NAME_LEN];
module_param_string(name, name, sizeof(name), 0600);

static int refuse(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;

	if (event != MODULE_STATE_COMING || !sysfs_streq(mod->name, name))
		return NOTIFY_DONE;
	if (READ_ONCE(wait))
		WRITE_ONCE(wait, 2);
	while (READ_ONCE(wait) && !fatal_signal_pending(current))
		msleep(20);
	return notifier_from_errno(-EINVAL);
}

static struct notifier_block refuses = {
	.notifier_call = refuse,
	.priority = INT_MIN + 1,
};

static int __init refuse_init(void)
{
	return register_module_notifier(&refuses);
}

static void __exit refuse_exit(void)
{
	unregister_module_notifier(&refuses);
}

module_init(refuse_init);
module_exit(refuse_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Refuses modules, for tests");
