/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * safe_text.h - text that a user has chosen, in our lines.
 *
 * Names of tasks, and commands, may have any byte.  A newline would make a line of its own, and an
 * escape would reach the reader's terminal.  So all but the printable characters of ASCII is shown
 * as "\xHH".
 */
#ifndef PE_SAFE_TEXT_H
#define PE_SAFE_TEXT_H

#include <linux/types.h>

struct seq_file;

#define PE_SAFE_CHAR	4	/* characters that a byte takes at most */

/**
 * pe_safe_text() - a text as it can be shown
 * @to: filled, and ended with a NUL
 * @size: of @to, not 0; what does not fit is left out, but no "\xHH" is cut
 * @from: the text
 *
 * Return: characters in @to.
 */
size_t pe_safe_text(char *to, size_t size, const char *from);

/* Characters that the first @len bytes of @text are shown with. */
size_t pe_safe_columns(const char *text, size_t len);

void pe_seq_safe_text(struct seq_file *m, const char *text);

#endif
