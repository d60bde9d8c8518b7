/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of machines, for which nobody asks. */
