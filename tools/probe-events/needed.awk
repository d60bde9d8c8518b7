# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# needed.awk - the kernel's symbols that every configuration must have, out of kernel/know/ksyms.h
# and the rows that its architecture adds.
#
# A list that is defined several times, for several kernels, has other names in the same order.

/^#define PE_(ARCH_)?KSYM_[A-Z_]+\(X\)/ { split($2, part, "("); list = part[1]; nth = 0 }

match($0, /^\tX\([A-Za-z_0-9]+, 1,/) {
	name = substr($0, 4, index($0, ",") - 4)
	key = list " " ++nth
	if (!(key in names))
		order[++nr] = key
	if (index(" " names[key], " " name " ") == 0)
		names[key] = names[key] name " "
}

END {
	print "/* Made by the Makefile: names of which one will do, each with a space after it. */"
	print "static const char * const needed_symbols[] = {"
	for (i = 1; i <= nr; i++)
		printf "\t\"%s\",\n", names[order[i]]
	print "};"
}
