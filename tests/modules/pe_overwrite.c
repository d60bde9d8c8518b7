// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_overwrite.c - another writer of text.
 *
 *   echo PLACE > note	PLACE is SYM+OFFS or MOD:SYM+OFFS; what is there now is noted
 *   echo N > swap	the first N bytes there and those of the note change places
 *
 * It writes as a live patch or another tracer might, without asking.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <pe/symbols.h>

static void *(*poke)(void *addr, const void *bytes, size_t n);
static void (*sync)(void);
static struct mutex *text_lock;

static u8 *place;
static u8 noted[8];

static int note_set(const char *val, const struct kernel_param *param)
{
	char text[128], *offset;
	unsigned long addr, off = 0;

	strscpy(text, val, sizeof(text));
	strim(text);
	offset = strchr(text, '+');
	if (offset)
		*offset++ = '\0';
	if (offset && kstrtoul(offset, 0, &off))
		return -EINVAL;
	addr = pe_symbol_lookup(text);
	if (!addr)
		return -ENOENT;
	place = (u8 *)(addr + off);
	memcpy(noted, place, sizeof(noted));
	return 0;
}

static const struct kernel_param_ops note_ops = { .set = note_set };
module_param_cb(note, &note_ops, NULL, 0200);

static int swap_set(const char *val, const struct kernel_param *param)
{
	u8 was[sizeof(noted)];
	unsigned int n;

	if (!place || kstrtouint(val, 0, &n) || n > sizeof(noted))
		return -EINVAL;
	mutex_lock(text_lock);
	memcpy(was, place, n);
	poke(place, noted, n);
	sync();
	mutex_unlock(text_lock);
	memcpy(noted, was, n);
	return 0;
}

static const struct kernel_param_ops swap_ops = { .set = swap_set };
module_param_cb(swap, &swap_ops, NULL, 0200);

static int __init overwrite_init(void)
{
	poke = (void *)pe_symbol_lookup("text_poke");
	sync = (void *)(pe_symbol_lookup("text_poke_sync") ?:
			pe_symbol_lookup("smp_text_poke_sync_each_cpu"));
	text_lock = (void *)pe_symbol_lookup("text_mutex");
	return poke && sync && text_lock ? 0 : -ENOENT;
}

static void __exit overwrite_exit(void)
{
}

module_init(overwrite_init);
module_exit(overwrite_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Overwrites text, for tests");
