/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_SEQ_FILE_H
#define PE_SHIM_SEQ_FILE_H
#include <linux/kernel.h>
#include <linux/string.h>
/* The part of a seq_file that printers use: a bounded text buffer. */
struct seq_file {
	char *buf;
	size_t size;
	size_t count;
};
static inline bool seq_has_overflowed(struct seq_file *m) { return m->count == m->size; }
static inline void seq_write_(struct seq_file *m, const void *p, size_t n)
{
	if (m->count + n < m->size) {
		memcpy(m->buf + m->count, p, n);
		m->count += n;
		m->buf[m->count] = 0;
	} else {
		m->count = m->size;
	}
}
static inline int seq_write(struct seq_file *m, const void *p, size_t n)
{
	seq_write_(m, p, n);
	return seq_has_overflowed(m) ? -1 : 0;
}
static inline void seq_putc(struct seq_file *m, char c) { seq_write_(m, &c, 1); }
static inline void seq_puts(struct seq_file *m, const char *s) { seq_write_(m, s, strlen(s)); }
__printf(2, 3) static inline void seq_printf(struct seq_file *m, const char *fmt, ...)
{
	__builtin_va_list args;
	int n;

	if (seq_has_overflowed(m))
		return;
	__builtin_va_start(args, fmt);
	n = vsnprintf(m->buf + m->count, m->size - m->count, fmt, args);
	__builtin_va_end(args);
	m->count = n < 0 || m->count + n >= m->size ? m->size : m->count + n;
}
#endif
