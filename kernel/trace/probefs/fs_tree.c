// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_tree.c - the tree of nodes: make, find, remove.  It does not use the VFS.
 *
 * A node that is not late has one reference, the tree's.  Removing takes a node
 * and all below it out of the tree, marks them dead and drops these references.
 * Inodes made from a node keep it, and the nodes above it, in memory while a file
 * is open or a task is in the directory.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/limits.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "fs.h"
#include "fs_node.h"

/* Leaf lock: nothing is called, taken or allocated inside it. */
DEFINE_MUTEX(pe_fs_mutex);

static struct pe_node *pe_fs_tree_root;

/*
 * Inode numbers.  A node that is not a row of a table gets a block of them: its own and those of
 * its rows.  A block is used again only after the last node with a number of it: an inode is found
 * by its number alone.
 */
#define INO_SHIFT	4
#define MAX_BLOCKS	(U32_MAX >> INO_SHIFT)

static_assert(PE_FS_MAX_ROWS < 1 << INO_SHIFT);

static DEFINE_IDA(pe_fs_tree_blocks);

static unsigned int pe_max_inodes = MAX_BLOCKS;
module_param_named(max_inodes, pe_max_inodes, uint, 0600);
MODULE_PARM_DESC(max_inodes, "inode numbers to give out, in units of 16; for tests");

int pe_fs_ino_get(u32 *ino)
{
	unsigned int max = clamp_t(unsigned int, READ_ONCE(pe_max_inodes), 1, MAX_BLOCKS);
	int ret = ida_alloc_range(&pe_fs_tree_blocks, 1, max, GFP_KERNEL);

	if (ret < 0)
		return ret;
	*ino = (u32)ret << INO_SHIFT;
	return 0;
}

void pe_fs_ino_put(u32 ino)
{
	ida_free(&pe_fs_tree_blocks, ino >> INO_SHIFT);
}

/* --- one node ------------------------------------------------------------ */

static void pe_free_node(struct pe_node *node)
{
	if (!node->late)
		pe_fs_ino_put(node->ino);
	else if (node->dir_ops)
		node->dir_ops->release(node->data);
	/* RCU: a path walk may be looking at the inode's node. */
	kfree_rcu(node, rcu);
}

static void pe_leave_tree(struct pe_node *node)
{
	struct pe_node *dir = node->parent;

	WRITE_ONCE(node->dead, true);	/* read by pe_fs_node_data(), pe_probefs_d_revalidate() */
	rb_erase(&node->by_name, &dir->names);
	list_del_init(&node->sibling);
	if (S_ISDIR(node->mode) && !node->late)
		dir->nr_dirs--;
}

void pe_node_put(struct pe_node *node)
{
	while (node && refcount_dec_and_mutex_lock(&node->ref, &pe_fs_mutex)) {
		struct pe_node *parent = node->parent;

		/* A node that was never in the tree has no parent. */
		if (parent && !node->dead)
			pe_leave_tree(node);
		mutex_unlock(&pe_fs_mutex);
		pe_free_node(node);
		node = parent;
	}
}

void pe_node_keep(struct pe_node *node)
{
	lockdep_assert_held(&pe_fs_mutex);
	if (node->kept || node->dead)
		return;
	node->kept = true;
	pe_node_get(node);
}

/* With one reference, the caller's or the tree's. */
static struct pe_node *pe_alloc_node(const char *name, umode_t mode)
{
	size_t len = strlen(name);
	struct pe_node *node;

	if (len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	if (!len || strchr(name, '/'))
		return ERR_PTR(-EINVAL);
	node = kzalloc(struct_size(node, name, len + 1), GFP_KERNEL);
	if (!node)
		return ERR_PTR(-ENOMEM);
	memcpy(node->name, name, len + 1);
	node->mode = mode;
	node->names = RB_ROOT;
	INIT_LIST_HEAD(&node->children);
	INIT_LIST_HEAD(&node->sibling);
	refcount_set(&node->ref, 1);
	return node;
}

/* A node that stays. */
static struct pe_node *pe_alloc_kept(const char *name, umode_t mode)
{
	struct pe_node *node = pe_alloc_node(name, mode);
	int ret;

	if (IS_ERR(node))
		return node;
	ret = pe_fs_ino_get(&node->ino);
	if (ret) {
		kfree(node);
		return ERR_PTR(ret);
	}
	node->kept = true;
	return node;
}

/* --- nodes in the tree --------------------------------------------------- */

/* The link at which to insert a name; NULL if the name is there: *@found. */
static struct rb_node **pe_find_place(struct pe_node *dir, const char *name,
				      struct rb_node **up, struct pe_node **found)
{
	struct rb_node **link = &dir->names.rb_node;

	*up = NULL;
	*found = NULL;
	while (*link) {
		struct pe_node *node = rb_entry(*link, struct pe_node, by_name);
		int diff = strcmp(name, node->name);

		if (!diff) {
			*found = node;
			return NULL;
		}
		*up = *link;
		link = diff < 0 ? &(*link)->rb_left : &(*link)->rb_right;
	}
	return link;
}

static struct pe_node *pe_find_name(struct pe_node *dir, const char *name)
{
	struct pe_node *found;
	struct rb_node *up;

	lockdep_assert_held(&pe_fs_mutex);
	pe_find_place(dir, name, &up, &found);
	return found;
}

/* Into the first gap, so that places stay small however many nodes come and go. */
static void pe_add_sibling(struct pe_node *dir, struct pe_node *node)
{
	struct pe_node *next;

	if (node->late) {
		list_add_tail(&node->sibling, &dir->children);
		return;
	}
	list_for_each_entry(next, &dir->children, sibling) {
		if (next->late || next->place != node->place)
			break;
		node->place++;
	}
	list_add_tail(&node->sibling, &next->sibling);
	if (S_ISDIR(node->mode))
		dir->nr_dirs++;
}

/* If the name is there, *@found is its node and the answer -EEXIST. */
static int pe_insert_node(struct pe_node *dir, struct pe_node *node, struct pe_node **found)
{
	struct rb_node *up, **link;

	lockdep_assert_held(&pe_fs_mutex);
	*found = NULL;
	if (dir->dead)
		return -ENOENT;
	link = pe_find_place(dir, node->name, &up, found);
	if (!link)
		return -EEXIST;
	rb_link_node(&node->by_name, up, link);
	rb_insert_color(&node->by_name, &dir->names);
	pe_node_get(dir);
	node->parent = dir;
	pe_add_sibling(dir, node);
	return 0;
}

static struct pe_node *pe_add_node(struct pe_node *dir, struct pe_node *node)
{
	struct pe_node *found;
	int ret;

	if (IS_ERR(node))
		return node;
	mutex_lock(&pe_fs_mutex);
	ret = pe_insert_node(dir ? dir : pe_fs_tree_root, node, &found);
	mutex_unlock(&pe_fs_mutex);
	if (ret) {
		pe_node_put(node);
		return ERR_PTR(ret);
	}
	return node;
}

struct pe_node *pe_fs_root(void)
{
	return pe_fs_tree_root;
}

struct pe_node *pe_fs_mkdir(struct pe_node *parent, const char *name, umode_t mode)
{
	return pe_add_node(parent, pe_alloc_kept(name, S_IFDIR | mode));
}

static umode_t pe_file_mode(const struct pe_fs_file *file)
{
	return S_IFREG | (file->mode & S_IALLUGO);
}

static struct pe_node *pe_fill_file(struct pe_node *node, const struct pe_fs_file *file, void *data)
{
	if (!IS_ERR(node)) {
		node->fops = file->fops;
		node->how = file->how;
		node->data = data;
	}
	return node;
}

struct pe_node *pe_fs_create_dir(struct pe_node *parent, const char *name, umode_t mode,
				 const struct pe_fs_file *table, void *data)
{
	struct pe_node *dir = pe_fs_mkdir(parent, name, mode);
	int ret = IS_ERR(dir) ? 0 : pe_fs_create_files(dir, table, data);

	return ret ? ERR_PTR(ret) : dir;
}

static struct pe_node *pe_create_row(struct pe_node *parent, const struct pe_fs_file *row,
				     void *data)
{
	struct pe_node *node;

	if (row->files)
		return pe_fs_create_dir(parent, row->name, row->mode, row->files, data);
	node = pe_alloc_kept(row->name, pe_file_mode(row));
	return pe_add_node(parent, pe_fill_file(node, row, data));
}

/* Tables of directories are nested two or three deep. */
int pe_fs_create_files(struct pe_node *parent, const struct pe_fs_file *table,
		       void *data)
{
	struct pe_node *node;

	for (; table->name; table++) {
		node = pe_create_row(parent, table, data);
		if (IS_ERR(node))
			return PTR_ERR(node);
	}
	return 0;
}

void pe_fs_set_dir(struct pe_node *dir, const struct pe_dir_ops *ops, void *data)
{
	mutex_lock(&pe_fs_mutex);
	WRITE_ONCE(dir->dir_ops, ops);	/* read by pe_node_look(), pe_node_list() */
	dir->data = data;
	mutex_unlock(&pe_fs_mutex);
}

/* --- looking ------------------------------------------------------------- */

struct pe_node *pe_node_find(struct pe_node *dir, const char *name)
{
	struct pe_node *found;

	mutex_lock(&pe_fs_mutex);
	found = pe_find_name(dir, name);
	if (found)
		pe_node_get(found);
	mutex_unlock(&pe_fs_mutex);
	return found;
}

/* @node, or the node that another look-up has made meanwhile. */
static struct pe_node *pe_add_late(struct pe_node *dir, struct pe_node *node)
{
	struct pe_node *found;
	int ret;

	mutex_lock(&pe_fs_mutex);
	ret = pe_insert_node(dir, node, &found);
	if (found)
		pe_node_get(found);
	mutex_unlock(&pe_fs_mutex);
	if (!ret)
		return node;
	pe_node_put(node);
	return found ? found : ERR_PTR(ret);
}

struct pe_node *pe_fs_look(struct pe_node *parent, const struct pe_fs_late *late)
{
	struct pe_node *node = pe_alloc_node(late->name, S_IFDIR | late->mode);

	if (IS_ERR(node)) {
		late->ops->release(late->data);
		return node;
	}
	node->late = true;
	node->ino = late->ino;
	node->files = late->files;
	node->dir_ops = late->ops;
	node->data = late->data;
	return pe_add_late(parent, node);
}

static const struct pe_fs_file *pe_find_row(const struct pe_fs_file *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

bool pe_fs_has_row(const struct pe_fs_file *table, const char *name)
{
	return pe_find_row(table, name);
}

/* Its data stays: a directory that is removed is dead, and with it what is in it. */
static struct pe_node *pe_look_row(struct pe_node *dir, const struct pe_fs_file *row)
{
	struct pe_node *node =
		pe_fill_file(pe_alloc_node(row->name, pe_file_mode(row)), row, dir->data);

	if (IS_ERR(node))
		return node;
	node->late = true;
	node->ino = pe_node_row_ino(dir, row);
	return pe_add_late(dir, node);
}

struct pe_node *pe_node_look(struct pe_node *dir, const char *name)
{
	const struct pe_dir_ops *ops = READ_ONCE(dir->dir_ops);
	struct pe_node *node = pe_node_find(dir, name);
	const struct pe_fs_file *row;
	void *data;

	if (node)
		return node;
	row = dir->files ? pe_find_row(dir->files, name) : NULL;
	if (row) {
		node = pe_look_row(dir, row);
	} else if (ops && ops->lookup) {
		mutex_lock(ops->mutex);
		data = pe_fs_node_data(dir);
		node = data ? ops->lookup(dir, data, name) : NULL;
		mutex_unlock(ops->mutex);
	}
	return node == ERR_PTR(-ENOENT) ? NULL : node;
}

bool pe_fs_has(struct pe_node *dir, const char *name)
{
	bool found;

	mutex_lock(&pe_fs_mutex);
	found = pe_find_name(dir, name);
	mutex_unlock(&pe_fs_mutex);
	return found;
}

/* --- removing ------------------------------------------------------------ */

/* With the tree's reference to it, or one of its own, it goes to a list. */
static void pe_detach_node(struct pe_node *node, struct list_head *gone)
{
	pe_leave_tree(node);
	if (!node->kept)
		pe_node_get(node);
	list_add_tail(&node->sibling, gone);
}

/* Leaves first, without recursion: the stack is small, the tree may be deep. */
static void pe_detach_below(struct pe_node *top, struct list_head *gone)
{
	struct pe_node *node = top;

	for (;;) {
		while (!list_empty(&node->children))
			node = list_first_entry(&node->children, struct pe_node, sibling);
		if (node == top)
			return;
		pe_detach_node(node, gone);
		node = node->parent;
	}
}

static void pe_detach_tree(struct pe_node *top, struct list_head *gone)
{
	pe_detach_below(top, gone);
	pe_detach_node(top, gone);
}

/* Not under the tree's lock: owners release their data. */
static void pe_put_list(struct list_head *gone)
{
	struct pe_node *node, *next;

	list_for_each_entry_safe(node, next, gone, sibling) {
		list_del_init(&node->sibling);
		pe_node_put(node);
	}
}

void pe_fs_remove(struct pe_node *node)
{
	LIST_HEAD(gone);

	if (IS_ERR_OR_NULL(node) || WARN_ON_ONCE(node == pe_fs_tree_root))
		return;
	mutex_lock(&pe_fs_mutex);
	pe_detach_tree(node, &gone);
	mutex_unlock(&pe_fs_mutex);
	pe_put_list(&gone);
}

const char *pe_fs_name(const struct pe_node *node)
{
	return node->name;
}

void pe_fs_forget(struct pe_node *dir, const char *name, const char *below)
{
	struct pe_node *node;
	LIST_HEAD(gone);

	mutex_lock(&pe_fs_mutex);
	node = pe_find_name(dir, name);
	if (node && below)
		node = pe_find_name(node, below);
	if (node)
		pe_detach_tree(node, &gone);
	mutex_unlock(&pe_fs_mutex);
	pe_put_list(&gone);
}

/* --- owners and data ----------------------------------------------------- */

/* Parents before children. */
static struct pe_node *pe_next_in_tree(struct pe_node *node)
{
	if (!list_empty(&node->children))
		return list_first_entry(&node->children, struct pe_node, sibling);
	while (node->parent && list_is_last(&node->sibling, &node->parent->children))
		node = node->parent;
	return node->parent ? list_next_entry(node, sibling) : NULL;
}

void pe_node_disown(bool uid, bool gid)
{
	struct pe_node *node;

	lockdep_assert_held(&pe_fs_mutex);
	for (node = pe_fs_tree_root; node; node = pe_next_in_tree(node)) {
		if (uid)
			WRITE_ONCE(node->own_uid, false);	/* read by pe_find_owner() */
		if (gid)
			WRITE_ONCE(node->own_gid, false);	/* read by pe_find_owner() */
	}
}

void *pe_fs_node_data(const struct pe_node *node)
{
	return READ_ONCE(node->dead) ? NULL : node->data;
}

void *pe_fs_data(const struct inode *inode)
{
	return pe_fs_node_data(inode->i_private);
}

const void *pe_fs_how(const struct inode *inode)
{
	const struct pe_node *node = inode->i_private;

	return node->how;
}

int pe_fs_init(void)
{
	struct pe_node *node = pe_alloc_kept("probes", S_IFDIR | 0700);

	if (IS_ERR(node))
		return PTR_ERR(node);
	pe_fs_tree_root = node;
	return 0;
}

void pe_fs_exit(void)
{
	LIST_HEAD(gone);

	mutex_lock(&pe_fs_mutex);
	pe_detach_below(pe_fs_tree_root, &gone);
	mutex_unlock(&pe_fs_mutex);
	pe_put_list(&gone);
	pe_node_put(pe_fs_tree_root);
	pe_fs_tree_root = NULL;
	ida_destroy(&pe_fs_tree_blocks);
}
