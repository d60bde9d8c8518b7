/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of machines, which are not asked for. */
