// SPDX-License-Identifier: GPL-2.0
/*
 * fs_control.c - the table of the files that define events and account for their hits, and the
 * list that those have in common.
 */
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/probefs/fs.h"

/* Lists of all sources, one per line, in order of definition. */

void *pe_sources_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&pe_event_mutex);
	return seq_list_start(&pe_sources, *pos);
}

void *pe_sources_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &pe_sources, pos);
}

void pe_sources_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&pe_event_mutex);
}

static const struct pe_fs_file pe_fs_control_files[] = {
	{ "kprobe_events",	PE_FS_RW,	&pe_kprobe_events_fops },
	{ "dynamic_events",	PE_FS_RW,	&pe_dynamic_events_fops },
	{ "kprobe_profile",	PE_FS_RO,	&pe_profile_fops },
	{ "kprobe_losses",	PE_FS_RO,	&pe_losses_fops },
	{ "README",		PE_FS_RO,	&pe_readme_fops },
	{ }
};

int pe_fs_control_init(void)
{
	return pe_fs_create_files(NULL, pe_fs_control_files, NULL);
}
