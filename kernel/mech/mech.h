/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mech.h - ways of arming a site.
 */
#ifndef PE_MECH_H
#define PE_MECH_H

struct pe_site;

/**
 * struct pe_blame - why several sites could not be armed
 * @culprit: the one whose fault it is alone; NULL: no one's
 * @reason: a constant string, or NULL when the errno says it all
 */
struct pe_blame {
	struct pe_site *culprit;
	const char *reason;
};

#endif
