#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What people and crashes do to a table that `warpipe sweep --resume` is to go on with.

Each attack of the tables below changes the table, or what lies beside it, or the command. Then the sweep either makes the
whole table of it, byte for byte, or refuses with status 1 and one line, and leaves the file as it is. The last attacks come
while rows are written: the sweep ends with status 3 and one line, and what it had found is there.

    resume.py GPU.xml    (in an empty folder; GPU.xml: one on which a long run cannot be skipped through)"""
import concurrent.futures
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time

GPU = os.path.abspath(sys.argv[1])
SWEEP = ["sweep", "vector-add", "--gpu", "gtx980", "--blocks", "1-12", "--cores", "1"]
SEEDS = ["sweep", "volkov-mix", "--gpu", "gtx980", "--blocks", "4", "--occupancy", "4", "--memory", "contended", "--no-limits",
         "--seed", "1-6", "--cores", "1"]
SLOW = ["sweep", "volkov-mix", "--gpu", GPU, "--memory", "contended", "--no-limits", "--blocks", "64", "--cores", "1"]
AHEAD = SLOW + ["--set", "rounds=2000000000,1-20", "--cores", "2"]
SLOW = SLOW + ["--set", "rounds=1-20,2000000000"]


def warpipe(words):
    return subprocess.run(["warpipe", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)


table = warpipe(SWEEP).stdout.encode()
lines = table.splitlines(keepends=True)
header = lines[0].decode().rstrip("\n").split(",")
n_rows = len(lines) - 1
start = [sum(map(len, lines[:i])) for i in range(len(lines) + 1)]  # where a line begins
failures = []

# ---- A table that was changed before ----

WHOLE, OTHER = None, "this file was not made by this sweep"
CHANGED, MOVED, ENDS = "this row has been changed", "a row that is out of order", "other line ends"
STRANGE = "no row of this sweep"
SYSTEM = ("Is a directory", "Too many levels")


def cell(line, column, text):
    """The table with another TEXT in a cell of LINE; a function: what it makes of the cell's."""
    cells = lines[line].decode().rstrip("\n").split(",")
    at = header.index(column)
    cells[at] = text(cells[at]) if callable(text) else text
    return edit(line, (",".join(cells) + "\n").encode())


def edit(line, text):
    return b"".join([*lines[:line], text, *lines[line + 1:]])


def order(*numbers):
    return lines[0] + b"".join(lines[i] for i in numbers)


def another(digit):
    return "%x" % ((int(digit, 16) + 1) % 16)


rows = list(range(1, n_rows + 1))
check = lines[7].rindex(b",") + 1  # where the sum begins in its row
digest = lines[7].rindex(b",", 0, check - 1) + 1
attacks = [
    # Torn by a crash, at each kind of place.
    *(("cut off after %d bytes" % n, table[:n], WHOLE) for n in
      (0, 1, 50, start[1] - 1, start[1], start[1] + 1, start[1] + 2, start[1] + 30, start[2] - 1, start[2])),
    *(("row 7 cut off after %d bytes" % n, table[:start[7] + n], WHOLE) for n in
      (1, 2, 9, digest - 1, digest, digest + 4, check - 1, check, check + 4, len(lines[7]) - 1)),
    ("the last row cut off", table[:-1], WHOLE),
    ("nothing left to do", table, WHOLE),
    ("zeros after the header", lines[0] + bytes(512), WHOLE),
    ("zeros after row 6", table[:start[7]] + bytes(4096) + b"\n", WHOLE),
    ("zeros in row 6", table[:start[6] + 40] + bytes(512), WHOLE),
    ("zeros, and rows after them", table[:start[6] + 40] + bytes(512) + b"".join(lines[8:]), WHOLE),
    # Rows moved, lost and twice.
    ("the first rows swapped", order(2, 1, *rows[2:]), MOVED),
    ("rows 6 and 7 swapped", order(1, 2, 3, 4, 5, 7, 6, 8), MOVED),
    ("sorted the other way round", order(*reversed(rows)), MOVED),
    ("sorted as text", order(*sorted(rows, key=str)), MOVED),
    ("the first row lost", order(*rows[1:]), MOVED),
    ("row 6 lost", order(*rows[:5], *rows[6:]), MOVED),
    ("row 6 twice", order(1, 2, 3, 4, 5, 6, 6, 7), MOVED),
    ("all rows twice", table + b"".join(lines[1:]), MOVED),
    ("the header twice", lines[0] + table, OTHER),
    ("the header lost", b"".join(lines[1:]), OTHER),
    # Edited cells.
    ("a figure", cell(6, "cycles", lambda text: text + "0"), CHANGED),
    ("a figure of the first row", cell(1, "ipc", "1"), CHANGED),
    ("a figure of the last row", cell(n_rows, "time_us", "1.5"), CHANGED),
    ("a figure left out", cell(6, "warps", ""), CHANGED),
    ("a figure that was empty", cell(6, "set_n" if "set_n" in header else "error", "refused"), CHANGED),
    ("a name", cell(6, "kernel", "vector-sub"), CHANGED),
    ("digits written otherwise", cell(6, "cycles", lambda text: text + ".0"), CHANGED),
    ("a blank", cell(6, "warps", lambda text: " " + text), CHANGED),
    ("quotes", cell(6, "warps", lambda text: '"%s"' % text), CHANGED),
    ("figures of row 5 in row 6", edit(6, lines[5].replace(b"5,", b"6,", 1)), CHANGED),
    ("two figures swapped", edit(6, re.sub(rb"(ideal,[^,]*,[^,]*),([^,]*),([^,]*)", rb"\1,\3,\2", lines[6])), CHANGED),
    ("a cell more", edit(6, lines[6].replace(b",ideal,", b",ideal,,")), CHANGED),
    ("a cell less", edit(6, lines[6].replace(b",,", b",", 1)), CHANGED),
    ("another number", cell(6, "row", "7"), CHANGED),
    ("a number with 0", cell(6, "row", "06"), CHANGED),
    ("a number with a sign", cell(6, "row", "+6"), CHANGED),
    ("no number", cell(6, "row", ""), CHANGED),
    ("a number beyond the table", cell(n_rows, "row", str(n_rows + 1)), CHANGED),
    ("the sum", cell(6, "check", lambda text: another(text[0]) + text[1:]), CHANGED),
    ("the sum in capitals", cell(6, "check", "ABCDEF01"), CHANGED),
    ("the digest of a row", cell(6, "sweep", lambda text: another(text[0]) + text[1:]), CHANGED),
    ("the digest of all rows", lines[0] + b"".join(re.sub(rb".{16},(.{8}\n)", rb"0123456789abcdef,\1", line) for line in lines[1:]),
     OTHER),
    ("of an earlier version", b"".join(re.sub(rb",(\w+),(\w+)\n", rb",\2,\1\n", line) for line in lines), "an earlier version"),
    ("a sum with a digit less", cell(6, "check", lambda text: text[1:]), CHANGED),
    ("a name in the header", edit(0, lines[0].replace(b"cycles", b"Cycles", 1)), OTHER),
    ("a byte that is no text", edit(6, lines[6].replace(b"ideal", b"id\xffal")), CHANGED),
    # Saved by another program.
    ("CR LF", table.replace(b"\n", b"\r\n"), ENDS),
    ("CR LF in the rows", lines[0] + b"".join(lines[1:]).replace(b"\n", b"\r\n"), ENDS),
    ("CR LF in one row", edit(6, lines[6].replace(b"\n", b"\r\n")), ENDS),
    ("CR", table.replace(b"\n", b"\r"), ENDS),
    ("a byte order mark", b"\xef\xbb\xbf" + table, "byte order mark"),
    ("UTF-16", table.decode().encode("utf-16"), OTHER),
    ("semicolons", table.replace(b",", b";"), OTHER),
    ("tabulators", table.replace(b",", b"\t"), OTHER),
    ("an empty line after row 6", edit(6, lines[6] + b"\n"), CHANGED),
    ("an empty line at the end", table + b"\n", CHANGED),
    ("an empty line at the beginning", b"\n" + table, OTHER),
    ("a remark at the end", table + b"these are good\n", CHANGED),
    ("a remark without a line's end", table[:start[7]] + b"to be done", CHANGED),
    ("a remark that begins with a number", table[:start[7]] + b"12,", STRANGE),
    ("a number after the last row", table + b"13", STRANGE),
    ("another kind of file", b"\x7fELF\x02\x01\x01" + bytes(900), OTHER),
    ("a letter", b"Dear reader,\n", OTHER),
]


def run(title, words, folder, name, expected, message, kept):
    """Runs the sweep on NAME in FOLDER: it must make EXPECTED of it, or say MESSAGE and keep the bytes of KEPT."""
    path = os.path.join(folder, name)
    before = {file: open(os.path.join(folder, file), "rb").read() for file in kept}
    names = set(os.listdir(folder))
    done = warpipe([*words, "--resume", path])
    if message is WHOLE:
        if done.returncode != 0:
            return failures.append("%s: status %d: %s" % (title, done.returncode, done.stderr.strip()))
        if open(path, "rb").read() != expected:
            return failures.append(title + ": another table")
        if os.path.exists(path + ".ahead"):
            failures.append(title + ": rows that waited are still there")
        return None
    said = done.stderr.splitlines()
    status = 3 if message in SYSTEM else 1
    if done.returncode != status or done.stdout:
        failures.append("%s: status %d, expected %d: %s" % (title, done.returncode, status, done.stderr.strip()))
    elif len(said) != 1 or not said[0].startswith("warpipe: ") or not re.search(message, said[0]):
        failures.append("%s: it says %r, expected %r" % (title, done.stderr, message))
    for file, content in before.items():
        if open(os.path.join(folder, file), "rb").read() != content:
            failures.append("%s: %s was changed" % (title, file))
    if set(os.listdir(folder)) != names:
        failures.append("%s: files came or went: %s" % (title, sorted(names ^ set(os.listdir(folder)))))
    return None


def make_folder(number):
    folder = "a%d" % number
    os.mkdir(folder)
    return folder


def attack_table(number, title, content, message):
    folder = make_folder(number)
    with open(os.path.join(folder, "t.csv"), "wb") as file:
        file.write(content)
    run(title, SWEEP, folder, "t.csv", table, message, ["t.csv"])


# ---- What is no file, other commands, rows that wait ----


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def fifo(folder):
    os.mkfifo(folder + "/t.csv")


def in_folder(folder):
    os.mkdir(folder + "/t.csv")


def link(target):
    return lambda folder: os.symlink(target, folder + "/t.csv")


def link_to_table(folder):
    write(folder + "/real.csv", table[:start[5]])
    os.symlink("real.csv", folder + "/t.csv")


def loop(folder):
    os.symlink("t.csv", folder + "/t.csv")


def ahead(content, before=None):
    def make(folder):
        write(folder + "/t.csv", table[:start[4]] if before is None else before)
        write(folder + "/t.csv.ahead", content)
    return make


def ahead_is(make):
    def do(folder):
        write(folder + "/t.csv", table[:start[4]])
        make(folder + "/t.csv.ahead")
    return do


def some(folder):
    write(folder + "/t.csv", table[:start[5]])


def locked(folder):
    some(folder)
    holders.append(open(folder + "/t.csv"))
    fcntl.flock(holders[-1], fcntl.LOCK_EX)


links = [link("real.csv"), link_to_table, link("/dev/null"), loop]
holders = []
ELSE = "holds something else"
places = [
    ("nothing there", lambda folder: None, SWEEP, WHOLE),
    ("a link to nothing", links[0], SWEEP, WHOLE),
    ("a link to the table", link_to_table, SWEEP, WHOLE),
    ("a FIFO", fifo, SWEEP, "only a regular file"),
    ("a folder", in_folder, SWEEP, "Is a directory"),
    ("a device", links[2], SWEEP, "only a regular file"),
    ("a link in a circle", loop, SWEEP, "Too many levels"),
    ("another process", locked, SWEEP, "another warpipe is writing"),
    ("another kernel", some, ["sweep", "volkov-mix", *SWEEP[2:]], OTHER),
    ("another GPU", some, [word.replace("gtx980", "gtx680") for word in SWEEP], OTHER),
    ("another list", some, [word.replace("1-12", "1-13") for word in SWEEP], OTHER),
    ("other limits", some, [*SWEEP, "--no-limits"], OTHER),
    ("the same list, spelled", some, [word.replace("1-12", "1,2,3,4-12") for word in SWEEP], WHOLE),
    ("waiting rows", ahead(b"".join(lines[6:9])), SWEEP, WHOLE),
    ("waiting rows twice", ahead(2 * b"".join(lines[6:9])), SWEEP, WHOLE),
    ("waiting rows that are there", ahead(b"".join(lines[1:])), SWEEP, WHOLE),
    ("waiting rows in any order", ahead(b"".join(reversed(lines[1:]))), SWEEP, WHOLE),
    ("waiting rows without a table", ahead(b"".join(lines[6:9]), b""), SWEEP, WHOLE),
    ("a waiting row that is torn", ahead(lines[6] + lines[7][:50]), SWEEP, WHOLE),
    ("waiting rows, then zeros", ahead(lines[6] + bytes(512)), SWEEP, WHOLE),
    ("waiting zeros", ahead(bytes(4096)), SWEEP, WHOLE),
    ("nothing waiting", ahead(b""), SWEEP, WHOLE),
    ("a waiting row that was changed", ahead(lines[6] + lines[7].replace(b"ideal", b"Ideal")), SWEEP, CHANGED),
    ("a waiting row with CR LF", ahead(lines[6].replace(b"\n", b"\r\n")), SWEEP, ELSE),
    ("the table where rows wait", ahead(table), SWEEP, ELSE),
    ("a letter where rows wait", ahead(b"Dear reader,\n"), SWEEP, ELSE),
    ("a word where rows wait", ahead(b"Dear"), SWEEP, ELSE),
    ("another kind of file where rows wait", ahead(b"\x7fELF" + bytes(900) + b"\n"), SWEEP, ELSE),
    ("a FIFO where rows wait", ahead_is(os.mkfifo), SWEEP, "regular file"),
    ("a folder where rows wait", ahead_is(os.mkdir), SWEEP, "Is a directory"),
    ("a link in a circle where rows wait", ahead_is(lambda path: os.symlink("t.csv.ahead", path)), SWEEP, "Too many levels"),
]


def attack_place(number, title, make, words, message):
    folder = make_folder(number)
    make(folder)
    kept = [name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name))]
    run(title, words, folder, "t.csv", table, message, kept)
    if os.path.islink(folder + "/t.csv") != (make in links):
        failures.append(title + ": the link was replaced")


def attack_seeds(number):
    """Means stand in the last row of a combination, and are filled in when it takes its place."""
    whole = warpipe(SEEDS).stdout.encode()
    parts = whole.splitlines(keepends=True)
    folder = make_folder(number)
    for n in (1, 4, len(parts)):
        write(folder + "/t.csv", b"".join(parts[:n]))
        run("seeds, %d lines" % n, SEEDS, folder, "t.csv", whole, WHOLE, [])
    at = parts[0].decode().split(",").index("ipc_mean")
    cells = parts[-1].decode().split(",")
    cells[at] += "1"
    write(folder + "/t.csv", b"".join(parts[:-1]) + ",".join(cells).encode())
    run("a mean", SEEDS, folder, "t.csv", whole, CHANGED, ["t.csv"])


# ---- While it runs ----


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def replace(path):
    write(path + ".new", b"Dear reader,\n")
    os.rename(path + ".new", path)


def save_again(path):
    """As most editors do: another file with the same bytes."""
    write(path + ".new", read(path))
    os.rename(path + ".new", path)


def append(path):
    with open(path, "ab") as file:
        file.write(b"a remark\n")


def edit_in_place(path):
    with open(path, "r+b") as file:
        file.seek(read(path).index(b"contended"))
        file.write(b"CONTENDED")


def empty(path):
    os.truncate(path, 0)


def folder_instead(path):
    os.remove(path)
    os.mkdir(path)


def fifo_instead(path):
    os.remove(path)
    os.mkfifo(path)


GONE, WRITTEN, GOES_ON = "removed or replaced", "someone else has written", None
meanwhile = [
    ("the table removed", SLOW, "", os.remove, GONE),
    ("the table replaced", SLOW, "", replace, GONE),
    ("the table saved again", SLOW, "", save_again, GONE),
    ("the table moved away", SLOW, "", lambda path: os.rename(path, path + ".old"), GONE),
    ("a folder in the table's place", SLOW, "", folder_instead, GONE),
    ("a remark in the table", SLOW, "", append, WRITTEN),
    ("a cell of the table edited", SLOW, "", edit_in_place, WRITTEN),
    ("the table emptied", SLOW, "", empty, WRITTEN),
    ("the table touched", SLOW, "", os.utime, GOES_ON),
    ("rights of the table", SLOW, "", lambda path: os.chmod(path, 0o640), GOES_ON),
    ("waiting rows removed", AHEAD, ".ahead", os.remove, GOES_ON),
    ("a FIFO in place of waiting rows", AHEAD, ".ahead", fifo_instead, "regular file"),
    ("a remark in waiting rows", AHEAD, ".ahead", append, WRITTEN),
    ("the table removed while rows wait", AHEAD, "", os.remove, GONE),
]


def attack_running(number, title, words, suffix, do, message):
    folder = make_folder(number)
    path = folder + "/t.csv"
    child = subprocess.Popen(["warpipe", *words, "--resume", path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    try:
        attack_child(child, title, words, path, suffix, do, message)
    finally:
        child.kill()
        child.wait()


def wait_until(what, child):
    while child.poll() is None and not what():
        time.sleep(0.01)


def attack_child(child, title, words, path, suffix, do, message):
    grows = path + (".ahead" if words is AHEAD else "")
    full = 20 if words is AHEAD else 21
    wait_until(lambda: read(grows).count(b"\n") == full, child)
    # What someone writes before the sweep has looked at the time of its own last write is only found by --resume.
    wait_until(lambda: time.time() - os.stat(path + suffix).st_mtime > 1, child)
    had, waited = read(path), read(path + ".ahead")
    do(path + suffix)
    changed = read(path) if os.path.isfile(path) else b""
    if message is GOES_ON:
        if suffix:  # it is made anew by the next sync
            wait_until(lambda: read(path + suffix) == waited, child)
        else:
            began = os.times().elapsed
            wait_until(lambda: os.times().elapsed - began > 1.5, child)  # three syncs
        child.send_signal(signal.SIGTERM)
    said = child.communicate(timeout=120)[1]
    expected = 143 if message is GOES_ON else 1 if "rows" in title and "table" not in title else 3
    if child.returncode != expected:
        failures.append("%s: status %d, expected %d: %s" % (title, child.returncode, expected, said))
    if message is not GOES_ON and (said.count("\n") != 1 or message not in said):
        failures.append("%s: it says %r" % (title, said))
    saved = path + ".saved" if message is GONE else path
    if message in (GONE, GOES_ON) and (read(saved) != had or read(saved + ".ahead") != waited):
        failures.append("%s: %s does not have what there was" % (title, saved))
    if message is GONE and saved not in said:
        failures.append("%s: it does not say where its rows are: %s" % (title, said))
    if os.path.isfile(path) and read(path) != changed:
        failures.append("%s: what someone else has written was changed" % title)
    if message not in (GONE, GOES_ON):
        return
    child = subprocess.Popen(["warpipe", *words, "--resume", saved], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    wait_until(lambda: has_locked(child), child)
    child.send_signal(signal.SIGTERM)
    said = child.communicate(timeout=120)[1]
    if child.returncode != 143 or "has 20 of 21 rows" not in said:
        failures.append("%s: not resumed: status %d: %s" % (title, child.returncode, said))


def has_locked(child):
    """Asked of the kernel, since whoever tries the lock has it for a moment."""
    folder = "/proc/%d/fdinfo" % child.pid
    try:
        return any(b"FLOCK" in read(folder + "/" + name) for name in os.listdir(folder))
    except OSError:
        return False


def main():
    jobs = [(attack_table, *attack) for attack in attacks]
    jobs += [(attack_place, *place) for place in places] + [(attack_seeds,)]
    jobs += [(attack_running, *attack) for attack in meanwhile]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(job[0], number, *job[1:]) for number, job in enumerate(jobs)]
        for future in futures:
            future.result()
    for failure in failures:
        print(failure)
    print("%d attacks" % len(jobs))
    for holder in holders:
        holder.close()
    sys.exit(bool(failures))


main()
