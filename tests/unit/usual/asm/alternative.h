/* SPDX-License-Identifier: GPL-2.0 */
/* No CPU has call depth tracking here. */
