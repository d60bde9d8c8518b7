/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * cgroup.h - option -G: which cgroup is meant.
 *
 * A task is in a cgroup or below it if the ancestor of its own cgroup at that level is this one.
 * Numbers tell: a cgroup's is that of its directory, and no later cgroup gets it.
 */
#ifndef PE_TOOL_CGROUP_H
#define PE_TOOL_CGROUP_H

#include "request.h"

/**
 * cgroup_prepare() - find the cgroup that a question names
 * @r: the question; @r->in gets the cgroup, if @r->cgroup names one
 *
 * Return: 0; PE_EXIT_MISSING after a message.
 */
int cgroup_prepare(struct request *r);

/** cgroup_end() - the end of cgroup_prepare(): say so if the cgroup has been removed meanwhile */
void cgroup_end(struct request *r);

#endif
