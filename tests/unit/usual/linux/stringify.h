/* SPDX-License-Identifier: GPL-2.0 */
/* Nothing that our stubs use here. */
