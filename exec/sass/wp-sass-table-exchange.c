/* SPDX-License-Identifier: MIT */
/* What lanes of a warp exchange: shuffles, votes, matches, reductions. Encodings: Mesa's NAK
 * (sm70_encode.rs) and the text of each instruction with its bits changed one by one. */
#include "exec/sass/wp-sass-table.h"

/* The lane and the mask are a register or an immediate each. */
#define LANE_IMMEDIATE IMM (53, 5)
#define MASK_IMMEDIATE IMM (40, 13)
#define SHFL(CODE, LANE, MASK)                                                                     \
  {                                                                                                \
    .op = WP_SASS_SHFL, .code = CODE, .words = WORDS (ENUM (58, 2, IDX, UP, DOWN, BFLY)),          \
    .slots = SLOTS (PRED_DEST (81), REG_DEST (), REG_A (), LANE, MASK)                             \
  }

const WpSassRow wp_sass_rows_exchange[] = {
  SHFL (0x389, REG (32), REG (64)),
  SHFL (0x589, REG (32), MASK_IMMEDIATE),
  SHFL (0x989, LANE_IMMEDIATE, REG (64)),
  SHFL (0xf89, LANE_IMMEDIATE, MASK_IMMEDIATE),
  { .op = WP_SASS_VOTE,
    .code = 0x806,
    .words = WORDS (ENUM (72, 2, ALL, ANY, EQ)),
    .slots = SLOTS (REG_DEST (.omit = WP_OMIT_RZ), PRED_DEST (81), PRED (87)) },
  { .op = WP_SASS_VOTEU,
    .code = 0x886,
    .since = 75,
    .words = WORDS (ENUM (72, 2, ALL, ANY, EQ)),
    .slots = SLOTS (UREG_DEST (.omit = WP_OMIT_RZ), UPRED_DEST (81), PRED (87)) },
  { .op = WP_SASS_MATCH,
    .code = 0x3a1,
    .words = WORDS (UNLESS (79, ALL), FLAG (79, ANY), FLAG (73, U64)),
    .slots = SLOTS (PRED_DEST (81, .when = WP_IS_NOT (79)), REG_DEST (),
                    REG_A (.count = WP_COUNT (73, 1, 1, 2))) },
  { .op = WP_SASS_REDUX,
    .code = 0x3c4,
    .since = 80,
    .words = WORDS (ENUM (78, 3, NONE, OR, XOR, SUM, MIN, MAX), FLAG (73, S32)),
    .slots = SLOTS (UREG_DEST (), REG_A ()) },
  { .op = WP_SASS_CREDUX,
    .code = 0x2cc,
    .since = 100,
    .words
    = WORDS (ENUM (78, 2, MAX, MAXABS, MIN, MINABS), ENUM (73, 2, NONE, S32, F32), FLAG (77, NAN)),
    .slots = SLOTS (UREG_DEST (), REG_A ()) },
  { .op = WP_SASS_ELECT,
    .code = 0x82f,
    .since = 90,
    .words = WORDS (FLAG (85, IGNOREKILL)),
    .slots = SLOTS (PRED_DEST (81), UREG_DEST (), PRED (87, .when = WP_IS_NOT (91)),
                    UREG (32, .when = WP_IS (91))) },
  { 0 },
};
