/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * origin.h - where and when an answer was found.
 */
#ifndef PE_TOOL_ORIGIN_H
#define PE_TOOL_ORIGIN_H

/**
 * struct origin - the machine
 * @host: its name
 * @kernel: its release
 * @time: of the beginning, in UTC: 2026-05-04T12:30:00Z
 * @at: the same by the monotonic clock, in seconds
 */
struct origin {
	double at;
	char host[65], kernel[65], time[24];
};

/** origin_here() - this machine, now */
void origin_here(struct origin *from);

#endif
