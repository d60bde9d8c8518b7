/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * fs_node.h - a node of the tree, which fs_tree.c keeps, fs_list.c lists and
 * fs_super.c shows to the VFS.  No other file looks inside.
 */
#ifndef PE_FS_NODE_H
#define PE_FS_NODE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/uidgid.h>
#include "fs.h"
#include "fs_dir.h"

/**
 * struct pe_node - a file or a directory
 * @by_name: in @parent's @names
 * @sibling: in @parent's @children
 * @names: a directory's nodes by name
 * @children: the same nodes: sorted by @place, then those that are @late
 * @parent: referenced, from dead nodes as well; NULL for the root
 * @ino: unique; the node's own, or if @late of the directory it belongs to
 * @place: its number among the nodes of @parent; the lowest that was free.  Not
 *	if @late
 * @mode: type and permissions
 * @own_uid: a user chose @uid
 * @own_gid: a user chose @gid
 * @uid: owner, if a user chose one (@own_uid); otherwise see fs_super.c
 * @gid: likewise (@own_gid)
 * @late: made by a look-up: fs.h
 * @kept: the tree holds a reference; if @late, because a user has changed it
 * @dead: removed, or without users; set once
 * @nr_dirs: directories directly below that are not late
 * @fops: a file's operations
 * @how: from its creator's table, for the operations
 * @files: a late directory's files
 * @dir_ops: a directory's ops, or NULL
 * @data: the creator's; a late directory has a reference, for @dir_ops->release()
 * @ref: @kept, one per inode, one per node whose @parent it is
 * @rcu: frees it
 * @name: its name, ended by NUL
 *
 * pe_fs_mutex guards all members that change.  @mode, @uid, @gid and @dead are
 * also read without it, and under RCU alone: path walks must not sleep.  A late
 * node loses its last reference only under the mutex, and then leaves the tree:
 * what is found in the tree can be referenced.
 */
struct pe_node {
	struct rb_node by_name;
	struct list_head sibling;
	struct rb_root names;
	struct list_head children;
	struct pe_node *parent;
	u32 ino;
	u32 place;
	umode_t mode;
	bool own_uid;
	bool own_gid;
	kuid_t uid;
	kgid_t gid;
	bool late;
	bool kept;
	bool dead;
	unsigned int nr_dirs;
	const struct file_operations *fops;
	const void *how;
	const struct pe_fs_file *files;
	const struct pe_dir_ops *dir_ops;
	void *data;
	refcount_t ref;
	struct rcu_head rcu;
	char name[];
};

extern struct mutex pe_fs_mutex;

static inline void pe_node_get(struct pe_node *node)
{
	refcount_inc(&node->ref);
}

/* Takes pe_fs_mutex if it was the last reference. */
void pe_node_put(struct pe_node *node);

/* A user has changed it: it stays until it is removed.  With pe_fs_mutex. */
void pe_node_keep(struct pe_node *node);

/* The live node of that name in a directory, with a reference; or NULL. */
struct pe_node *pe_node_find(struct pe_node *dir, const char *name);

/* The same, made if need be; or ERR_PTR(-ENOMEM). */
struct pe_node *pe_node_look(struct pe_node *dir, const char *name);

/* Lets all nodes follow the mount's owner, or group, again. */
void pe_node_disown(bool uid, bool gid);

/* The number of a file of a late directory. */
static inline u32 pe_node_row_ino(const struct pe_node *dir, const struct pe_fs_file *row)
{
	return dir->ino + 1 + (row - dir->files);
}

/* fs_list.c */

/**
 * pe_node_list() - the first name in @dir whose position is at least @pos
 * @dir: the directory
 * @pos: where to begin
 * @entry: set
 *
 * Positions stay with their names and fit 31 bits.  0 and 1 are the dots'.
 *
 * Return: false if there is none.
 */
bool pe_node_list(struct pe_node *dir, loff_t pos, struct pe_fs_entry *entry);

/* Directories directly below. */
unsigned int pe_node_nr_dirs(struct pe_node *dir);

#endif
