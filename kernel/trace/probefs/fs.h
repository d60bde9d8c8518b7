/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fs.h - the file system: a tree of nodes that exists even if it is not
 * mounted.
 *
 * A node is a directory or a file.  The file system makes inodes and dentries
 * from nodes when a user looks at them, and drops them after the last use.  So
 * an unmounted tree holds no reference to the module.  A mount or an open file
 * does (rmmod answers EBUSY).
 *
 * Some nodes are there all the time: those that pe_fs_mkdir() and
 * pe_fs_create() make.  Directories of which there are many are nodes only while
 * somebody uses them.  Their owner knows their names (struct pe_dir_ops), and
 * pe_fs_look() makes the node of one that is looked up.  The files in it are the
 * rows of a table, and nodes only while in use as well.  Such a node goes with
 * its last inode, unless chmod or chown has changed it: then it stays until it
 * is removed.
 *
 * Life of a file's data: pe_fs_remove() marks nodes dead but knows nothing of
 * the object at @data.  So an ->open() takes the lock under which the data's
 * owner calls pe_fs_remove(), and calls pe_fs_data().  If the node is dead it
 * gets NULL, and answers -ENODEV.  Otherwise it takes its own reference to the
 * object:
 *
 *	mutex_lock(&pe_event_mutex);
 *	event = pe_fs_data(inode);
 *	if (event)
 *		pe_event_get(event);
 *	mutex_unlock(&pe_event_mutex);
 *	if (!event)
 *		return -ENODEV;
 *
 * Files that stay open over the removal check their object themselves
 * (event->dead).  Files whose data lives as long as the module need none of
 * this.
 *
 * Locks, outermost first:
 *
 *   1. the VFS's lock of a directory: shared in lookup and readdir, exclusive in
 *	mkdir and rmdir
 *   2. the owner's locks: mkdir and rmdir take pe_event_mutex, and within it
 *	pe_name_mutex; lookup, readdir and stat take only the latter, so that who
 *	looks does not wait while probes are armed
 *   3. the tree's own mutex, a leaf: nothing is taken, called or allocated
 *	inside it, so memory reclaim may take it to drop an inode
 *
 * Nobody uses a path, and so the first, while holding the second.  All functions
 * here may sleep, and may be called with 1 and 2 held.  The owner finds the
 * object and calls pe_fs_look() without releasing pe_name_mutex in between, and
 * holds it while removing.  So no node is made for what is removed already, and
 * one that was made before is found and becomes dead.
 *
 * Every fops passed in has .owner = THIS_MODULE and lives as long as the
 * module.  A fops may rely on two facts of the VFS: ->open() sees O_TRUNC as
 * file->f_flags & O_TRUNC, and writes come with any *ppos, which is to be
 * ignored.
 */
#ifndef PE_FS_H
#define PE_FS_H

#include <linux/limits.h>
#include <linux/types.h>

struct file;
struct file_operations;
struct inode;
struct seq_file;
struct pe_node;

/* Modes as tracefs has them. */
#define PE_FS_RW	0640
#define PE_FS_RO	0440
#define PE_FS_DIR	0750
#define PE_FS_EVENTS	0755	/* events/ and the directories in it */

/**
 * struct pe_fs_entry - one name in a listing
 * @pos: its position; the VFS gives programs that of the next as d_off
 * @ino: its inode number
 * @is_dir: or a file
 * @name: its name
 */
struct pe_fs_entry {
	loff_t pos;
	u32 ino;
	bool is_dir;
	char name[NAME_MAX + 1];
};

/**
 * struct pe_dir_ops - what the owner of a directory does in it
 * @mkdir: make the node and all that belongs to it (with pe_fs_mkdir())
 * @rmdir: remove it (with pe_fs_remove()); -EBUSY if in use
 * @lookup: what pe_fs_look() returns for the directory of that name; NULL if
 *	there is none
 * @next: sets @ino and @name of the first of these directories whose number is
 *	at least *@nr, and *@nr to its number; false if there is none.  Numbers
 *	fit 30 bits, and keep their directory as long as it is there
 * @count: how many there are
 * @release: gives back the reference that pe_fs_look() took; any process context
 *
 * Each may be NULL; without @mkdir and @rmdir the answer is -EPERM.  They are
 * called with the VFS's lock on the directory (@count, @release: without), and no
 * lock of the tree.  The directory may be dead by then: @lookup, @next and @count
 * take the lock under which it is removed, and then ask pe_fs_node_data().
 */
struct pe_dir_ops {
	int (*mkdir)(struct pe_node *dir, const char *name);
	int (*rmdir)(struct pe_node *dir, struct pe_node *node);
	struct pe_node *(*lookup)(struct pe_node *dir, const char *name);
	bool (*next)(struct pe_node *dir, unsigned long *nr, struct pe_fs_entry *entry);
	unsigned int (*count)(struct pe_node *dir);
	void (*release)(void *data);
};

/**
 * pe_fs_root() - the top directory
 */
struct pe_node *pe_fs_root(void);

/**
 * pe_fs_mkdir() - make a directory
 * @parent: parent directory; NULL for the root
 * @name: copied
 * @mode: PE_FS_DIR or PE_FS_EVENTS
 *
 * Return: the node, or ERR_PTR(-EEXIST), (-ENOENT) if @parent is dead,
 * (-ENOMEM), (-ENOSPC) if there is no inode number left, (-EINVAL) for an empty
 * name or one with '/', (-ENAMETOOLONG).  The caller gets no reference: the node
 * is valid until it is removed.
 */
struct pe_node *pe_fs_mkdir(struct pe_node *parent, const char *name, umode_t mode);

/**
 * pe_fs_create() - make a file
 * @parent: parent directory; NULL for the root
 * @name: copied
 * @mode: PE_FS_RW, PE_FS_RO or other permission bits
 * @fops: its operations
 * @data: for pe_fs_data()
 *
 * Return: as pe_fs_mkdir().
 */
struct pe_node *pe_fs_create(struct pe_node *parent, const char *name, umode_t mode,
			     const struct file_operations *fops, void *data);

/**
 * struct pe_fs_file - one row of a table of files, ended by an empty row
 * @how: for fops that serve several files: this file's part, for pe_fs_how()
 */
struct pe_fs_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
	const void *how;
};

/**
 * pe_fs_create_files() - make a directory's files from a table
 *
 * Return: 0 or -errno; on failure some exist, to be removed with @parent.
 */
int pe_fs_create_files(struct pe_node *parent, const struct pe_fs_file *table,
		       void *data);

/* A table of pe_fs_look() has at most so many rows. */
#define PE_FS_MAX_ROWS	15

/**
 * pe_fs_has_row() - does a table have a file of that name?
 */
bool pe_fs_has_row(const struct pe_fs_file *table, const char *name);

/**
 * struct pe_fs_late - a directory that is a node only while in use
 * @name: copied
 * @mode: as for pe_fs_mkdir()
 * @ino: from pe_fs_ino_get(); the owner keeps it until @ops->release()
 * @files: its files
 * @ops: for it; @ops->release() must be there
 * @data: of the directory, and of each file in it
 */
struct pe_fs_late {
	const char *name;
	umode_t mode;
	u32 ino;
	const struct pe_fs_file *files;
	const struct pe_dir_ops *ops;
	void *data;
};

/**
 * pe_fs_look() - the node of a directory that somebody looks up
 * @parent: where
 * @late: what; @late->data is a reference, which the node takes over.
 *	@late->ops->release() gives it back, at once if no node is made
 *
 * Return: the node, with a reference for the VFS, or ERR_PTR(-ENOMEM), (-ENOENT)
 * if @parent is dead.
 */
struct pe_node *pe_fs_look(struct pe_node *parent, const struct pe_fs_late *late);

/**
 * pe_fs_forget() - remove what pe_fs_look() has made, if it is there now
 * @dir: where
 * @name: a directory in it
 * @below: NULL, or remove only this directory in @name
 *
 * Otherwise as pe_fs_remove().
 */
void pe_fs_forget(struct pe_node *dir, const char *name, const char *below);

/**
 * pe_fs_has() - does a directory have a node of that name now?
 */
bool pe_fs_has(struct pe_node *dir, const char *name);

/**
 * pe_fs_ino_get() - take inode numbers for a directory of pe_fs_look()
 * @ino: the directory's own; its files have those that follow
 *
 * All numbers fit 32 bits.  Return: 0, -ENOSPC if none is left, -ENOMEM.
 */
int pe_fs_ino_get(u32 *ino);
void pe_fs_ino_put(u32 ino);

/**
 * pe_fs_remove() - remove a node and everything below it
 * @node: NULL and error pointers are ignored
 *
 * After it returns no new ->open() sees the data (pe_fs_data() gives NULL).
 * Files already open stay usable until closed.  The pointer is invalid
 * afterwards.
 */
void pe_fs_remove(struct pe_node *node);

/**
 * pe_fs_data() - a file's data, from its inode, in file operations
 *
 * Return: the data, NULL if the node was removed.
 */
void *pe_fs_data(const struct inode *inode);

/* The @how of the row from which a table made this file. */
const void *pe_fs_how(const struct inode *inode);

/* A directory's data, for its directory ops: as stored; NULL if it was removed. */
void *pe_fs_node_data(const struct pe_node *node);

/**
 * pe_fs_set_dir() - give a directory of pe_fs_mkdir() its ops and data
 */
void pe_fs_set_dir(struct pe_node *dir, const struct pe_dir_ops *ops, void *data);

/**
 * pe_fs_copy_word() - copy a short write, cut blanks and newline at both ends
 * @dst: gets a NUL-terminated string
 * @size: of @dst; longer writes give -EINVAL
 *
 * Return: length of the string, or -EFAULT, -EINVAL.
 */
ssize_t pe_fs_copy_word(char *dst, size_t size, const char __user *src, size_t count);

/**
 * pe_fs_single_open() - single_open() of a file that may be written at any place
 */
int pe_fs_single_open(struct file *file, int (*show)(struct seq_file *m, void *v), void *data);

/**
 * pe_fs_llseek() - seq_lseek() of a file that can be written
 *
 * Its end is its start: writes ignore their position, and a user who appends
 * may ask for the end first.
 */
loff_t pe_fs_llseek(struct file *file, loff_t offset, int whence);

/**
 * pe_fs_init() - make the root; nodes can be created from now on
 */
int pe_fs_init(void);

/**
 * pe_fs_publish() - make the type mountable, make the mount point
 *
 * The last step of module init: from now on users may have files open.
 */
int pe_fs_publish(void);

/**
 * pe_fs_unpublish() - undo pe_fs_publish(); module exit: nothing is mounted
 */
void pe_fs_unpublish(void);

/**
 * pe_fs_exit() - free the whole tree
 */
void pe_fs_exit(void);

#endif
