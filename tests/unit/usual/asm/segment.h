/* SPDX-License-Identifier: GPL-2.0 */
#define __KERNEL_CS	0x10
#define __KERNEL_DS	0x18
