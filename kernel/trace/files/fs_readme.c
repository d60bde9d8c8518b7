// SPDX-License-Identifier: GPL-2.0
/*
 * fs_readme.c - README: what the files are for.
 */
#include <linux/seq_file.h>
#include "files.h"
#include "small_file.h"

/*
 * Tools and tests look for some of these phrases to find out what works here: a
 * phrase is here only if its feature is.
 */
static const char pe_readme[] =
	"probe-events: probes in a running kernel, through files\n"
	"\n"
	"  kprobe_events\t\t- Create/append/remove/show probe events, one command per line\n"
	"  dynamic_events\t- The same, and events at functions and tracepoints\n"
	"\t  Writing with > removes all events first, with >> it appends.\n"
	"\t  An enabled event can't be removed.\n"
	"\t   Format: p[:[<group>/][<event>]] <place> [<args>]\n"
	"\t           r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
	"\t           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
	"\t           t[:[<group>/][<event>]] <tracepoint> [<args>]\n"
	"\t           -:[<group>/][<event>] [<place> [<args>]]\n"
	"\t    place: [<module>:]<symbol>[,<number>][+<offset>]|<memaddr>\n"
	"\t           or several, with | between them: the first symbol that exists\n"
	"\t func-name: [<module>:]<pattern>: an event of all functions whose names match\n"
	" place (kretprobe): [<module>:]<symbol>[+<offset>]%return|<memaddr>\n"
	"\t           A function's entry.  maxactive is accepted, also after f, and\n"
	"\t           shown, but not needed: no call is missed for lack of instances.\n"
	"\t     args: <name>=fetcharg[:type]\n"
	"\t fetcharg: %<register>, @<address>, @<symbol>[+|-<offset>], $comm,\n"
	"\t           $stack<index>, $stack, $retval, $elapsed, $arg<N>, $current,\n"
	"\t           +|-[u]<offset>(<fetcharg>), \\imm-value, \\\"imm-string\",\n"
	"\t           this_cpu_read(<fetcharg>), this_cpu_ptr(<fetcharg>),\n"
	"\t           [(structname[,field])]<argname>[->field[->field|.field...]],\n"
	"\t           [(structname[,field])](fetcharg)->field[->field|.field...],\n"
	"\t           $arg* (all), with BTF\n"
	"\t     kernel return probes support: $retval, $arg<N> (at entry), $comm,\n"
	"\t           $elapsed (nanoseconds since entry)\n"
	"\t     type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string, symbol,\n"
	"\t           b<bit-width>@<bit-offset>/<container-size>, ustring,\n"
	"\t           symstr, %pd/%pD, <type>\\[<array-size>\\]\n"
	"  kprobe_profile\t- Per probe: hits, and hits that were missed\n"
	"  kprobe_losses\t\t- Per probe: hits + extra = records + losses by reason;\n"
	"\t  extra: records wanted beyond one per hit: of other instances, of stacks\n"
	"  error_log\t\t- Why the last commands were refused; write to clear\n"
	"\n"
	"  events/enable\t\t- 0/1: switch all events\n"
	"  events/<group>/enable\t- 0/1: switch a group's events\n"
	"  events/<group>/filter\t- Filter its events' records; 0 to clear\n"
	"  events/<group>/<event>/\n"
	"      enable\t\t- 0/1: switch the event\n"
	"      filter\t\t- Which records to keep: expression, 0 for all\n"
	"      format\t\t- Layout of its records\n"
	"      trigger\t\t- Actions of its hits: traceon, traceoff, snapshot, stacktrace,\n"
	"\t\t\t  enable_event, disable_event[:<group>:<event>][:<count>] [if <filter>]\n"
	"      id\t\t- Number of the event in its records\n"
	"\n"
	"  available_events\t- All events\n"
	"  set_event\t\t- Enabled events; write [!]<group>:<event>, * or nothing means any\n"
	"  set_event_pid\t\t- Record hits of these tasks only\n"
	"  set_event_notrace_pid\t- Do not record hits of these tasks\n"
	"\t  With option event-fork, children of tasks in these lists join them\n"
	"\n"
	"  trace\t\t\t- The records as text; truncate to clear\n"
	"  trace_pipe\t\t- The same, consuming and waiting\n"
	"  tracing_on\t\t- 0/1: stop or start recording\n"
	"  tracing_cpumask\t- CPUs that record\n"
	"  trace_marker\t\t- Write text into the buffer\n"
	"  trace_marker_raw\t- Write a number and bytes into it\n"
	"  trace_clock\t\t- Clock of the time stamps\n"
	"  buffer_size_kb\t- Size of each CPU's buffer\n"
	"  buffer_total_size_kb\t- Size of all of them\n"
	"  buffer_subbuf_size_kb\t- Size of its pages; writing empties it\n"
	"  free_buffer\t\t- Closing this file shrinks the buffer\n"
	"  snapshot\t\t- 1: exchange the buffer with a second one, shown here;\n"
	"\t\t\t  2: clear that, 0: free it\n"
	"  buffer_percent\t- How full a CPU's buffer is when raw readers wake up\n"
	"  per_cpu/cpu<N>/\t- trace, trace_pipe, stats and size of one CPU\n"
	"      trace_pipe_raw\t- Its records as binary pages, consuming\n"
	"  saved_cmdlines\t- Names of the pids in the records\n"
	"  saved_cmdlines_size\t- How many of them are kept\n"
	"  saved_tgids\t\t- Their thread groups\n"
	"  instances/\t\t- mkdir makes an instance with its own buffers, rmdir removes it\n"
	"\n"
	"  kprobes/list\t\t- Armed places and how they are armed\n"
	"  kprobes/enabled\t- 0/1: disarm or arm all\n"
	"  kprobes/optimization\t- 0/1: may breakpoints become jumps?\n"
	"  kprobes/blacklist\t- Places that can't be probed\n"
	"  kprobes/refused\t- Functions that match a pattern but can't be probed\n"
	"  kprobes/compile\t- 0/1: interpret hits, or compile those that can be\n"
	"  kprobes/compiled\t- Which are compiled, which are not and why\n"
	"  kprobes/unwatched\t- Calls not recorded: RCU was not watching\n";

static int pe_readme_show(struct seq_file *m, void *v)
{
	seq_puts(m, pe_readme);
	return 0;
}

const struct pe_small_file pe_readme_file = { .show = pe_readme_show };
