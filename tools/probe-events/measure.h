/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PE_TOOL_MEASURE_H
#define PE_TOOL_MEASURE_H

/**
 * measure_again() - show what a session of count or lat has counted
 * @dir: where our files are
 * @id: its number
 * @typed: its comment: the words that were typed; cut in place
 *
 * Return: the exit status, after a message if the table cannot be shown.
 */
int measure_again(const char *dir, const char *id, const char *typed);

#endif
