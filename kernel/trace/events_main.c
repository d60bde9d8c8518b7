// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * events_main.c - load and unload probe_events.ko.
 */
#include <linux/module.h>
#include <pe/version.h>
#include "kernel/trace/event/at_load.h"
#include "kernel/trace/event/compile.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_cmd.h"
#include "kernel/trace/event/event_probe.h"
#include "kernel/trace/event/hotplug.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/event/limit.h"
#include "kernel/trace/event/timekeeper.h"
#include "kernel/trace/files/crash_dump.h"
#include "kernel/trace/files/files.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/hit/make_record.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/session/session.h"
#include "kernel/trace/table/table.h"

static int __init pe_events_main_make_files(void)
{
	int ret;

	ret = pe_fs_instances_init();
	if (ret)
		return ret;
	ret = pe_fs_control_init();
	if (ret)
		return ret;
	return pe_session_files_init();
}

/* The parts that records need and that belong to no instance. */
static int __init pe_events_main_records(void)
{
	int ret = pe_cmdlines_init();

	if (ret)
		return ret;
	ret = pe_record_init();
	if (ret)
		pe_cmdlines_exit();
	return ret;
}

static void pe_events_main_records_exit(void)
{
	pe_record_exit();
	pe_cmdlines_exit();
}

/* Hits and users come from here on. */
static int __init pe_events_main_open(void)
{
	int ret;

	/* Handlers run here: a probe in them would recurse. */
	pe_protect_module(THIS_MODULE);
	ret = pe_crash_dump_init();
	if (ret)
		return ret;
	pe_events_at_load();
	ret = pe_fs_publish();
	if (!ret)
		return 0;
	pe_crash_dump_exit();
	pe_commands_delete_all(PE_DYNAMIC_EVENTS, true);
	pe_commands_exit();
	return ret;
}

static int __init pe_events_module_init(void)
{
	int ret;

	ret = pe_fs_init();
	if (ret)
		return ret;
	ret = pe_events_init();
	if (ret)
		goto fs_exit;
	ret = pe_events_main_records();
	if (ret)
		goto events_exit;
	ret = pe_hist_tables_init();
	if (ret)
		goto records_exit;
	ret = pe_limits_init();
	if (ret)
		goto tables_exit;
	ret = pe_hotplug_init();
	if (ret)
		goto trips_exit;
	ret = pe_instances_init();
	if (ret)
		goto hotplug_exit;
	ret = pe_events_main_make_files();
	if (ret)
		goto instance_exit;
	ret = pe_sessions_init();
	if (ret)
		goto instance_exit;
	ret = pe_timekeeper_init();
	if (ret)
		goto sessions_exit;
	ret = pe_compile_init();
	if (ret)
		goto timekeeper_exit;
	ret = pe_event_probe_init();
	if (ret)
		goto compile_exit;
	pe_limit_prices_measure();
	ret = pe_events_main_open();
	if (!ret)
		return 0;

	pe_event_probe_exit();
compile_exit:
	pe_compile_exit();
	pe_event_probe_end();
timekeeper_exit:
	pe_timekeeper_exit();
sessions_exit:
	pe_sessions_exit();
instance_exit:
	pe_instances_exit();
hotplug_exit:
	pe_hotplug_exit();
trips_exit:
	pe_limits_exit();
tables_exit:
	pe_hist_tables_exit();
records_exit:
	pe_events_main_records_exit();
events_exit:
	pe_events_exit();
fs_exit:
	pe_fs_exit();
	return ret;
}

/*
 * Nothing is mounted and no file is open, because either would hold the module.
 * There may be events, armed or not, and modules may still come and go.  Events need to know
 * of them to the end: a tracepoint goes with its module.
 */
static void __exit pe_events_module_exit(void)
{
	pe_fs_unpublish();
	pe_crash_dump_exit();
	pe_sessions_exit();
	pe_commands_delete_all(PE_DYNAMIC_EVENTS, true);
	pe_event_probe_exit();
	pe_commands_exit();
	pe_limits_exit();
	pe_compile_exit();
	pe_event_probe_end();
	pe_timekeeper_exit();
	pe_instances_exit();
	pe_hotplug_exit();
	pe_hist_tables_exit();
	pe_events_exit();
	pe_fs_exit();
	pe_events_main_records_exit();
}

module_init(pe_events_module_init);
module_exit(pe_events_module_exit);

MODULE_DESCRIPTION("Kernel probe events through files");
MODULE_AUTHOR("The probe-events maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION(PE_VERSION);
