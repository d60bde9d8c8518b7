# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# features.awk - from the compiler's messages (-) about the files before them to its answers.
#
# A question begins with ASK( in the first column of features.c or of the architecture's features.h,
# and goes as far as the next.

FILENAME != "-" {
	if (match($0, /^ASK\([A-Z0-9_]+,/)) {
		question = substr($0, 5, RLENGTH - 5)
		order[++nr] = question
	}
	of_line[base(FILENAME), FNR] = question
	next
}

/: (fatal )?error: / {
	split($0, part, ":")
	name = of_line[base(part[1]), part[2]]
	if (name == "")
		end("an error that is in no question: " $0)
	no[name] = 1
}

END {
	if (failed)
		exit 1
	if (no["PE_ASK_YES"] || !no["PE_ASK_NO"])
		end("the compiler's answers make no sense")
	print "/* Made by Kbuild of features.c: what this kernel's headers have. */"
	for (i = 1; i <= nr; i++)
		if (order[i] !~ /^PE_ASK_/)
			printf "#define %s %d\n", order[i], !no[order[i]]
}

function base(path) {
	sub(/.*\//, "", path)
	return path
}

function end(text) {
	print "features.awk: " text >"/dev/stderr"
	failed = 1
	exit 1
}
