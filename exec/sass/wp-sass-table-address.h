/* SPDX-License-Identifier: MIT */
/* Slots of addresses, and words, that the tables of loads, stores and atomics share. */
#pragma once

#include "exec/sass/wp-sass-table.h"

/* A signed offset of 24 bits. */
#define WP_OFFSET .offset = 40, .bits = 24

/* [R + offset]: LDG, STG, ATOMG and RED without a uniform register, shared and local memory. */
#define WP_ADDRESS MEMORY (.reg = 24, WP_OFFSET)

/* With a uniform register at bit UR (bit 91 is 1): up to sm_75 it is added. Since sm_80 bit 76 says
 * whether it is added, or is the descriptor of the access, which is not written before sm_90 where
 * bit 101 is 0. */
#define WP_GLOBAL_ADDRESS(UR) WP_GLOBAL_ADDRESS_AT (UR, WP_INDEX_64, WP_OFFSET)
#define WP_GLOBAL_ADDRESS_AT(UR, INDEX, ...)                                                       \
  MEMORY_WHEN (WP_UNTIL (75), .reg = 24, .uniform = UR, .index = INDEX, __VA_ARGS__),              \
      MEMORY_WHEN (WP_SUM, .reg = 24, .uniform = UR, .index = INDEX, __VA_ARGS__),                 \
      MEMORY_WHEN (WP_DESCRIPTOR, .reg = 24, .descriptor = UR, .index = INDEX, __VA_ARGS__),       \
      MEMORY_WHEN_2 (WP_OLD_DESCRIPTOR, WP_IS (101), .reg = 24, .descriptor = UR, .index = INDEX,  \
                     __VA_ARGS__),                                                                 \
      MEMORY_WHEN_2 (WP_OLD_DESCRIPTOR, WP_IS_NOT (101), .reg = 24, .index = INDEX, __VA_ARGS__)
#define WP_INDEX_64 ENUM (90, 1, U32, 64)
#define WP_SUM                                                                                     \
  {                                                                                                \
    .bit = 76, .width = 1, .set = 1, .since = 80                                                   \
  }
#define WP_DESCRIPTOR                                                                              \
  {                                                                                                \
    .bit = 76, .width = 1, .set = 2, .since = 90                                                   \
  }
#define WP_OLD_DESCRIPTOR                                                                          \
  {                                                                                                \
    .bit = 76, .width = 1, .set = 2, .since = 80, .until = 89                                      \
  }

/* [R.X4 + UR + offset] of shared memory, [R + UR + offset] of local memory. */
#define WP_SHARED_ADDRESS MEMORY (.reg = 24, WP_OFFSET, .index = WP_INDEX_SCALE)
#define WP_SHARED_ADDRESS_UR(UR)                                                                   \
  MEMORY (.reg = 24, .uniform = UR, WP_OFFSET, .index = WP_INDEX_SCALE)
#define WP_INDEX_SCALE ENUM (78, 2, NONE, X4, X8, X16)

/* What is loaded or stored, bits 73 to 75, and in how many registers. */
#define WP_SIZE ENUM (73, 3, U8, S8, U16, S16, NONE, 64, 128)
#define WP_SIZE_REGISTERS .count = WP_COUNT (73, 3, 1, 1, 1, 1, 1, 2, 4)
#define WP_EVICT ENUM (84, 3, EF, NONE, EL, LU, EU, NA)
#define WP_PREFETCH                                                                                \
  {                                                                                                \
    .bit = 68, .width = 2, .n = 4, .values = WP_VALUES (NONE, LTC64B, LTC128B, LTC256B),           \
    .when = WP_SINCE (75)                                                                          \
  }

/* Order and scope: since sm_80 a table of 16, of which FIFTH words stand for 4. */
#define WP_ORDER(FIFTH, FIFTH_SCOPE, FIFTH_PRIVATE)                                                \
  ENUM_WHEN (WP_SINCE (80), 77, 4, NONE, CONSTANT, CONSTANT, CONSTANT, FIFTH, STRONG, STRONG,      \
             STRONG, MMIO, CONSTANT, STRONG, CONSTANT, MMIO, CONSTANT, CONSTANT, CONSTANT),        \
      ENUM_WHEN (WP_SINCE (80), 77, 4, NONE, NONE, CTA, CTA, FIFTH_SCOPE, SM, GPU, GPU, GPU, SM,   \
                 SYS, SM, SYS, VC, VC, GPU),                                                       \
      ENUM_WHEN (WP_SINCE (80), 77, 4, NONE, PRIVATE, NONE, PRIVATE, FIFTH_PRIVATE, NONE, PRIVATE, \
                 NONE, NONE, NONE, NONE, PRIVATE, NONE, NONE, PRIVATE, NONE)
#define WP_ORDER_OLD(FIRST)                                                                        \
  ENUM_WHEN (WP_UNTIL (75), 79, 2, FIRST, NONE, STRONG, MMIO),                                     \
      ENUM_WHEN (WP_UNTIL (75), 77, 2, CTA, SM, GPU, SYS), FLAG_WHEN (76, PRIVATE, WP_UNTIL (75))
#define WP_LOAD_ORDER WP_ORDER_OLD (CONSTANT), WP_ORDER (CONSTANT, NONE, NONE)
#define WP_STORE_ORDER WP_ORDER_OLD (BAD), WP_ORDER (STRONG, SM, PRIVATE)
