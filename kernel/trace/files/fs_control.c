// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_control.c - the table of the files that exist once.
 */
#include <pe/symbols.h>
#include "files.h"
#include "kernel/trace/event/event_cmd.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace_instance.h"
#include "small_file.h"

static const struct pe_fs_file pe_fs_control_files[] = {
	{ "kprobe_events",	PE_FS_RW, &pe_small_fops, pe_command_files + PE_KPROBE_EVENTS },
	{ "dynamic_events",	PE_FS_RW, &pe_small_fops, pe_command_files + PE_DYNAMIC_EVENTS },
	{ "static_events",	PE_FS_RW, &pe_small_fops, pe_command_files + PE_STATIC_EVENTS },
	{ "kprobe_profile",	PE_FS_RO, &pe_small_fops, &pe_profile_file },
	{ "kprobe_losses",	PE_FS_RO, &pe_small_fops, &pe_losses_file },
	{ "limits",		PE_FS_RW, &pe_small_fops, &pe_limits_file },
	{ "README",		PE_FS_RO, &pe_small_fops, &pe_readme_file },
	{ "available_events",	PE_FS_RO, &pe_small_fops, &pe_available_events_file },
	{ "printk_formats",	PE_FS_RO, &pe_small_fops, &pe_printk_formats_file },
	{ "saved_cmdlines",	PE_FS_RO, &pe_small_fops, &pe_cmdlines_file },
	{ "saved_cmdlines_size", PE_FS_RW, &pe_small_fops, &pe_cmdlines_size_file },
	{ "saved_tgids",	PE_FS_RO, &pe_small_fops, &pe_tgids_file },
	{ "kprobes",		PE_FS_DIR, .files = pe_kprobes_files },
	{ }
};

/* Of a kernel with ftrace. */
static const struct pe_fs_file pe_traceable_files[] = {
	{ "available_filter_functions", PE_FS_RO, &pe_functions_fops },
	{ }
};

int pe_fs_control_init(void)
{
	int ret = pe_fs_create_files(NULL, pe_fs_control_files, &pe_top.views[0]);

	if (ret || !pe_traceable_known())
		return ret;
	return pe_fs_create_files(NULL, pe_traceable_files, NULL);
}
