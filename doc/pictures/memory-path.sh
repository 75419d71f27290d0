#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws memory-path.svg, the picture of doc/memory.md. Usage: memory-path.sh, in this folder.
# Needs warpipe in the PATH.
set -eu

warpipe run ../examples/three-loads.xml --gpu ../examples/three-levels.xml --svg memory-path.svg
