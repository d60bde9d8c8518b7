/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_PERCPU_H
#define SHIM_PERCPU_H

#define __percpu

#endif
