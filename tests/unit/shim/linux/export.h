/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PE_SHIM_EXPORT_H
#define PE_SHIM_EXPORT_H
#define EXPORT_SYMBOL_GPL(name)
#endif
