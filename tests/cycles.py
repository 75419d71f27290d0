# SPDX-License-Identifier: MIT
"""Cycles among the source files of a built tree.

Two graphs are measured on what was built, not on what a list says:

- by links: the file that uses a symbol -> the file that defines it, by nm over the objects of the
  own libraries and of the program. The generated Makefile says which objects there are, so that
  objects of older builds do not count.
- by includes: a unit -> the unit that it includes. NAME.c and NAME.h are one unit. NAME-private.h,
  which the files of a module share, is one of its own; that NAME.c includes it is no step of a way
  round, as it is NAME.c's own header, too.

cycles.py [--table] in the build folder, or with abs_srcdir and abs_builddir in the environment. It
ends with 1 where there is a cycle, and writes it out. --table also prints for each folder its
files, lines, and files in cycles.
"""

import collections
import os
import re
import subprocess
import sys

source_folder = (os.environ.get("abs_srcdir")
                 or os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
build_folder = os.environ.get("abs_builddir") or os.getcwd()
DEFINED = "TDBRVWCGSui"
UNDEFINED = "Uwv"
# Programs of these folders are above all others, and nothing links them.
ON_TOP = {"tests", "bench", "doc"}


def fail(message):
    print("cycles.py: " + message)
    sys.exit(1)


def find_sources():
    """The paths of the .c and .h files below each folder of the source tree with a local.mk."""
    found = []
    for top in sorted(os.listdir(source_folder)):
        if top in ON_TOP or not os.path.exists(os.path.join(source_folder, top, "local.mk")):
            continue
        for folder, _, files in os.walk(os.path.join(source_folder, top)):
            found += [os.path.relpath(os.path.join(folder, file), source_folder)
                      for file in files if file.endswith((".c", ".h"))]
    return sorted(found)


def find_text(path):
    """The text of a source, which may be one that the build has made."""
    for folder in source_folder, build_folder:
        name = os.path.join(folder, path)
        if os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                return file.read()
    fail("%s is neither in the source nor in the build folder" % path)


def read_targets():
    """Paths of the objects that the Makefile makes, without suffix: libraries', and programs'."""
    with open(os.path.join(build_folder, "Makefile"), encoding="utf-8") as file:
        lines = file.read().replace("\\\n", " ").split("\n")
    # Disabled lines of the Makefile begin with #. Of a library that is not built, as the module of
    # Python may be, the objects are listed all the same, but not where it goes; its name begins
    # theirs.
    text = "\n".join(line for line in lines if re.match(r"\w*(_OBJECTS|am__objects_\d+) *=", line))
    libraries = set(re.findall(r"([\w./-]+)\.lo\b", text))
    missing = tuple(re.findall(r"^#am_(\w+)_rpath =", "\n".join(lines), re.M))
    libraries = {path for path in libraries
                 if not any(name.endswith(os.path.basename(path).partition("-")[0]) for name in missing)}
    return libraries, set(re.findall(r"([\w./-]+)\.\$\(OBJEXT\)", text))


def find_source(target, known):
    """The source of an object. Automake puts libNAME_la- or PROGRAM- before the name of an object
    that is compiled with flags of its target's own."""
    folder, name = os.path.split(target)
    for base in name, name.partition("-")[2]:
        path = os.path.normpath(os.path.join(folder, base + ".c"))
        if base and (path in known or os.path.exists(os.path.join(build_folder, path))):
            return path
    return None


def find_object(target):
    """The file of an object: libtool keeps those of shared libraries in .libs."""
    folder, name = os.path.split(os.path.join(build_folder, target))
    for path in os.path.join(folder, ".libs", name + ".o"), os.path.join(folder, name + ".o"):
        if os.path.exists(path):
            return path
    return None


def find_objects(sources):
    """source -> object. Libraries come first: a test may compile some of their sources again."""
    objects = {}
    known = set(sources)
    libraries, programs = read_targets()
    for target in sorted(libraries) + sorted(programs):
        source = find_source(target, known)
        if source is None or source.split("/")[0] in ON_TOP or source in objects:
            continue
        path = find_object(target)
        if path is None:
            fail("%s is not built; make first" % target)
        objects[source] = path
    return objects


def read_symbols(objects):
    """source -> the names that its object defines, and those that it takes from others. One nm
    reads all of them: most of its time is its start."""
    nm = os.environ.get("NM", "nm").split()
    sources = {path: source for source, path in objects.items()}
    output = subprocess.run([*nm, "-A", *sources], check=True, capture_output=True, text=True).stdout
    symbols = {source: (set(), set()) for source in objects}
    for line in output.split("\n"):
        path, _, rest = line.rpartition(":")
        fields = rest.split()
        if len(fields) == 3 and fields[1] in DEFINED:
            symbols[sources[path]][0].add(fields[2])
        elif len(fields) == 2 and fields[0] in UNDEFINED:
            symbols[sources[path]][1].add(fields[1])
    return symbols


def link_graph(objects):
    symbols = read_symbols(objects)
    definers = collections.defaultdict(list)
    for source, (defined, _) in symbols.items():
        for name in defined:
            definers[name].append(source)
    graph = {source: collections.defaultdict(list) for source in objects}
    for source, (_, used) in symbols.items():
        for name in sorted(used):
            # What sanitizers put into every object belongs to none of them.
            if len(definers[name]) == 1 and definers[name][0] != source:
                graph[source][definers[name][0]].append(name)
    if sum(map(len, graph.values())) < len(graph) / 2:
        fail("nm finds hardly any symbol that one object takes from another")
    return graph


def include_graph(sources):
    known = set(sources)
    graph = {os.path.splitext(source)[0]: collections.defaultdict(list) for source in sources}
    for source in sources:
        unit = os.path.splitext(source)[0]
        for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', find_text(source), re.M):
            beside = os.path.normpath(os.path.join(os.path.dirname(source), name))
            path = name if name in known else beside
            target = os.path.splitext(path)[0]
            if path in known and target not in (unit, unit + "-private"):
                graph[unit][target].append(os.path.basename(source))
    return graph


def find_components(graph):
    """Strongly connected components of more than one node (Tarjan 1972), without recursion."""
    index, low, stack, on_stack, components = {}, {}, [], set(), []
    for root in graph:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(graph[root]))]
        while work:
            node, edges = work[-1]
            for target in edges:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(graph[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    cut = stack.index(node)
                    component = stack[cut:]
                    del stack[cut:]
                    on_stack.difference_update(component)
                    if len(component) > 1:
                        components.append(sorted(component))
    return components


def shortest_cycle(graph, component):
    """The shortest way from a node of the component back to itself, the first of several."""
    best = None
    for start in component:
        before = {start: None}
        queue = collections.deque([start])
        while queue:
            node = queue.popleft()
            if start in graph[node]:
                way = []
                while node is not None:
                    way.append(node)
                    node = before[node]
                if best is None or len(way) < len(best):
                    best = way[::-1]
                break
            for target in graph[node]:
                if target in component and target not in before:
                    before[target] = node
                    queue.append(target)
    return best


def report(what, graph, because):
    """Prints the cycles of a graph; returns the nodes in them."""
    inside = set()
    for component in find_components(graph):
        inside.update(component)
        way = shortest_cycle(graph, component)
        print("%d files form a cycle by %s; the shortest way round:" % (len(component), what))
        for node, target in zip(way, way[1:] + way[:1]):
            reasons = graph[node][target]
            shown = ", ".join(reasons[:4] + ["..."][:len(reasons) > 4])
            print("  %s -> %s (%s%s)" % (node, target, because, shown))
        if len(component) > len(way):
            print("  and in all: " + " ".join(component))
    return inside


def print_table(sources, linked, included):
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for source in sources:
        row = rows[os.path.dirname(source)]
        row[0] += 1
        row[1] += find_text(source).count("\n")
        row[2] += source in linked or os.path.splitext(source)[0] in included
    print("%-24s %6s %7s %10s" % ("folder", "files", "lines", "in cycles"))
    for folder, row in sorted(rows.items()):
        print("%-24s %6d %7d %10d" % (folder, *row))
    print("%-24s %6d %7d %10d" % ("all", *(sum(row[i] for row in rows.values()) for i in range(3))))


def main():
    if sys.argv[1:] not in ([], ["--table"]):
        sys.exit("usage: cycles.py [--table]")
    sources = find_sources()
    objects = find_objects(sources)
    left = [source for source in sources if source.endswith(".c") and source not in objects]
    linked = report("links", link_graph(objects), "")
    included = report("includes", include_graph(sources), "in ")
    if left:
        print("no objects here, so only their includes count: " + " ".join(left))
    if sys.argv[1:]:
        print_table(sources, linked, included)
    print("%d sources, %d objects: %d in cycles by links, %d units in cycles by includes" %
          (len(sources), len(objects), len(linked), len(included)))
    return 1 if linked or included else 0


sys.exit(main())
