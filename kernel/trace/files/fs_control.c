// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_control.c - the table of the files that define events and account for their hits.
 */
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
	{ }
};

int pe_fs_control_init(void)
{
	return pe_fs_create_files(NULL, pe_fs_control_files, &pe_top.views[0]);
}
