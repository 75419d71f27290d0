#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of run --html without a browser: its data parses, and its metrics, issues, lifetimes and
# curves are those of the report and the tables of the same run (page.py); names in it cannot end
# the script; it makes no requests; long runs are kept in part, and their curves are thinned
# exactly; a million issues are quick and make less than 30 MB.
set -u
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
. "$abs_srcdir/tests/scratch.sh"

# same TITLE PAGE-OPTIONS RUN...: --part, or nothing, and a run.
same ()
{
  title=$1
  options=$2
  shift 2
  warpipe run "$@" --html page.html --format json >report.json || { complain "$title: exit status $?"; return; }
  warpipe run "$@" --issues issues.csv --lifetimes lifetimes.csv --occupancy-trace occupancy.csv >/dev/null || exit 99
  python3 -B "$abs_srcdir/tests/page.py" page.html report.json issues.csv lifetimes.csv occupancy.csv $options ||
    complain "$title"
}

same "dual issue and queues" "" vector-add --gpu gtx680 --occupancy 8 --blocks 8
same "stores that are queued at the end" "" ilp-latencies-store --gpu gtx980
grep -q '"drained": *"' page.html || complain "no stores are queued"
same "stores that are queued on SMs that share memory" "" vector-abs-negative --gpu h100-sxm --blocks 300
same "several blocks" "" vector-add --gpu gtx680 --blocks 64
same "repeats" "" volkov-mix --gpu gtx980 --occupancy 8 --set rounds=3 --blocks 256
same "barriers" "" lemeire-barrier --gpu simple --threads 128 --blocks 6 --occupancy 8
same "barriers that a warp does not come to" "" barrier-divergence --gpu gtx980 --blocks 80
same "distances" "" "$abs_srcdir/tests/golden/double-buffer.xml" --gpu simple --blocks 3 --occupancy 2
same "barriers with names" "" "$abs_srcdir/tests/golden/producer-consumer.xml" --gpu simple --blocks 5
same "dataflow order" "" lemeire-two-series --gpu simple --order dataflow --threads 64 --blocks 3
same "one of several SMs" "" vector-add --gpu gtx680 --sms 2 --blocks 64
cat >gpu.xml <<END
<gpu like="gtx980" name="draws">
  <pipeline name="memory" channels="9" channel-issue="26.4"/>
  <op name="ld.global" transactions="4"><spread at="0 50 100" add="0 8 200"/></op>
</gpu>
END
same "contended memory" "" volkov-mix --gpu gpu.xml --memory contended --set rounds=3 --occupancy 16 --blocks 512
# More than 2^53 ticks: plain numbers of a browser would be rounded.
cat >slow.xml <<END
<gpu name="slow">
  <device sms="1" clock-mhz="1000"/>
  <pipeline name="compute"/>
  <pipeline name="memory" kind="memory"/>
  <op name="add" pipeline="compute" issue="1/1999999973" completion="3000000"/>
  <op name="ld" pipeline="memory" issue="10000000" completion="100000"/>
</gpu>
END
cat >slow-kernel.xml <<END
<kernel name="slow-kernel">
  <launch blocks="4" threads="64"/>
  <program>
    <repeat count="3"><i id="a" op="ld" after="b"/><i id="b" op="add" after="a b"/></repeat>
  </program>
</kernel>
END
same "very many ticks" "" slow-kernel.xml --gpu slow.xml --occupancy 4
grep -q '"elapsed":"[0-9]\{17,\}"' page.html || complain "there are not very many ticks: $(grep -o '"elapsed":"[0-9]*"' page.html)"
same "curves that are thinned" --part volkov-mix --gpu gtx980 --blocks 40000 --set alpha=1 --set rounds=1 --no-skip
grep -q '"width":' page.html || complain "no curve is thinned"
same "a kernel of which a part is kept" --part vector-add --gpu gtx680 --blocks 40960
grep -q '"issues_until":' page.html || complain "all of a long run is kept"

# ---- Names ----

python3 - >names.xml <<'END'
name = "&lt;/script>&lt;script>alert(1)&lt;/script>&lt;!-- &amp; \\"
hostile = name + "&quot;\t,"
print(f'''<kernel name="{name}" title="{hostile}"><launch blocks="2" threads="32"/><program>
<i id="a" op="compute" text="{hostile}"/><i op="compute" after="a"/></program></kernel>''')
END
same "names that would end a script" "" names.xml --gpu simple

# ---- Windows ----

warpipe run vector-add --gpu gtx680 --occupancy 8 --blocks 8 --html page.html --from 40 --to 100 >/dev/null
python3 - <<'END' || complain "the window is not what was asked for"
import json, re, sys
record = json.loads(re.search(r'id="data">(.*?)</script>', open("page.html").read(), re.S).group(1))["runs"][0]["record"]
cycle = int(record["ticks_per_cycle"])
time = 0
for i, step in enumerate(record["issues"]["time"]):
    time += step
    instr = record["instrs"][str(record["issues"]["instr"][i])]
    complete = time + record["issues"]["start"][i] + instr["completion"]
    if time >= 100 * cycle or complete < 40 * cycle:
        sys.exit(f"an issue at {time / cycle} to {complete / cycle}")
sys.exit(not (0 < record["issues"]["n"] < 96 and record["issues"]["n"] == record["n_issues"]
              and record["from"] == str(40 * cycle) and record["to"] == str(100 * cycle)))
END

# Nothing after the window is simulated in detail; up to there all is as in the whole run.
warpipe run vector-add --gpu gtx680 --blocks 1600 --html whole.html >/dev/null || exit 99
timeout 20 warpipe run vector-add --gpu gtx680 --blocks 10000000000 --to 3000 --html page.html >/dev/null ||
  complain "a window at the beginning of a long run takes long"
python3 - <<'END' || complain "a window at the beginning shows something else than the whole"
import json, re, sys
whole, part = [json.loads(re.search(r'id="data">(.*?)</script>', open(name).read(), re.S).group(1))["runs"][0]["record"]
               for name in ("whole.html", "page.html")]
seen = int(part["seen"])
if seen < int(part["to"]) or not 0 < part["issues"]["n"] < whole["issues"]["n"]:
    sys.exit(f"seen up to {seen}")
for column in ("time", "instr", "ready", "accept", "since", "why", "start"):
    if part["issues"][column] != whole["issues"][column][:part["issues"]["n"]]:
        sys.exit(f"issues: {column}")
for column in ("slot", "start", "life"):
    if part["warps"][column] != whole["warps"][column][:part["warps"]["n"]]:
        sys.exit(f"warps: {column}")
time, n = 0, 0
while n < len(part["occupancy"]["time"]) and time + part["occupancy"]["time"][n] < seen:
    time += part["occupancy"]["time"][n]
    n += 1
if "width" in whole["occupancy"]:
    sys.exit("the whole is too long")
sys.exit(n < 10 or any(part["occupancy"][column][:n] != whole["occupancy"][column][:n] for column in ("time", "value")))
END

# ---- Where it goes ----

warpipe run vector-add --gpu gtx680 --blocks 8 --html - --format json >both.txt
test "$(head -n 1 both.txt)" = "<!DOCTYPE html>" && tail -n +2 both.txt | sed '1,/^<\/html>/d' | python3 -m json.tool >/dev/null ||
  complain "a page on standard output comes before the report"
warpipe run vector-add --gpu gtx680 --blocks 8 --html one.html >/dev/null
warpipe run vector-add --gpu gtx680 --blocks 8 --html two.html >/dev/null
cmp -s one.html two.html || complain "the same run makes another page"
warpipe compare vector-add --gpu gtx680 --policy rr,gty --blocks 64 --html compare.html >/dev/null || complain "compare: exit status $?"
python3 - <<'END' || complain "compare: two runs were expected"
import json, re, sys
data = json.loads(re.search(r'id="data">(.*?)</script>', open("compare.html").read(), re.S).group(1))
sys.exit([run["facts"]["label"] for run in data["runs"]] != ["rr", "gty"] or len(data["page"]["sentences"]) != 2)
END

# ---- Size: that of any other build than one with sanitizers ----

test -z "${SAN_CFLAGS-}" || exit $failed
warpipe run volkov-mix --gpu gtx980 --blocks 32768 --html page.html --format json >report.json
python3 - <<'END' || complain "a million issues"
import json, os, sys
size, issues = os.path.getsize("page.html"), json.load(open("report.json"))["instructions"]
sys.exit(f"{issues} issues, {size} bytes" if issues < 1000000 or size > 30000000 else 0)
END
exit $failed
