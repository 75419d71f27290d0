/* SPDX-License-Identifier: MIT */
/* How the addresses that a warp's lanes access turn into transactions of global memory and passes
 * of shared memory, and which context an instruction of a kernel gets from that.
 *
 * This module knows no GPU, only the rules of each generation. They are those of V. Volkov,
 * Understanding Latency Hiding on GPUs, 2016, sections 2.5, 2.6 and table 2.5; what he leaves open
 * is taken from NVIDIA's CUDA C Programming Guide (4.2, sections F.3.2, F.3.3, F.4.2 to F.5.3).
 * There are no caches: each byte comes from memory. Plain C11; no GLib, no allocation, no state. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "idg/kernel/idg-macros.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IDG_LANES 32 /* lanes of a warp */
/* The most bytes that a lane can access in one instruction. Real GPUs allow 16 or 32. */
#define IDG_MAX_LANE_BYTES 32
/* The most transactions that one access of a warp takes: two sectors for each lane, when the
 * addresses are not aligned. */
#define IDG_MAX_TRANSACTIONS 64

/* One memory access: one instruction of one warp. If `bytes` is above IDG_MAX_LANE_BYTES, it counts
 * as IDG_MAX_LANE_BYTES; if it is 0, nothing is accessed. */
typedef struct
{
  uint32_t mask;                 /* lanes that take part: bit 0 is lane 0 */
  uint32_t bytes;                /* that each lane accesses, 1 to IDG_MAX_LANE_BYTES */
  uint64_t addresses[IDG_LANES]; /* of each lane's first byte, aligned or not; ignored for lanes
                                  * outside of `mask` */
} IdgAccess;

/* ---- Global memory ---- */

typedef enum
{
  /* Each half-warp is served by itself. If lane k accesses word k of an aligned segment, of words
   * of 4, 8 or 16 bytes (aligned to 64 bytes for words of 4, else to 128), the access takes one
   * transaction of 64 bytes, one of 128 or two of 128 (one if only half of them is accessed).
   * Otherwise it takes one transaction of 32 bytes for each lane. Compute capability 1.0 and 1.1.
   */
  IDG_RULES_G80,
  /* Each half-warp is served by itself. Starting with the first lane, one transaction serves the
   * segment that contains its address (32 bytes for words of 1 byte, 64 for 2, else 128) and all
   * other lanes whose addresses are in that segment. It shrinks to 64 or 32 bytes if one half of it
   * is enough. Compute capability 1.2 and 1.3. */
  IDG_RULES_GT200,
  /* One transaction for each line of 128 bytes that is accessed. Compute capability 2.x; later GPUs
   * look up cache tags by line. */
  IDG_RULES_FERMI,
  /* One transaction for each sector of 32 bytes that is accessed. Compute capability 3.0 and later.
   */
  IDG_RULES_LATER,
  IDG_N_RULES
} IdgRules;

/* Returns "g80", "gt200", "fermi" or "later" (static). */
IDG_API const char *idg_rules_get_name (IdgRules rules);

typedef struct
{
  uint64_t address;
  uint32_t bytes; /* 32, 64 or 128 */
  uint32_t lanes; /* mask of the lanes that it serves, at least in part */
} IdgTransaction;

/* Writes the transactions of ACCESS under RULES into TRANSACTIONS and returns their number: the
 * number of sectors for IDG_RULES_LATER, of lines for IDG_RULES_FERMI. They are sorted by address,
 * except that those of G80 and GT200 are in the order in which the hardware makes them. Addresses
 * do not wrap around at 2^64: bytes beyond it are ignored. Cost: at most 64 x 64 steps. */
IDG_API uint32_t idg_coalesce (const IdgAccess *access, IdgRules rules,
                               IdgTransaction transactions[IDG_MAX_TRANSACTIONS]);

/* ---- Shared memory ---- */

typedef struct
{
  uint32_t banks; /* 32, or 16: then the two half-warps are served one after the other */
  uint32_t width; /* in bytes: 4 or 8 */
} IdgBanks;

/* Parses TEXT, one of "32x4" (Fermi, Maxwell and later), "16x4" (G80, GT200) and "32x8" (Kepler),
 * all from table 2.5. Returns false, and leaves BANKS alone, if TEXT is anything else. */
IDG_API bool idg_banks_parse (const char *text, IdgBanks *banks);

/* The most words that one access of a warp takes: with 4 bytes of a lane served at a time, and each
 * 4 bytes split over two words. */
#define IDG_MAX_WORDS (IDG_LANES * IDG_MAX_LANE_BYTES / 2)

/* One word that a bank delivers in one pass. */
typedef struct
{
  uint64_t address; /* of the word's first byte */
  uint32_t bank;
  uint32_t part, pass; /* both from 0; a part begins when the one before it is finished */
  uint32_t lanes;      /* mask of the lanes that get it */
} IdgWord;

typedef struct
{
  uint32_t degree; /* of the worst conflict: how many words one bank must deliver within one part; 1
                    * means no conflict */
  uint32_t passes; /* summed over all parts; with 16 banks, an access without conflicts takes two */
  uint32_t factor; /* how many times the passes of a conflict-free access of 4 bytes a lane; with 16
                    * banks, of the half-warp that takes more */
  uint32_t parts, lanes_of_part; /* parts include those in which no lane is active */
} IdgConflict;

/* Returns what ACCESS to shared memory costs on BANKS. If no lane is active, all members but
 * `parts` and `lanes_of_part` are 0. WORDS, unless NULL, receives all words, part by part, and
 * N_WORDS their number. Cost: at most about 500 x 100 steps.
 *
 * In one pass, a bank delivers one word of its width to all lanes that access any part of that
 * word. If the lanes together access more than the banks deliver in a pass, they are served in
 * parts: with 32 banks by half-warps, quarter-warps and so on; with 16 banks, the first 4 bytes of
 * each lane, then the next 4, and so on (there, an access of 8 bytes is compiled into two of 4).
 *
 * Three details are not modelled: G80 and GT200 broadcast only one word in a pass, and it is not
 * published which one; Fermi needs another pass for each 16 bytes a lane; Kepler can also number
 * its banks by 4 bytes. */
IDG_API IdgConflict idg_coalesce_shared (const IdgAccess *access, const IdgBanks *banks,
                                         IdgWord words[IDG_MAX_WORDS], uint32_t *n_words);

/* ---- Contexts ---- */

typedef enum
{
  IDG_SPACE_NONE, /* the cost does not depend on addresses (ld.param, ld.const, ld.local), or this
                   * is no memory access */
  IDG_SPACE_GLOBAL,
  IDG_SPACE_SHARED,
} IdgSpace;

/* Returns the memory space of OP, a canonical PTX name, if its cost depends on the lanes'
 * addresses. The dotted parts decide: ".global" or ".shared" anywhere in the name
 * ("ld.global.v4.f32", "atom.shared.add.u32", "ld.shared::cta.b32"). A generic "ld", "st", "atom"
 * or "red" without a space counts as global. */
IDG_API IdgSpace idg_coalesce_get_space (const char *op);

#define IDG_CONTEXT_CHARS 24

/* Writes the context of an access to global memory into CONTEXT. Returns FALSE, with CONTEXT "", if
 * it needs none because the op's own cost fits.
 *
 * The op's own cost is that of 128 bytes, four sectors, however many lanes access them. Other
 * numbers of sectors get "sectors-N", counted by IDG_RULES_LATER, because a kernel knows no GPU:
 * half a warp that reads 64 bytes gets sectors-2, a full warp that reads 16 bytes a lane gets
 * sectors-16.
 *
 * GPU descriptions charge each sector by its bytes, a quarter of the op's issue cost c. A fully
 * divergent access, however, costs what Volkov measured, 28 to 33 c (56 c on GT200), as if each
 * sector cost the 128 bytes of its line (section 6.7). By that measure, an unstructured access that
 * touches L lines costs L c. "random" (32 c) is proportionally nearer to L c than sectors-N (N c /
 * 4) if L / (N / 4) > 32 / L, that is, if L x L > 8 N. Examples: 32 lanes in 32 lines, 1024 > 256,
 * random; 32 lanes within 4 KB, 20 lines and 28 sectors on average, 400 > 224, random; eight active
 * lanes in eight lines, sectors-8; a gather of sorted indices that touches 28 sectors in 10 lines,
 * sectors-28.
 *
 * An access is unstructured if more than half of the distances between consecutive active lanes are
 * distinct. A stride, a tile of rows or two strides have few distinct distances, and several warps
 * together often use their lines in full: they get sectors-N.
 *
 * The difference matters. The random case of Volkov's permutation (section 3.10) needs 6% to 15%
 * occupancy as measured. With sectors-32, its throughput would fall only by a factor of 3.3, and it
 * would need more than a quarter of the occupancy of the coalesced case. */
IDG_API bool idg_coalesce_get_global_context (const IdgAccess *access,
                                              char context[IDG_CONTEXT_CHARS]);

/* Writes the context of an access to shared memory into CONTEXT: "conflict-N", where N is the
 * conflict's factor (2 for 8 bytes a lane without conflicts on banks of 4 bytes, since descriptions
 * give the cost of 128 bytes). Returns FALSE, with CONTEXT "", if the factor is at most 1. */
IDG_API bool idg_coalesce_get_shared_context (const IdgAccess *access, const IdgBanks *banks,
                                              char context[IDG_CONTEXT_CHARS]);

/* Calls the one of the two functions above that the space of OP asks for; FALSE, with CONTEXT "",
 * if it asks for neither. */
IDG_API bool idg_coalesce_get_context (const char *op, const IdgAccess *access,
                                       const IdgBanks *banks, char context[IDG_CONTEXT_CHARS]);

#ifdef __cplusplus
}
#endif
