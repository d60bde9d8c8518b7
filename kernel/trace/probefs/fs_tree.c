// SPDX-License-Identifier: GPL-2.0
/*
 * fs_tree.c - the tree of nodes: make, find, remove.  It does not use the VFS.
 *
 * A new node has one reference, the tree's.  Removing takes it out of its
 * parent, marks it dead and drops that reference.  Inodes made from it keep it
 * in memory while a file is open or a task is in the directory.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "fs.h"
#include "fs_node.h"

/* Leaf lock: nothing is called or taken inside it. */
DEFINE_MUTEX(pe_fs_mutex);

static struct pe_node *root;
static unsigned long last_ino;		/* pe_fs_mutex */

void pe_node_put(struct pe_node *node)
{
	/* RCU: a path walk may be looking at the inode's node. */
	if (refcount_dec_and_test(&node->ref))
		kfree_rcu(node, rcu);
}

static struct pe_node *alloc_node(const char *name, umode_t mode)
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

/* As strcmp() of @name[@len] and @node's name. */
static int compare_name(const char *name, size_t len, const struct pe_node *node)
{
	int diff = strncmp(name, node->name, len);

	return diff ? diff : -(int)(unsigned char)node->name[len];
}

/* The link at which to insert a name; NULL if the name is there: *@found. */
static struct rb_node **find_place(struct pe_node *dir, const char *name,
				   size_t len, struct rb_node **up,
				   struct pe_node **found)
{
	struct rb_node **link = &dir->names.rb_node;

	*up = NULL;
	*found = NULL;
	while (*link) {
		struct pe_node *node = rb_entry(*link, struct pe_node, by_name);
		int diff = compare_name(name, len, node);

		if (!diff) {
			*found = node;
			return NULL;
		}
		*up = *link;
		link = diff < 0 ? &(*link)->rb_left : &(*link)->rb_right;
	}
	return link;
}

static int insert_node(struct pe_node *dir, struct pe_node *node)
{
	struct pe_node *found;
	struct rb_node *up, **link;

	lockdep_assert_held(&pe_fs_mutex);
	if (dir->dead)
		return -ENOENT;
	link = find_place(dir, node->name, strlen(node->name), &up, &found);
	if (!link)
		return -EEXIST;
	rb_link_node(&node->by_name, up, link);
	rb_insert_color(&node->by_name, &dir->names);
	node->ino = ++last_ino;
	WRITE_ONCE(node->parent, dir);
	list_add_tail(&node->sibling, &dir->children);
	if (S_ISDIR(node->mode))
		dir->nr_dirs++;
	return 0;
}

static struct pe_node *add_node(struct pe_node *dir, struct pe_node *node)
{
	int ret;

	if (IS_ERR(node))
		return node;
	mutex_lock(&pe_fs_mutex);
	ret = insert_node(dir ? dir : root, node);
	mutex_unlock(&pe_fs_mutex);
	if (ret) {
		pe_node_put(node);
		return ERR_PTR(ret);
	}
	return node;
}

struct pe_node *pe_fs_root(void)
{
	return root;
}

struct pe_node *pe_fs_mkdir(struct pe_node *parent, const char *name, umode_t mode)
{
	return add_node(parent, alloc_node(name, S_IFDIR | mode));
}

static struct pe_node *create(struct pe_node *parent, const struct pe_fs_file *file, void *data)
{
	struct pe_node *node = alloc_node(file->name, S_IFREG | (file->mode & S_IALLUGO));

	if (!IS_ERR(node)) {
		node->fops = file->fops;
		node->how = file->how;
		node->data = data;
	}
	return add_node(parent, node);
}

struct pe_node *pe_fs_create(struct pe_node *parent, const char *name, umode_t mode,
			     const struct file_operations *fops, void *data)
{
	return create(parent, &(struct pe_fs_file){ name, mode, fops }, data);
}

int pe_fs_create_files(struct pe_node *parent, const struct pe_fs_file *table,
		       void *data)
{
	struct pe_node *node;

	for (; table->name; table++) {
		node = create(parent, table, data);
		if (IS_ERR(node))
			return PTR_ERR(node);
	}
	return 0;
}

void pe_fs_set_dir(struct pe_node *dir, const struct pe_dir_ops *ops, void *data)
{
	mutex_lock(&pe_fs_mutex);
	WRITE_ONCE(dir->dir_ops, ops);
	dir->data = data;
	mutex_unlock(&pe_fs_mutex);
}

static void detach_node(struct pe_node *node)
{
	struct pe_node *dir = node->parent;

	WRITE_ONCE(node->dead, true);
	rb_erase(&node->by_name, &dir->names);
	list_del_init(&node->sibling);
	if (S_ISDIR(node->mode))
		dir->nr_dirs--;
	WRITE_ONCE(node->parent, NULL);
	pe_node_put(node);
}

/* Leaves first, without recursion: the stack is small, the tree may be deep. */
static void remove_below(struct pe_node *top)
{
	struct pe_node *node = top;

	for (;;) {
		struct pe_node *dir;

		while (!list_empty(&node->children))
			node = list_first_entry(&node->children, struct pe_node, sibling);
		if (node == top)
			return;
		dir = node->parent;
		detach_node(node);
		node = dir;
	}
}

void pe_fs_remove(struct pe_node *node)
{
	if (IS_ERR_OR_NULL(node) || WARN_ON_ONCE(node == root))
		return;
	mutex_lock(&pe_fs_mutex);
	remove_below(node);
	detach_node(node);
	mutex_unlock(&pe_fs_mutex);
}

struct pe_node *pe_node_find(struct pe_node *dir, const char *name, size_t len)
{
	struct pe_node *found;
	struct rb_node *up;

	mutex_lock(&pe_fs_mutex);
	find_place(dir, name, len, &up, &found);
	if (found)
		pe_node_get(found);
	mutex_unlock(&pe_fs_mutex);
	return found;
}

struct pe_node *pe_node_next(struct pe_node *dir, struct pe_node *prev,
			     unsigned long ino)
{
	struct pe_node *node, *found = NULL;

	mutex_lock(&pe_fs_mutex);
	if (prev && !prev->dead)
		node = list_next_entry(prev, sibling);
	else
		node = list_first_entry(&dir->children, struct pe_node, sibling);
	list_for_each_entry_from(node, &dir->children, sibling) {
		if (node->ino < ino)
			continue;
		pe_node_get(node);
		found = node;
		break;
	}
	mutex_unlock(&pe_fs_mutex);
	return found;
}

/* Parents before children, by age within a directory. */
static struct pe_node *next_in_tree(struct pe_node *node)
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
	for (node = root; node; node = next_in_tree(node)) {
		if (uid)
			node->own_uid = false;
		if (gid)
			node->own_gid = false;
	}
}

void *pe_fs_data(const struct inode *inode)
{
	const struct pe_node *node = inode->i_private;

	return READ_ONCE(node->dead) ? NULL : node->data;
}

const void *pe_fs_how(const struct inode *inode)
{
	const struct pe_node *node = inode->i_private;

	return node->how;
}

void *pe_fs_node_data(const struct pe_node *node)
{
	return node->data;
}

ssize_t pe_fs_copy_word(char *dst, size_t size, const char __user *src, size_t count)
{
	char *word;

	if (count >= size)
		return -EINVAL;
	if (copy_from_user(dst, src, count))
		return -EFAULT;
	dst[count] = '\0';
	word = strim(dst);
	memmove(dst, word, strlen(word) + 1);
	return strlen(dst);
}

int pe_fs_single_open(struct file *file, int (*show)(struct seq_file *m, void *v), void *data)
{
	int ret = single_open(file, show, data);

	/* seq_open() has cleared it. */
	if (!ret)
		file->f_mode |= FMODE_PWRITE;
	return ret;
}

loff_t pe_fs_llseek(struct file *file, loff_t offset, int whence)
{
	return seq_lseek(file, offset, whence == SEEK_END ? SEEK_SET : whence);
}

int pe_fs_init(void)
{
	struct pe_node *node = alloc_node("probes", S_IFDIR | 0700);

	if (IS_ERR(node))
		return PTR_ERR(node);
	last_ino = 2;
	node->ino = last_ino;
	root = node;
	return 0;
}

void pe_fs_exit(void)
{
	mutex_lock(&pe_fs_mutex);
	remove_below(root);
	mutex_unlock(&pe_fs_mutex);
	pe_node_put(root);
	root = NULL;
}
