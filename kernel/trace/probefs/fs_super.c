// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_super.c - the tree as a file system: type, mount options, inodes.
 *
 * There is one superblock however often the type is mounted.  An inode is a
 * view of a node, made by lookup and dropped with its last user.  So are nodes
 * of which there are many; fs.h says which.  Owner and mode are copied from the
 * node before each use.  Names are never cached: a
 * dentry whose node is gone, or a negative one, fails revalidation.  So
 * removing a node needs no help from the VFS.
 *
 * chown gives a node an owner; a remount with uid= or gid= takes it away again.
 * A node without one belongs to the owner of the first of these that has one:
 *
 *   1. the directory instances, if the node is in it
 *   2. the top directory
 *   3. the mount: its uid and gid
 *
 * This is as in tracefs, except for nodes in events/.
 */
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/fs_parser.h>
#include <linux/kernfs.h>
#include <linux/kobject.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include "fs.h"
#include "fs_node.h"
#include "kernel/know/compat.h"

#define PROBEFS_MAGIC		0x70726f62	/* "prob" */
#define DEFAULT_MODE		0700		/* of the root */

/* The mount's owner; pe_fs_mutex to write, read without. */
static kuid_t pe_mount_uid = GLOBAL_ROOT_UID;
static kgid_t pe_mount_gid = GLOBAL_ROOT_GID;

enum { OPT_UID, OPT_GID, OPT_MODE };

struct mount_opts {
	unsigned int given;		/* bits of OPT_* */
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
};

/* --- inodes -------------------------------------------------------------- */

/* May users make directories in it?  The only such one is instances. */
static bool pe_has_mkdir(const struct pe_node *node)
{
	const struct pe_dir_ops *ops = READ_ONCE(node->dir_ops);

	return ops && ops->mkdir;
}

/* Do the nodes below have its owner? */
static bool pe_passes_owner_on(const struct pe_node *node)
{
	return pe_has_mkdir(node) || !node->parent;
}

static void pe_find_owner(const struct pe_node *node, kuid_t *uid, kgid_t *gid)
{
	bool own_uid = READ_ONCE(node->own_uid), own_gid = READ_ONCE(node->own_gid);

	*uid = own_uid ? node->uid : READ_ONCE(pe_mount_uid);
	*gid = own_gid ? node->gid : READ_ONCE(pe_mount_gid);
	while (!(own_uid && own_gid) && (node = node->parent)) {
		if (!pe_passes_owner_on(node))
			continue;
		if (!own_uid && READ_ONCE(node->own_uid)) {
			*uid = node->uid;
			own_uid = true;
		}
		if (!own_gid && READ_ONCE(node->own_gid)) {
			*gid = node->gid;
			own_gid = true;
		}
	}
}

/*
 * Only for path walks and stat, which accept any mix of old and new.  pe_probefs_setattr() and
 * pe_take_options() write what is read.
 */
static void pe_refresh_inode(struct inode *inode)
{
	const struct pe_node *node = inode->i_private;
	umode_t mode = READ_ONCE(node->mode);
	kuid_t uid;
	kgid_t gid;

	pe_find_owner(node, &uid, &gid);
	/* read by generic_fillattr(), and by path walks */
	if (!uid_eq(inode->i_uid, uid))
		WRITE_ONCE(inode->i_uid, uid);
	if (!gid_eq(inode->i_gid, gid))
		WRITE_ONCE(inode->i_gid, gid);
	if (inode->i_mode != mode)
		WRITE_ONCE(inode->i_mode, mode);	/* read by generic_fillattr() */
}

static int pe_probefs_permission(PE_IDMAP_ARGS(struct inode *inode), int mask)
{
	pe_refresh_inode(inode);
	if (S_ISREG(inode->i_mode) && (mask & (MAY_READ | MAY_WRITE)) &&
	    !(mask & MAY_NOT_BLOCK)) {
		int ret = security_locked_down(LOCKDOWN_TRACEFS);

		if (ret)
			return ret;
	}
	return generic_permission(PE_WITH_IDMAP(inode), mask);
}

static int pe_probefs_getattr(PE_IDMAP_ARGS(const struct path *path), struct kstat *stat, u32 mask,
			      unsigned int flags)
{
	struct inode *inode = d_inode(path->dentry);

	pe_refresh_inode(inode);
	pe_fillattr(PE_WITH_IDMAP(mask), inode, stat);
	if (S_ISDIR(inode->i_mode))
		stat->nlink = 2 + pe_node_nr_dirs(inode->i_private);
	return 0;
}

static int pe_probefs_setattr(PE_IDMAP_ARGS(struct dentry *dentry), struct iattr *attr)
{
	struct inode *inode = d_inode(dentry);
	struct pe_node *node = inode->i_private;
	int ret = setattr_prepare(PE_WITH_IDMAP(dentry), attr);

	if (ret)
		return ret;
	mutex_lock(&pe_fs_mutex);
	if (attr->ia_valid & ATTR_UID) {
		node->uid = attr->ia_uid;
		WRITE_ONCE(node->own_uid, true);	/* read by pe_find_owner() */
	}
	if (attr->ia_valid & ATTR_GID) {
		node->gid = attr->ia_gid;
		WRITE_ONCE(node->own_gid, true);	/* read by pe_find_owner() */
	}
	if (attr->ia_valid & ATTR_MODE)
		/* read by pe_refresh_inode() */
		WRITE_ONCE(node->mode, (node->mode & S_IFMT) |
				       (attr->ia_mode & S_IALLUGO));
	if (attr->ia_valid & (ATTR_UID | ATTR_GID | ATTR_MODE))
		pe_node_keep(node);
	mutex_unlock(&pe_fs_mutex);
	/* ATTR_SIZE is accepted and means nothing: ->open() sees O_TRUNC. */
	setattr_copy(PE_WITH_IDMAP(inode), attr);
	pe_refresh_inode(inode);
	return 0;
}

static const struct inode_operations pe_file_iops = {
	.permission	= pe_probefs_permission,
	.getattr	= pe_probefs_getattr,
	.setattr	= pe_probefs_setattr,
};

static const struct inode_operations pe_dir_iops;
static const struct inode_operations pe_made_dir_iops;
static const struct file_operations pe_dir_fops;

/* A node's inode; a new inode takes the caller's reference to the node. */
static struct inode *pe_get_inode(struct super_block *sb, struct pe_node *node)
{
	struct inode *inode = iget_locked(sb, node->ino);

	if (!inode || !pe_inode_is_new(inode)) {
		/* As long as the inode has its number, no other node has. */
		WARN_ON_ONCE(inode && inode->i_private != node);
		pe_node_put(node);
		return inode ? inode : ERR_PTR(-ENOMEM);
	}
	inode->i_private = node;
	pe_inode_init_times(inode);
	pe_refresh_inode(inode);
	if (S_ISDIR(node->mode)) {
		inode->i_op = pe_has_mkdir(node) ? &pe_made_dir_iops : &pe_dir_iops;
		inode->i_fop = &pe_dir_fops;
		set_nlink(inode, 2);
	} else {
		inode->i_op = &pe_file_iops;
		inode->i_fop = node->fops;
	}
	unlock_new_inode(inode);
	return inode;
}

static void pe_probefs_evict_inode(struct inode *inode)
{
	clear_inode(inode);
	/* A walk under RCU may still read i_private: RCU also frees the node. */
	if (inode->i_private)
		pe_node_put(inode->i_private);
}

/* --- directories --------------------------------------------------------- */

static struct dentry *pe_probefs_lookup(struct inode *dir, struct dentry *dentry,
					unsigned int flags)
{
	struct inode *inode = NULL;
	struct pe_node *node;

	if (dentry->d_name.len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	node = pe_node_look(dir->i_private, dentry->d_name.name);
	if (IS_ERR(node))
		return ERR_CAST(node);
	if (node)
		inode = pe_get_inode(dir->i_sb, node);
	return d_splice_alias(inode, dentry);
}

static pe_mkdir_result pe_probefs_mkdir(PE_IDMAP_ARGS(struct inode *dir), struct dentry *dentry,
					umode_t mode)
{
	struct pe_node *node, *parent = dir->i_private;
	struct inode *inode;
	int ret;

	/* The tree chooses the node's mode, as in tracefs. */
	ret = parent->dir_ops->mkdir(parent, dentry->d_name.name);
	if (ret)
		return PE_MKDIR_RESULT(ret);
	node = pe_node_find(parent, dentry->d_name.name);
	if (!node)		/* already removed again */
		return PE_MKDIR_RESULT(0);
	inode = pe_get_inode(dir->i_sb, node);
	if (!IS_ERR(inode))
		d_instantiate(dentry, inode);
	return PE_MKDIR_RESULT(0);
}

/*
 * The owner may wait for long.  Meanwhile no task is to wait for these locks, where no signal ends
 * a wait.  The kernel's tracefs does the same.  A task that comes between finds a dead node.
 */
static int pe_probefs_rmdir(struct inode *dir, struct dentry *dentry)
{
	struct inode *inode = d_inode(dentry);
	struct pe_node *parent = dir->i_private;
	struct pe_node *node = inode->i_private;
	int ret = -ENOENT;

	inode_unlock(inode);
	inode_unlock(dir);
	if (!READ_ONCE(node->dead))
		ret = parent->dir_ops->rmdir(parent, node);
	inode_lock_nested(dir, I_MUTEX_PARENT);
	inode_lock(inode);
	return ret;
}

static int pe_probefs_readdir(struct file *file, struct dir_context *ctx)
{
	struct pe_node *dir = file_inode(file)->i_private;
	struct pe_fs_entry entry;

	if (READ_ONCE(dir->dead))
		return -ENOENT;
	if (!dir_emit_dots(file, ctx))
		return 0;
	/* Entries are copies: this writes to user memory, and may fault under no lock of ours. */
	while (pe_node_list(dir, ctx->pos, &entry)) {
		if (!dir_emit(ctx, entry.name, strlen(entry.name), entry.ino,
			      entry.is_dir ? DT_DIR : DT_REG))
			break;
		ctx->pos = entry.pos + 1;
	}
	return 0;
}

static const struct inode_operations pe_dir_iops = {
	.lookup		= pe_probefs_lookup,
	.permission	= pe_probefs_permission,
	.getattr	= pe_probefs_getattr,
	.setattr	= pe_probefs_setattr,
};

static const struct inode_operations pe_made_dir_iops = {
	.lookup		= pe_probefs_lookup,
	.mkdir		= pe_probefs_mkdir,
	.rmdir		= pe_probefs_rmdir,
	.permission	= pe_probefs_permission,
	.getattr	= pe_probefs_getattr,
	.setattr	= pe_probefs_setattr,
};

static const struct file_operations pe_dir_fops = {
	.owner		= THIS_MODULE,
	.read		= generic_read_dir,
	.iterate_shared	= pe_probefs_readdir,
	.llseek		= generic_file_llseek,
};

static int pe_probefs_d_revalidate(PE_REVALIDATE_ARGS(dentry))
{
	const struct inode *inode = d_inode_rcu(dentry);
	const struct pe_node *node = inode ? inode->i_private : NULL;

	return node && !READ_ONCE(node->dead);
}

static const struct dentry_operations pe_probefs_dops = {
	.d_revalidate	= pe_probefs_d_revalidate,
	.d_delete	= always_delete_dentry,
};

/* --- mounting ------------------------------------------------------------ */

static const struct fs_parameter_spec pe_probefs_params[] = {
	fsparam_u32("uid", OPT_UID),
	fsparam_u32("gid", OPT_GID),
	fsparam_u32oct("mode", OPT_MODE),
	{}
};

static int pe_probefs_parse_param(struct fs_context *fc, struct fs_parameter *param)
{
	struct mount_opts *opts = fc->fs_private;
	struct fs_parse_result result;
	int opt = fs_parse(fc, pe_probefs_params, param, &result);

	switch (opt) {
	case OPT_UID:
		opts->uid = make_kuid(fc->user_ns, result.uint_32);
		if (!uid_valid(opts->uid))
			return invalf(fc, "Unknown uid");
		break;
	case OPT_GID:
		opts->gid = make_kgid(fc->user_ns, result.uint_32);
		if (!gid_valid(opts->gid))
			return invalf(fc, "Unknown gid");
		break;
	case OPT_MODE:
		opts->mode = result.uint_32 & S_IALLUGO;
		break;
	default:
		return opt;
	}
	opts->given |= BIT(opt);
	return 0;
}

static void pe_take_options(const struct mount_opts *opts)
{
	struct pe_node *root = pe_fs_root();

	lockdep_assert_held(&pe_fs_mutex);
	if (opts->given & BIT(OPT_UID))
		WRITE_ONCE(pe_mount_uid, opts->uid);	/* read by pe_find_owner() */
	if (opts->given & BIT(OPT_GID))
		WRITE_ONCE(pe_mount_gid, opts->gid);	/* read by pe_find_owner() */
	if (opts->given & BIT(OPT_MODE))
		WRITE_ONCE(root->mode, S_IFDIR | opts->mode);	/* read by pe_refresh_inode() */
}

static void pe_apply_options(const struct mount_opts *opts)
{
	mutex_lock(&pe_fs_mutex);
	pe_take_options(opts);
	pe_node_disown(opts->given & BIT(OPT_UID), opts->given & BIT(OPT_GID));
	mutex_unlock(&pe_fs_mutex);
}

static int pe_probefs_reconfigure(struct fs_context *fc)
{
	pe_apply_options(fc->fs_private);
	return 0;
}

static int pe_probefs_show_options(struct seq_file *m, struct dentry *dentry)
{
	umode_t mode = READ_ONCE(pe_fs_root()->mode) & S_IALLUGO;

	if (!uid_eq(pe_mount_uid, GLOBAL_ROOT_UID))
		seq_printf(m, ",uid=%u", from_kuid_munged(&init_user_ns, pe_mount_uid));
	if (!gid_eq(pe_mount_gid, GLOBAL_ROOT_GID))
		seq_printf(m, ",gid=%u", from_kgid_munged(&init_user_ns, pe_mount_gid));
	if (mode != DEFAULT_MODE)
		seq_printf(m, ",mode=%o", mode);
	return 0;
}

static const struct super_operations pe_probefs_sops = {
	.statfs		= simple_statfs,
	.drop_inode	= pe_drop_inode,
	.evict_inode	= pe_probefs_evict_inode,
	.show_options	= pe_probefs_show_options,
};

static int pe_probefs_fill_super(struct super_block *sb, struct fs_context *fc)
{
	struct mount_opts *opts = fc->fs_private;
	struct inode *inode;

	/* Owners that an earlier mount chose are gone; those that chown chose stay. */
	mutex_lock(&pe_fs_mutex);
	WRITE_ONCE(pe_mount_uid, GLOBAL_ROOT_UID);	/* read by pe_find_owner() */
	WRITE_ONCE(pe_mount_gid, GLOBAL_ROOT_GID);	/* read by pe_find_owner() */
	WRITE_ONCE(pe_fs_root()->mode, S_IFDIR | DEFAULT_MODE);	/* read by pe_refresh_inode() */
	pe_take_options(opts);
	mutex_unlock(&pe_fs_mutex);
	opts->given = 0;	/* nothing is left for pe_probefs_get_tree() */

	sb->s_blocksize = PAGE_SIZE;
	sb->s_blocksize_bits = PAGE_SHIFT;
	sb->s_maxbytes = MAX_LFS_FILESIZE;
	sb->s_magic = strcmp(sb->s_type->name, "tracefs") ? PROBEFS_MAGIC : TRACEFS_MAGIC;
	sb->s_iflags |= SB_I_NOEXEC | SB_I_NODEV;
	sb->s_op = &pe_probefs_sops;
	pe_set_default_d_op(sb, &pe_probefs_dops);
	sb->s_time_gran = 1;

	pe_node_get(pe_fs_root());
	inode = pe_get_inode(sb, pe_fs_root());
	if (IS_ERR(inode))
		return PTR_ERR(inode);
	sb->s_root = d_make_root(inode);
	return sb->s_root ? 0 : -ENOMEM;
}

static int pe_probefs_get_tree(struct fs_context *fc)
{
	int ret = get_tree_single(fc, pe_probefs_fill_super);

	/* Apply them even if the superblock was there already, as tracefs does. */
	if (!ret)
		pe_apply_options(fc->fs_private);
	return ret;
}

static void pe_probefs_free_fc(struct fs_context *fc)
{
	kfree(fc->fs_private);
}

static const struct fs_context_operations pe_probefs_context_ops = {
	.free		= pe_probefs_free_fc,
	.parse_param	= pe_probefs_parse_param,
	.get_tree	= pe_probefs_get_tree,
	.reconfigure	= pe_probefs_reconfigure,
};

static int pe_probefs_init_fs_context(struct fs_context *fc)
{
	struct mount_opts *opts = kzalloc(sizeof(*opts), GFP_KERNEL);

	if (!opts)
		return -ENOMEM;
	fc->fs_private = opts;
	fc->ops = &pe_probefs_context_ops;
	return 0;
}

/* One of the two is registered: a kernel with a tracefs keeps its name and place. */
#define FS_TYPE(as) {						\
	.owner			= THIS_MODULE,			\
	.name			= (as),				\
	.init_fs_context	= pe_probefs_init_fs_context,	\
	.parameters		= pe_probefs_params,		\
	.kill_sb		= kill_anon_super,		\
}
static struct file_system_type pe_fs_super_types[] = { FS_TYPE("tracefs"), FS_TYPE("probefs") };

/*
 * No MODULE_ALIAS_FS(): any user with a user namespace may try to mount, and
 * that would load this module, though only root of the first namespace can
 * mount (no FS_USERNS_MOUNT).
 */

static const char *const pe_mount_points[] = { "tracing", "probes" };
static unsigned int pe_fs_super_published;		/* index in both */

/* The place of tracefs exists from boot on, and nothing else makes it. */
static bool pe_kernel_has_tracefs(void)
{
	struct kernfs_node *place = kernfs_find_and_get(kernel_kobj->sd, pe_mount_points[0]);

	kernfs_put(place);
	return place;
}

/*
 * Registering is the last of the steps that can fail: after it a user may
 * mount, and a module that is in use cannot unload itself.
 */
int pe_fs_publish(void)
{
	int ret;

	pe_fs_super_published = pe_kernel_has_tracefs();
	ret = sysfs_create_mount_point(kernel_kobj, pe_mount_points[pe_fs_super_published]);
	if (ret)
		return ret;
	ret = register_filesystem(&pe_fs_super_types[pe_fs_super_published]);
	if (ret)
		sysfs_remove_mount_point(kernel_kobj, pe_mount_points[pe_fs_super_published]);
	return ret;
}

void pe_fs_unpublish(void)
{
	unregister_filesystem(&pe_fs_super_types[pe_fs_super_published]);
	sysfs_remove_mount_point(kernel_kobj, pe_mount_points[pe_fs_super_published]);
}
