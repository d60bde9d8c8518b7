/* SPDX-License-Identifier: GPL-2.0 */
#define PER_CPU_VAR(var)	%gs:var
