# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# The manual page of a verb: its parts of probe-events.1, with the summary and the example of its help.
# usage: awk -v verb=VERB -f verb_page.awk SOURCE.c... probe-events.1

function unquoted(line) {
	sub(/^[^"]*"/, "", line)
	sub(/(\\n)?"[^"]*$/, "", line)
	gsub(/\\"/, "\"", line)
	return line
}

# Is the verb one of those that the heading of a section names?
function is_of(heading) {
	return (" " heading " ") ~ ("[ ,]" verb "[ ,]")
}

function show_example(text) {
	if (!shown++)
		print ".SH EXAMPLES"
	else
		print ".PP"
	printf "%s", text
}

# Ends what a section of the page has collected.
function end_part() {
	if (section == "SYNOPSIS" && part ~ ("^[^\n]*probe-events[^\n]*[ \"]" verb "[\" \n]")) {
		sub(/^[^\n]*\n/, "", part)
		synopsis = synopsis (synopsis == "" ? "" : ".br\n") ".B probe-events " verb "\n" part
	} else if (section == "EXAMPLES" && part ~ ("(^|\n)probe-events " verb " ")) {
		examples[++nr] = part
	}
	part = ""
}

FILENAME ~ /\.c$/ {
	if (/^\t\.name = "/)
		of = unquoted($0)
	if (of == verb && /^\t\.summary = "/)
		summary = unquoted($0)
	if (of == verb && $0 ~ ("^\"    probe-events " verb))
		own = own substr(unquoted($0), 5) "\n"
	next
}

/^\.SH / {
	end_part()
	section = substr($0, 5)
	sub_section = 0
	next
}
section == "SYNOPSIS" && /^\.br$/ { end_part(); next }
section == "EXAMPLES" && /^\.fi$/ { part = part $0 "\n"; end_part(); skip = 1; next }
section == "EXAMPLES" && skip { skip = 0; if (/^\.PP$/) next }
section == "SYNOPSIS" || section == "EXAMPLES" { part = part $0 "\n"; next }
section == "VERBS" && /^\.SS / {
	sub_section = is_of(substr($0, 5))
	# More than names of verbs: a section of its own.
	if (sub_section && / (with|of) /)
		description = description $0 "\n"
	next
}
section == "VERBS" && sub_section { description = description $0 "\n" }
# "Of VERBS:", and their statuses.
section == "EXIT STATUS" && /^\.PP$/ { of_verb = 0; next }
section == "EXIT STATUS" && /^Of$/ { next }
section == "EXIT STATUS" && /^\.BR .*:$/ {
	gsub(/[":]/, "")
	of_verb = is_of(substr($0, 5))
	next
}
section == "EXIT STATUS" && of_verb { status = status $0 "\n" }

END {
	if (summary == "" || synopsis == "" || description == "" || own == "") {
		print verb ": no " (summary == "" ? "summary" : synopsis == "" ? "synopsis" : own == "" ? "example" : "section") > "/dev/stderr"
		exit 1
	}
	printf ".\\\" Made by the Makefile from probe-events.1.\n"
	printf ".TH PROBE-EVENTS-%s 1 \"\" \"probe-events\" \"User Commands\"\n", toupper(verb)
	printf ".SH NAME\nprobe-events-%s \\- %s\n.SH SYNOPSIS\n%s", verb, summary, synopsis
	printf ".SH DESCRIPTION\n%s", description
	gsub(/\\/, "\\e", own)
	gsub(/-/, "\\-", own)
	show_example(".nf\n.RS\n" own ".RE\n.fi\n")
	for (i = 1; i <= nr; i++)
		show_example(examples[i])
	printf ".SH EXIT STATUS\n%s", status
	print ".SH SEE ALSO\n.BR probe-events (1)"
	print "has what all verbs share: presets, forms of answers, progress, files;"
	print ".BR probe-events-count (1)"
	print "has the options of all verbs that ask a question."
}
