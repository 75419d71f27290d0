/* SPDX-License-Identifier: MIT */
/* A tensor map among the arguments, in the order of cuTensorMapEncodeTiled():
 *
 *   tensor_map(BUFFER, TYPE, {SIZES}, {BOX}[, SWIZZLE[, {STRIDES}]])
 *
 * SIZES of the array and of the BOX in elements, those that lie side by side first; SWIZZLE is 0,
 * 32, 64 or 128 bytes; STRIDES of all dimensions but the first are in bytes, and where they are
 * left out nothing lies between rows. */
#pragma once

#include "exec/launch/wp-launch-parser.h"

G_BEGIN_DECLS

/* What a launch calls it, and the name of its type (in the names of kernels CUtensorMap_st). */
#define WP_TENSOR_MAP_CALL "tensor_map"
#define WP_TENSOR_MAP_TYPE "CUtensorMap"

#define WP_TENSOR_MAP_ARGUMENTS 6 /* at most */

/* What to write for one, with a buffer A. */
#define WP_TENSOR_MAP_REST ", f32, {1024, 1024}, {32, 32})"
#define WP_TENSOR_MAP_EXAMPLE WP_TENSOR_MAP_CALL "(A" WP_TENSOR_MAP_REST

/* Makes a structure of its 128 bytes of the ARGUMENTS (of WpLaunchValue), which PARSER has just
 * read. NULL with the error. */
WpLaunchValue *wp_launch_make_tensor_map (WpLaunchParser *parser, const GPtrArray *arguments);

G_END_DECLS
