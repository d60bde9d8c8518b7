/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fs_node.h - a node of the tree, which fs_tree.c keeps and fs_super.c shows to
 * the VFS.  No other file looks inside.
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

/**
 * struct pe_node - a file or a directory
 * @by_name: in @parent's @names
 * @sibling: in @parent's @children, oldest first, so sorted by @ino
 * @names: a directory's nodes by name
 * @children: the same nodes by age
 * @parent: NULL for the root and dead nodes; not referenced: a parent outlives its
 *	children in the tree
 * @ino: never used twice
 * @mode: type and permissions
 * @uid: owner, if a user chose one (@own_uid); otherwise see fs_super.c
 * @gid: likewise (@own_gid)
 * @dead: removed; set once
 * @nr_dirs: directories directly below
 * @fops: a file's operations
 * @how: from its creator's table, for the operations
 * @dir_ops: a directory's mkdir and rmdir, or NULL
 * @data: the creator's
 * @ref: one for being in the tree, one per inode
 *
 * pe_fs_mutex guards all members that change.  @parent, @mode, @uid, @gid and
 * @dead are also read without it, and under RCU alone: path walks must not
 * sleep.
 */
struct pe_node {
	struct rb_node by_name;
	struct list_head sibling;
	struct rb_root names;
	struct list_head children;
	struct pe_node *parent;
	unsigned long ino;
	umode_t mode;
	kuid_t uid;
	kgid_t gid;
	bool own_uid;
	bool own_gid;
	bool dead;
	unsigned int nr_dirs;
	const struct file_operations *fops;
	const void *how;
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

void pe_node_put(struct pe_node *node);

/**
 * pe_node_find() - a directory's live node of that name
 *
 * Return: the node with a reference, or NULL.
 */
struct pe_node *pe_node_find(struct pe_node *dir, const char *name, size_t len);

/**
 * pe_node_next() - the first live node of @dir whose number is at least @ino
 * @prev: NULL, or the node the last call returned (a hint; may be dead)
 *
 * Return: the node with a reference, or NULL.
 */
struct pe_node *pe_node_next(struct pe_node *dir, struct pe_node *prev,
			     unsigned long ino);

/**
 * pe_node_disown() - let all nodes follow the mount's owner, or group, again
 */
void pe_node_disown(bool uid, bool gid);

#endif
