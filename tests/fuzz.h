/* SPDX-License-Identifier: MIT */
/* The entry of a fuzz target, as libFuzzer calls it; fuzz-main.c calls it the same way for files.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
