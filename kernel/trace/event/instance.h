/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * instance.h - instances are made and removed.
 */
#ifndef PE_INSTANCE_H
#define PE_INSTANCE_H

struct inode;
struct list_head;
struct pe_instance;
struct pe_view;

/* instance.c: publish, detach and remove with pe_event_mutex held, the others without it. */

extern struct pe_instance pe_top;
extern struct list_head pe_instances;	/* pe_top is the first; pe_event_mutex, RCU */

void pe_instance_get(struct pe_instance *inst);	/* the caller has a reference */
void pe_instance_put(struct pe_instance *inst);	/* any context */

/**
 * pe_view_open() - the view of a file's inode, for its ->open()
 * @inode: the file's
 *
 * Return: the view; its instance stays until pe_view_close().  NULL if the
 * instance is gone or not complete: answer -ENODEV.
 */
struct pe_view *pe_view_open(const struct inode *inode);
void pe_view_close(struct pe_view *view);

/**
 * pe_instance_create() - make an instance that is not visible yet
 *
 * It has a buffer of full size and the options of the top instance.
 *
 * Return: the instance, for pe_instance_publish() or pe_instance_destroy(), or
 * ERR_PTR(-errno).
 */
struct pe_instance *pe_instance_create(void);

/* Its directory is complete: from now on files can be opened, and hits and events find it. */
void pe_instance_publish(struct pe_instance *inst);

/* Makes it and its directory unreachable, published or not. */
void pe_instance_detach(struct pe_instance *inst);

/* Detaches a published instance in which no event is enabled; -EBUSY while a file is open. */
int pe_instance_remove(struct pe_instance *inst);

/*
 * Waits for hits and readers that have seen it, and frees it.  If this task is killed meanwhile,
 * the rest is done by others.  Call it only after detach, or before publish.
 */
void pe_instance_destroy(struct pe_instance *inst);

/* The last step of that: no code looks at it any more. */
void pe_instance_free(struct pe_instance *inst);

/* Makes the top instance.  Return: 0 or -ENOMEM. */
int pe_instances_init(void);

/**
 * pe_instances_exit() - free all instances; no event, hit or open file is left
 */
void pe_instances_exit(void);

#endif
