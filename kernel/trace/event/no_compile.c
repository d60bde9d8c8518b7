// SPDX-License-Identifier: GPL-2.0
/*
 * no_compile.c - in place of compile.c and timekeeper.c, on an architecture that compiles no hits.
 */
#include <linux/errno.h>
#include <linux/seq_file.h>
#include "compile.h"
#include "event_source.h"
#include "instance.h"
#include "timekeeper.h"

int pe_compile_init(void)
{
	return 0;
}

void pe_compile_exit(void)
{
}

void pe_compile_changed(struct pe_event *event)
{
}

void pe_compile_free(struct pe_source *source)
{
	pe_source_free(source);
}

void pe_compile_free_limit(struct pe_event *event)
{
}

void pe_compile_free_instance(struct pe_instance *inst)
{
	pe_instance_free(inst);
}

int pe_compile_switch(bool on)
{
	return on ? -EOPNOTSUPP : 0;
}

bool pe_compile_is_on(void)
{
	return false;
}

bool pe_compile_is_live(const struct pe_event_probe *probe)
{
	return false;
}

int pe_compile_show(struct seq_file *m)
{
	seq_puts(m, "# hits cannot be compiled on this architecture\n");
	return 0;
}

int pe_timekeeper_init(void)
{
	return 0;
}

void pe_timekeeper_exit(void)
{
}
