#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads GraphML (standard input) as other programs would, and compares it with `warpipe bounds --format json` (the file named):
ids are declared and refer to what is there, values are of their key's type, and the critical path's edges, each as often as
it is taken, come to the latency of the slowest warp and the time to replace its block. Prints that length."""
import json
import sys
import xml.etree.ElementTree as ElementTree

SPACE = "{http://graphml.graphdrawing.org/xmlns}"
TYPES = {"string": str, "int": int, "long": int, "double": float,
         "boolean": {"true": True, "false": False}.__getitem__}


def read(element, keys):
    """The data of a node or an edge, except what yEd shows."""
    values = {}
    for data in element.findall(SPACE + "data"):
        owner, kind = keys[data.get("key")]
        assert SPACE + owner == element.tag, "key of " + owner
        if kind is not None:
            values[data.get("key")] = TYPES[kind](data.text)
        else:
            assert len(data) == 1, "one shape"
    return values


def main():
    root = ElementTree.parse(sys.stdin.buffer).getroot()
    assert root.tag == SPACE + "graphml", root.tag
    keys = {key.get("id"): (key.get("for"), key.get("attr.type")) for key in root.findall(SPACE + "key")}
    graph = root.find(SPACE + "graph")
    nodes = {node.get("id"): read(node, keys) for node in graph.findall(SPACE + "node")}
    assert len(nodes) == len(graph.findall(SPACE + "node")), "ids are unique"
    length = 0
    on_path = set()
    for edge in graph.findall(SPACE + "edge"):
        values = read(edge, keys)
        assert edge.get("source") in nodes and edge.get("target") in nodes, "an edge of what is there"
        assert values["distance"] in (0, 1) and (values["distance"] == 1) == ("carrier" in values)
        if values["times_on_path"] > 0:
            length += values["latency"] * values["times_on_path"]
            on_path |= {edge.get("source"), edge.get("target")}
    marked = {name for name, values in nodes.items() if values["on_path"]}
    assert on_path <= marked, "the nodes of the path's edges are on it"
    if len(sys.argv) > 1:
        with open(sys.argv[1], encoding="utf-8") as file:
            bounds = json.load(file)
        segment = bounds["segments"][bounds["critical_path"]["segment"]]
        expected = segment["latency"] + bounds["launch_latency"]
        if bounds["critical_path"]["begins"] == 0:
            assert abs(length - expected) <= 1e-6 * max(1, expected), (length, expected)
    print("%g" % length)


main()
