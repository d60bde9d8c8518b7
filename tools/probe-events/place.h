/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PE_TOOL_PLACE_H
#define PE_TOOL_PLACE_H

/**
 * place_files() - put our files where tracing tools look for the kernel's
 *
 * Moves the calling process into a mount namespace of its own, in which every
 * place of tracefs shows our files.  Nobody else sees that; what others mount
 * and unmount from then on, we still see.  Must be called with one thread.
 *
 * Return: 0, or -1 after a message.
 */
int place_files(void);

#endif
