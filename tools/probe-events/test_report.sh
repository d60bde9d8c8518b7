#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_report.sh PROGRAM: what was saved is read again: forms, fewer keys, filters, sums of files, and
# what is no such file.
set -u
program=$1
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# is NAME WANTED GOT
is() { [ "$2" = "$3" ] || { printf '%s: got\n%s\nwanted\n%s\n' "$1" "$3" "$2"; failed=1; }; }
# ask STATUS WORDS...: the answer is in $got, messages in $err
ask() {
	local status=0

	got=$(cd "$dir" && "$program" report "${@:2}" 2> "$dir/err") || status=$?
	err=$(cat "$dir/err")
	is "status of ${*:2} ($err)" "$1" "$status"
}
start='"v":1,"t":10.0,"what":"vfs_read","host":"h1","kernel":"6.12","time":"2026-01-02T03:04:05Z","commands":["p:x"]'

# Times of 100 ns (step 82) and 1000 ns (step 190).
cat > "$dir/a.json" <<END
{"type":"start","verb":"lat","by":["comm","stack"],$start}
{"type":"row","v":1,"t":20.0,"interval":1,"hits":9,"key":{"comm":"dd","stack":["x"]}}
{"type":"row","v":1,"t":20.0,"hits":3,"ns":{"sum":1200,"min":100,"max":1000,"p50":1,"p90":1,"p99":1,"p999":1,"h2":{"g":5,"n":{"82":2,"190":1}}},"key":{"comm":"dd","stack":["b","a"]}}
{"type":"row","v":1,"t":20.0,"hits":1,"ns":{"sum":100,"min":100,"max":100,"p50":1,"p90":1,"p99":1,"p999":1,"h2":{"g":5,"n":{"82":1}}},"key":{"comm":"dd","stack":["c","a"]}}
{"type":"row","v":1,"t":20.0,"hits":2,"ns":{"sum":200,"min":100,"max":100,"p50":1,"p90":1,"p99":1,"p999":1,"h2":{"g":5,"n":{"82":2}}},"key":{"comm":{"hex":"ff09"},"stack":["c"]}}
{"type":"total","v":1,"t":20.0,"hits":6,"seconds":10.0,"rows":3,"other":4}
{"type":"end","v":1,"t":20.5,"status":3,"balance":{"hits":20,"counted":6,"not_asked_for":5,"in_flight":2,"later":1,"refused":7,"lost":{"table_full":4,"recursion":2}}}
END
ask 3 a.json by comm -f csv
is 'fewer keys' $'comm,calls,p50_ns,p90_ns,p99_ns,max_ns,total_ns\r\ndd,4,101,1000,1000,1000,1300\r\n\xff\t,2,100,100,100,100,200\r\n(other),4,,,,,\r' "$got"
is 'losses' 'calls 20 = counted 6 + not asked for 5 + inside 2 + later 1; LOST 6: the table was full 4 recursion 2; 7 refused' "$err"
ask 3 a.json -f folded
is 'folded' $'dd;a;b 1200\n\xff\\x09;c 200\ndd;a;c 100' "$got"
sed 's/"sum":[0-9]*/"sum":-5/' "$dir/a.json" > "$dir/neg.json"
ask 3 neg.json -f folded
is 'folded, sums below 0' '0 0 0' "$(LC_ALL=C sed 's|.* ||' <<<"$got" | xargs)"
ask 3 a.json by comm if comm eq dd -f csv
is 'a filter' $'dd,4,101,1000,1000,1000,1300\r' "$(sed -n 2p <<<"$got")"
is 'balance of a filter' 'calls 20 = counted 4 + not asked for 7 + inside 2 + later 1; LOST 6: the table was full 4 recursion 2; 7 refused' "$err"
ask 3 a.json -n dd -s p99 -r -f csv
is 'order' $'dd,c;a,1,100,100,100,100,100\r' "$(sed -n 2p <<<"$got")"

ask 3 a.json a.json by comm -f openmetrics
is 'functions left out, of two files' 'probe_events_refused{what="vfs_read"} 14' "$(grep '^probe_events_refused' <<<"$got")"

# Two files are one answer; what was written is read again.
ask 3 a.json a.json by comm -f csv
is 'two files' $'dd,8,101,1000,1000,1000,2600\r' "$(sed -n 2p <<<"$got")"
ask 3 a.json -f json -o b.json
ask 3 a.json -f html -o b.html
ask 3 b.html -f json
is 'json of a page' "$(cat "$dir/b.json")" "$got"
grep -q '"host":"h1","kernel":"6.12","time":"2026-01-02T03:04:05Z","commands":\["p:x"\]}$' "$dir/b.json" ||
	{ echo "where it was measured is lost: $(head -n 1 "$dir/b.json")"; failed=1; }
is 'its balance' "$(grep '"end"' "$dir/a.json" | sed 's/.*"balance"//')" "$(grep '"end"' "$dir/b.json" | sed 's/.*"balance"//')"
ask 3 b.html a.json by comm -f csv
is 'a page and a file' $'dd,8,101,1000,1000,1000,2600\r' "$(sed -n 2p <<<"$got")"
ask 3 count a.json by comm -f csv
is 'only counts' $'comm,calls\r\ndd,4\r\n\xff\t,2\r\n(other),4\r' "$got"

# A stack that no kernel has is drawn as far as it goes.
{
	printf '{"type":"start","verb":"count","by":["stack"],%s}\n' "$start"
	printf '{"type":"row","v":1,"t":20.0,"hits":5,"key":{"stack":["f0"'
	seq -f ',"f%.0f"' 200000 | tr -d '\n'
	printf ']}}\n{"type":"total","v":1,"t":20.0,"hits":5,"seconds":10.0,"rows":1,"other":0}\n'
	printf '{"type":"end","v":1,"t":20.5,"status":0,"balance":{"hits":5,"counted":5,"lost":{}}}\n'
} > "$dir/deep.json"
ask 0 deep.json -f html
is 'a deep stack' '1001 1 1 0' "$(grep -o '<rect class="f' <<<"$got" | wc -l) $(grep -c '<title>f200000: ' <<<"$got") \
$(grep -c 'the 1000 outermost functions are drawn' <<<"$got") $(grep -c '<title>f199000: ' <<<"$got")"

# Recordings of trace-cmd's, some of which say that fields are where no record is.
if ! ldd "$program" | grep -q libtracecmd; then
	echo '# not tested: the program is linked without libtracecmd'
else
	recording() { "${0%/*}/test_recording.py" "$dir/r.dat" "$@"; }
	recording 0 4 8
	ask 0 r.dat by tid,comm,func -f csv
	is 'a recording' $'tid,comm,func,calls\r\n5,bash,vfs_read,1\r' "$got"
	mv "$dir/r.dat" "$dir/alice"
	ask 0 alice -f json
	echo "$got" > "$dir/alice.json"
	for file in alice alice.json; do
		ask 0 $file --redact -f json
		is "a recording in $file" 0 "$(grep -c alice <<<"$got")"
	done
	for at in 15 16777216; do
		recording 0 4 $at
		ask 0 r.dat by tid,comm,func -f csv
		is "a function at $at" $'5,bash,open,1\r' "$(sed -n 2p <<<"$got")"
		recording $at 4 8
		ask 1 r.dat
		is "a type at $at" "probe-events: r.dat: a record is shorter than its format says" "$err"
	done
	recording 0 16777216 8
	ask 0 r.dat by tid,func -f csv
	is 'a task out of the record' $'-1,vfs_read,1\r' "$(sed -n 2p <<<"$got")"
	recording 0 4 8
	for size in $(seq 20 1270 8191) 8191; do
		head -c "$size" "$dir/r.dat" > "$dir/cut.dat"
		ask 1 cut.dat
		is "cut to $size" 'probe-events: cut.dat: libtracecmd cannot read it: it may be cut' "$err"
	done
fi

# Hits are listed, or counted.
cat > "$dir/h.json" <<END
{"type":"start","verb":"trace","by":["ret"],$start}
{"type":"hit","v":1,"t":11.25,"cpu":0,"tid":7,"comm":"a b","func":"vfs_read","args":{"ret":-2,"ns":100,"file":"/x\u001b"}}
{"type":"hit","v":1,"t":12.5,"cpu":1,"tid":8,"comm":"cat","func":"vfs_read","args":{"ret":5,"ns":1000,"file":"/y"}}
{"type":"hit","v":1,"t":13.5,"cpu":1,"tid":8,"comm":"cat","func":"vfs_read","args":{"ret":-2,"ns":1000,"file":"/y"}}
{"type":"end","v":1,"t":20.0,"status":0,"balance":{"hits":4,"shown":3,"not_asked_for":1,"in_flight":0,"later":0,"refused":2,"lost":{}}}
END
ask 0 h.json if comm eq cat
is 'hits' "       SECONDS  TID      COMM              FUNC
     12.500000  8        cat               vfs_read  ret=5  ns=1.000us  file=/y
     13.500000  8        cat               vfs_read  ret=-ENOENT  ns=1.000us  file=/y

hits 4 = shown 2 + not shown 2; none lost; 2 refused" "$got"
ask 0 trace h.json by ret,file -M 1 --fail
is 'columns' "       SECONDS  TID      COMM              RET       FILE
     11.250000  7        a b               -ENOENT   /x\\x1b

hits 4 = shown 1 + not shown 3; none lost; 2 refused" "$got"
sed 's/"hits":4,"shown":3\(.*\)"lost":{}/"hits":104,"shown":3\1"lost":{"limited":100}/' "$dir/h.json" > "$dir/lim.json"
for form in text json; do
	ask 3 lim.json -M 2 -f $form
	ask 3 lim.json -f $form
done
ask 3 lim.json -M 2
is 'a loss by a limit, in part' 'hits 104 = shown 2 + not shown 2; LOST 100; 2 refused' "$(tail -n 1 <<<"$got")"
ask 0 h.json if cpu eq 1 -f json
is 'objects' "$(sed -n 3,4p "$dir/h.json")" "$(grep '"hit"' <<<"$got")"
ask 0 h.json by comm,ret -s ret -f csv
is 'counted' $'comm,ret,calls\r\na b,-2,1\r\ncat,-2,1\r\ncat,5,1\r' "$got"
ask 0 lat h.json by comm -f csv
is 'times' $'cat,2,1000,1000,1000,1000,2000\r' "$(sed -n 2p <<<"$got")"
ask 0 h.json by comm -L 500ns -f csv
is 'long ones' $'comm,calls\r\ncat,2\r' "$got"

# Names become numbers, the same ones each time; functions and results stay.
ask 0 h.json --redact if comm eq cat -f json
is 'redacted hits' '"host":"host-1"
"tid":8,"comm":"comm-1","func":"vfs_read","args":{"ret":5,"ns":1000,"file":"file-1"}}
"tid":8,"comm":"comm-1","func":"vfs_read","args":{"ret":-2,"ns":1000,"file":"file-1"}}' "$(grep -oE '"host":"[^"]*"|"tid":.*args.*' <<<"$got")"
ask 3 a.json --redact -f html
for name in dd h1 p:x; do
	is "$name after --redact" '' "$(grep "[\">]${name}[\"<]" <<<"$got")"
done
ask 3 a.json a.json --redact by comm -f csv
is 'redacted rows' $'comm-1,8,101,1000,1000,1000,2600\r\ncomm-2,4,100,100,100,100,400\r' "$(sed -n 2,3p <<<"$got")"

# What a hit of ours does not have may be anybody's; so may a stack, or what only looks like a name.
cat > "$dir/private.json" <<END
{"type":"start","verb":"trace","by":[],"v":1,"t":10.0,"what":"alice-laptop.dat","host":"alice","kernel":"6.12","time":"2026-01-02T03:04:05Z","commands":[]}
{"type":"hit","v":1,"t":11.25,"cpu":0,"tid":7,"comm":"alice","func":{"hex":"616c"},"user":"alice","more":{"user":"alice"},"list":["alice"],"args":{"ret":{"number":1,"alice":"x"},"caller":{"hex":"616c"},"n":5,"file":["alice"]},"stack":["vfs_read",{"user":"alice"}]}
{"type":"hit","v":1,"t":11.25,"cpu":0,"tid":7,"comm":"b","func":"vfs_read","event":"t:a","args":"alice","stack":"alice","names":"alice","key":["alice"]}
{"type":"end","v":1,"t":20.0,"status":0,"balance":{"hits":2,"shown":2,"lost":{}}}
END
ask 0 private.json --redact -f json
is 'private fields' '' "$(grep -i 'alice\|616c' <<<"$got")"
is 'the others' '"tid":7,"comm":"comm-1","func":"func-1","user":"user-1","more":"more-1","list":"list-1","args":{"ret":"ret-1","caller":"caller-1","n":5,"file":"file-1"},"stack":["vfs_read","func-2"]}
"tid":7,"comm":"comm-2","func":"vfs_read","event":"t:a","args":"args-1","stack":"stack-1","names":"names-1","key":"key-1"}' \
	"$(grep -o '"tid":.*' <<<"$got")"
ask 0 private.json --redact by user -s user -f csv
is 'a private key' $'user,calls\r\n-,1\r\nuser-1,1\r' "$got"
is 'a file' 1 "$(ask 0 private.json --redact -f json; grep -c '"what":"what-1"' <<<"$got")"
is 'a function' 1 "$(ask 0 h.json --redact -f json; grep -c '"what":"vfs_read"' <<<"$got")"
is 'a function, again' 1 "$("$program" report "$dir/h.json" --redact -f json -o "$dir/r.json"; ask 0 r.json --redact -f json; grep -c '"what":"vfs_read"' <<<"$got")"

# Numbers with names: in rows and in hits, by both in a filter.
cat > "$dir/n.json" <<END
{"type":"start","verb":"count","by":["comm","errno"],$start}
{"type":"row","v":1,"t":20.0,"hits":3,"key":{"comm":"dd","errno":{"number":-2,"name":"ENOENT"}}}
{"type":"row","v":1,"t":20.0,"hits":2,"key":{"comm":"dd","errno":{"number":-600}}}
{"type":"row","v":1,"t":20.0,"hits":1,"key":{"comm":"cp","errno":{"number":0,"name":"ok"}}}
{"type":"total","v":1,"t":20.0,"hits":6,"seconds":10.0,"rows":3,"other":0}
{"type":"end","v":1,"t":20.5,"status":0,"balance":{"hits":6,"counted":6,"not_asked_for":0,"in_flight":0,"later":0,"lost":{}}}
END
ask 0 n.json n.json by errno -s errno -f csv
is 'names' $'errno,calls\r\n-600,4\r\nENOENT,6\r\nok,2\r' "$got"
ask 0 n.json if errno eq ENOENT or errno eq -600 -f csv
is 'by name and by number' $'comm,errno,calls\r\ndd,ENOENT,3\r\ndd,-600,2\r' "$got"
ask 0 n.json --redact by errno -f json
is 'names after --redact' '"errno":{"number":-2,"name":"ENOENT"} "errno":{"number":-600} "errno":{"number":0,"name":"ok"}' \
	"$(grep -o '"errno":{[^}]*}' <<<"$got" | xargs -d '\n')"
sed 's/"name":"ENOENT"/"name":"my secret"/' "$dir/n.json" > "$dir/secret.json"
ask 0 secret.json --redact by errno -f json
is 'what is no name, after --redact' '' "$(grep secret <<<"$got")"
cat > "$dir/m.json" <<END
{"type":"start","verb":"trace","by":["type.enum"],$start}
{"type":"hit","v":1,"t":11.25,"cpu":0,"tid":7,"comm":"a","func":"f","args":{"type":1},"names":{"type.enum":{"number":1,"name":"TGID"}}}
{"type":"hit","v":1,"t":12.25,"cpu":0,"tid":7,"comm":"a","func":"f","args":{"type":9},"names":{"type.enum":{"number":9}}}
{"type":"end","v":1,"t":20.0,"status":0,"balance":{"hits":2,"shown":2,"not_asked_for":0,"in_flight":0,"later":0,"lost":{}}}
END
ask 0 m.json by type.enum -s type.enum -f csv
is 'names of hits' $'type.enum,calls\r\nTGID,1\r\n9,1\r' "$got"
ask 0 trace m.json by type.enum,type if type.enum ne TGID
is 'hits with names' "     12.250000  7        a                 9          9" "$(sed -n 2p <<<"$got")"

# A task's name is anybody's to choose: none looks like another line of a table.
cat > "$dir/sign.json" <<END
{"type":"start","verb":"count","by":["comm"],$start}
{"type":"row","v":1,"t":20.0,"hits":5,"key":{"comm":"bash"}}
{"type":"row","v":1,"t":20.0,"hits":3,"key":{"comm":"#end 1"}}
{"type":"row","v":1,"t":20.0,"hits":2,"key":{"comm":"#columns"}}
{"type":"row","v":1,"t":20.0,"hits":7,"key":{"comm":"zsh"}}
{"type":"row","v":1,"t":20.0,"hits":1,"key":{"comm":["#end 4"]}}
{"type":"total","v":1,"t":20.0,"hits":18,"seconds":10.0,"rows":5,"other":0}
{"type":"end","v":1,"t":20.5,"status":0,"balance":{"hits":18,"counted":18,"not_asked_for":0,"in_flight":0,"later":0,"lost":{}}}
END
ask 0 sign.json -f csv
is 'names with #' $'comm,calls\r\nzsh,7\r\nbash,5\r\n#end 1,3\r\n#columns,2\r\n?end 4,1\r' "$got"

# Numbers beyond 2^53 are texts in JSON, and numbers among others; a text is one beside names of numbers.
sed '3s/"#end 1"/"18446744073709551615"/; 4s/"#columns"/-9223372036854775808/; 5s/"zsh"/10/; 2s/"bash"/9/; 6d' \
	"$dir/sign.json" > "$dir/large.json"
sed -i 's/-9223372036854775808/"&"/' "$dir/large.json"
ask 0 large.json -s comm -f csv
is 'large numbers in order' '-9223372036854775808,2 9,5 10,7 18446744073709551615,3' "$(tr -d '\r' <<<"$got" | sed 1d | xargs)"
ask 0 large.json -s comm -f json
is 'large numbers' '"-9223372036854775808" 9 10 "18446744073709551615"' "$(grep -o '"key":{"comm":[^}]*' <<<"$got" | cut -d : -f 3 | paste -sd ' ')"
sed '3s/"#end 1"/"a\\\\tb\\tc d"/; 4s/"#columns"/{"number":-2,"name":"ENOENT"}/; 5s/"zsh"/"-"/; 6d' \
	"$dir/sign.json" > "$dir/mixed.json"
ask 0 mixed.json -f json
is 'texts among names' '"a\\tb\tc d"' "$(grep -o '"key":{"comm":"a[^}]*' <<<"$got" | cut -d : -f 3)"
sed -i 2,3d "$dir/mixed.json"
ask 0 mixed.json -f csv
is 'names, and none' $'-,7\r ENOENT,2\r' "$(sed 1d <<<"$got" | paste -sd ' ')"

# Refused, each with its reason.
for bytes in null 5 '["41"]' '{}'; do
	sed '3s/"comm":"#end 1"/"comm":{"hex":'"$bytes"'}/' "$dir/sign.json" > "$dir/bytes.json"
	ask 1 bytes.json
	is "bytes that are $bytes" 'probe-events: a key is neither a text nor a number' "$err"
done
refuse() { ask "$1" "${@:3}"; case $err in *"$2"*) ;; *) is "message of ${*:3}" "$2" "$err" ;; esac; }
sed '$d' "$dir/h.json" > "$dir/cut.json"
refuse 3 'has no end' cut.json by comm
# Files in one: each part has an end of its own.
cat "$dir/h.json" "$dir/h.json" > "$dir/joined.json"
ask 0 joined.json by comm -f csv
is 'parts' $'cat,4\r' "$(sed -n 2p <<<"$got")"
cat "$dir/h.json" "$dir/cut.json" > "$dir/joined.json"
refuse 3 'has no end' joined.json by comm
cat "$dir/cut.json" "$dir/h.json" > "$dir/joined.json"
refuse 3 'joined.json: a part of it has no end: it is incomplete' joined.json by comm
is 'all of them' $'cat,4\r' "$(ask 3 joined.json by comm -f csv; sed -n 2p <<<"$got")"
refuse 3 'has no end' cut.json h.json by comm
sed 's/"v":1/"v":2/' "$dir/h.json" > "$dir/new.json"
refuse 1 'newer version' new.json
sed 's/vfs_read/vfs_write/' "$dir/a.json" > "$dir/other.json"
refuse 1 'is of vfs_write, not vfs_read' a.json other.json
sed 's/"82":2/"82x":2/' "$dir/a.json" > "$dir/step.json"
refuse 1 'times in no step' step.json
printf '\x17\x08\x44tracing6\0nothing' > "$dir/bad.dat"
refuse 1 'cannot read it' bad.dat
head -c 300 "$dir/a.json" > "$dir/half.json"
refuse 3 'its last line is cut' half.json
for size in 250 400 600; do
	head -c $size "$dir/h.json" > "$dir/half.json"
	refuse 3 'incomplete' half.json by comm
done
head -c -1 "$dir/h.json" > "$dir/half.json"
ask 0 half.json by comm -f csv
is 'no newline at the end' $'cat,2\r' "$(sed -n 2p <<<"$got")"
head -c 60 "$dir/h.json" > "$dir/half.json"
refuse 1 'line 1 is not of' half.json
cat "$dir/h.json" "$dir/half.json" > "$dir/joined.json"
refuse 3 'its last line is cut' joined.json by comm
for at in 2 3; do
	sed "${at}s/./\xff/30" "$dir/h.json" > "$dir/bytes.json"
	refuse 1 "line $at is not of" bytes.json
done
ask 0 <(cat "$dir/h.json") by comm -f csv
is 'a pipe' $'cat,2\r' "$(sed -n 2p <<<"$got")"
: > "$dir/empty"
refuse 1 'it is empty' empty
refuse 1 'another question' a.json h.json
refuse 1 'no hits to show' trace a.json
refuse 1 'has the field pid' a.json by pid
refuse 1 'has the field pid' h.json if pid eq 1
refuse 1 'shown as text or json' h.json -f csv
refuse 1 'No such file' nothing.json
refuse 2 'which file' by comm
# What is read is not written over, by whatever name.
cp "$dir/a.json" "$dir/kept.json"
ln "$dir/kept.json" "$dir/hard.json"
ln -s kept.json "$dir/soft.json"
for out in kept.json hard.json soft.json ./kept.json; do
	refuse 2 "$out: what is read is not written over" a.json kept.json by comm -f json -o "$out"
	cmp "$dir/a.json" "$dir/kept.json" || { echo "-o $out: what was read is another"; failed=1; }
done
(cd "$dir" && "$program" report kept.json -f json >> kept.json 2> err)
is 'status of >> to what is read' 2 $?
cmp "$dir/a.json" "$dir/kept.json" || { echo '>>: what was read is another'; failed=1; }
# What was in the answer's file stays if there is none, and goes if there is one.
{ sed 4q "$dir/a.json"; echo '{'; } > "$dir/broken.json"
for ask in "broken.json by comm" "empty" "a.json other.json" "a.json by pid"; do
	echo kept > "$dir/out"
	# shellcheck disable=SC2086
	ask 1 $ask -o out
	is "what was in the file of $ask" kept "$(cat "$dir/out")"
done
seq 1000 > "$dir/out"
ask 3 a.json by comm -f csv
answer=$got
ask 3 a.json by comm -f csv -o out
is 'a shorter answer' "$answer" "$(cat "$dir/out")"
ask 3 a.json by comm -f csv -o /dev/stdout
is 'an answer through a pipe' "$answer" "$got"
refuse 2 'FIELD lt|le' a.json if comm
for option in '-d 1' --expect '--cpu 5%' '--one 5%' '--rate 10' '--ttl 5s' --no-limit; do
	# shellcheck disable=SC2086
	refuse 2 'measured now' a.json $option
done
exit $failed
