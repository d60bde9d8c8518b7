/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * modules.h - modules that come and go, in one order with what the engine does at that.
 */
#ifndef PE_MODULES_H
#define PE_MODULES_H

struct module;

/**
 * struct pe_module_watch - what the module that is above the engine does
 * @comes: a module has been loaded but has not run, or has run (@state: MODULE_STATE_COMING or
 *	_LIVE).  The engine and all notifiers before it have been told: it can be probed.
 * @goes: a module goes.  No other notifier has been told: its text is there, and so are its static
 *	calls.  The engine has disarmed its probes only if the module has not come at all
 */
struct pe_module_watch {
	void (*comes)(const struct module *mod, unsigned long state);
	void (*goes)(const struct module *mod);
};

/**
 * pe_modules_watch() - be told of modules from now on
 * @watch: NULL: no more, and no call is in progress afterwards
 *
 * Context: process, no mutex is held; so are the calls.
 */
void pe_modules_watch(const struct pe_module_watch *watch);

#endif
