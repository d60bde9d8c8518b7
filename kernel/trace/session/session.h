/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * session.h - sessions: what is written through one open file belongs to it, and goes with it.
 *
 *	session.c	begins, ends, and frees them
 *	session_batch.c	a write: all of it is done, or nothing
 *	notice.c	what readers of the file are told
 *	session_file.c	the files session and sessions
 */
#ifndef PE_SESSION_H
#define PE_SESSION_H

#include <linux/mutex.h>
#include <linux/types.h>

struct list_head;
struct pe_notices;
struct pe_session;
struct pe_source;

/* Bytes of a write. */
#define PE_SESSION_MAX_WRITE	(64 * 1024)

/* session.c */

/*
 * Held while a session begins, is written to, and ends.  It is outside of all other mutexes of
 * events, and of the kernel's.
 */
extern struct mutex pe_session_mutex;
extern struct list_head pe_sessions;	/* all that are not gone, by age */

/**
 * pe_session_begin() - a session for a file that is being opened
 *
 * Return: the session, for pe_session_close(), or ERR_PTR(): -ENOMEM, -EUSERS: too many.
 */
struct pe_session *pe_session_begin(void);

/* The last close of its file: the session ends, unless it is kept. */
void pe_session_close(struct pe_session *session);

/* End the session of that number, whatever its file is.  -ENOENT: there is none that lives. */
int pe_session_kill(unsigned int nr);

/* Count their events and hits, and what these have cost; with the mutex. */
void pe_sessions_count(void);

/* Tell its reader if a source that it has defined waits for a module; with pe_event_mutex. */
void pe_session_tell_awaited(struct pe_session *session, const struct pe_source *source);

int pe_sessions_init(void);
void pe_sessions_exit(void);		/* no file is open */

/* session_batch.c */

/**
 * pe_session_write() - carry out a write
 * @session: the session
 * @text: what was written, and a NUL; changed
 * @count: bytes without that NUL
 *
 * Return: 0, or -errno, and then nothing of it has been done; errors are in the top instance's log.
 */
int pe_session_write(struct pe_session *session, char *text, size_t count);

/* notice.c: any process context */

void pe_notices_init(struct pe_notices *notices);
void pe_notices_free(struct pe_notices *notices);
__printf(2, 3) void pe_notice(struct pe_notices *notices, const char *fmt, ...);
/* The same, of the last line. */
__printf(2, 3) void pe_notice_last(struct pe_notices *notices, const char *fmt, ...);
/* Is there a line, or the end of the file? */
bool pe_notices_ready(struct pe_notices *notices);
/* Bytes that have been copied; 0 at the end, -EAGAIN if there is nothing yet, -EFAULT. */
ssize_t pe_notices_read(struct pe_notices *notices, char __user *buf, size_t count);

/* session_file.c */
int pe_session_files_init(void);

#endif
