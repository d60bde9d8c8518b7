/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PE_TOOL_REPORT_H
#define PE_TOOL_REPORT_H

/*
 * complain() - "probe-events: MESSAGE" on stderr
 * @format: as printf's, without newline
 *
 * Return: -1, for the caller to pass on.
 */
[[gnu::format(printf, 1, 2)]] int complain(const char *format, ...);

#endif
