/* SPDX-License-Identifier: MIT */
/* What the addresses of a warp's lanes become: transactions of global memory, passes of shared
 * memory, and the context that an instruction of a kernel gets for it.
 *
 * Knows no GPU, only the rules of generations: V. Volkov, Understanding Latency Hiding on GPUs,
 * 2016, sections 2.5, 2.6 and table 2.5, and for what it leaves to it NVIDIA's CUDA C Programming
 * Guide (4.2, sections F.3.2, F.3.3, F.4.2 to F.5.3). No caches: each byte comes from memory. Plain
 * C11; no GLib, no allocation, no state. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "idg/kernel/idg-macros.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IDG_LANES 32 /* of a warp */
/* That a lane can ask for in one instruction; GPUs have up to 16 or 32. */
#define IDG_MAX_LANE_BYTES 32
/* Of a warp: two sectors for each lane, where they are not aligned. */
#define IDG_MAX_TRANSACTIONS 64

/* One instruction of one warp. More bytes than there may be count as IDG_MAX_LANE_BYTES, none ask
 * for nothing. */
typedef struct
{
  uint32_t mask;                 /* lanes that take part: bit 0 is lane 0 */
  uint32_t bytes;                /* for each lane, 1 to IDG_MAX_LANE_BYTES */
  uint64_t addresses[IDG_LANES]; /* of each lane's first byte, aligned or not; of others: ignored */
} IdgAccess;

/* ---- Global memory ---- */

typedef enum
{
  /* Each half-warp for itself. Where lane k asks for word k of 4, 8 or 16 bytes from a place that
   * is aligned (to 64 bytes, for words of 4, else to 128): one transaction of 64 bytes, one of 128,
   * two of 128 (one where only half of it is asked for). Else one of 32 bytes for each lane.
   * Compute capability 1.0 and 1.1. */
  IDG_RULES_G80,
  /* Each half-warp for itself. From the first lane on: the segment that its address lies in (32
   * bytes for words of 1 byte, 64 of 2, else 128) with all other lanes that lie in it, made 64 or
   * 32 bytes where one half of it is enough. Compute capability 1.2 and 1.3. */
  IDG_RULES_GT200,
  /* Lines of 128 bytes, each once. Compute capability 2.x; later ones look up tags by line. */
  IDG_RULES_FERMI,
  /* Sectors of 32 bytes, each once. Compute capability 3.0 and later. */
  IDG_RULES_LATER,
  IDG_N_RULES
} IdgRules;

/* "g80", "gt200", "fermi", "later". Static. */
IDG_API const char *idg_rules_get_name (IdgRules rules);

typedef struct
{
  uint64_t address;
  uint32_t bytes; /* 32, 64 or 128 */
  uint32_t lanes; /* that it serves, at least in part: a mask */
} IdgTransaction;

/* Writes the transactions of ACCESS by RULES, and returns how many they are: with IDG_RULES_LATER
 * the number of sectors, with IDG_RULES_FERMI of lines. By rising address, but for G80 and GT200,
 * where they are in the order in which they are made. Addresses do not go round at 2^64: what lies
 * beyond is left out. Cost: at most 64 x 64. */
IDG_API uint32_t idg_coalesce (const IdgAccess *access, IdgRules rules,
                               IdgTransaction transactions[IDG_MAX_TRANSACTIONS]);

/* ---- Shared memory ---- */

typedef struct
{
  uint32_t banks; /* 32; or 16: half-warps are served one after the other */
  uint32_t width; /* bytes: 4 or 8 */
} IdgBanks;

/* What TEXT stands for: "32x4" (Fermi, Maxwell and later), "16x4" (G80, GT200), "32x8" (Kepler):
 * table 2.5. False: any other; BANKS stays as it is then. */
IDG_API bool idg_banks_parse (const char *text, IdgBanks *banks);

/* That a warp can ask for: where 4 bytes of a lane are served at a time, and lie in two words, all
 * of them twice. */
#define IDG_MAX_WORDS (IDG_LANES * IDG_MAX_LANE_BYTES / 2)

/* What a bank gives once. */
typedef struct
{
  uint64_t address; /* of the word */
  uint32_t bank;
  uint32_t part, pass; /* both from 0; a part begins when the one before is done */
  uint32_t lanes;      /* that get it: a mask */
} IdgWord;

typedef struct
{
  uint32_t degree; /* of the worst conflict: words that one bank has to give in one part; 1: none */
  uint32_t passes; /* of all parts; with 16 banks two are what an access without conflicts takes */
  uint32_t factor; /* times that of an access of 4 bytes a lane without conflicts: the passes; with
                    * 16 banks those of the half-warp that has more */
  uint32_t parts, lanes_of_part; /* also parts in which no lane takes part */
} IdgConflict;

/* A bank gives one word of its width in a pass, to all lanes that ask for any part of it. Lanes
 * that ask for more in all than the banks give in a pass are served in parts: with 32 banks
 * half-warps, quarter-warps and so on; with 16 banks the first 4 bytes of each lane, then the next
 * 4, and so on (there a request of 8 bytes is compiled into two of 4).
 *
 * Left out: that G80 and GT200 give only one word in a pass to several lanes, which one not being
 * published; that Fermi needs one more for each part of 16 bytes a lane; that Kepler has a second
 * way to number its banks by 4 bytes.
 *
 * What ACCESS costs, all 0 but for the parts where no lane takes part; WORDS, unless NULL, gets all
 * words, part by part, and N_WORDS how many they are. Cost: at most some 500 x 100. */
IDG_API IdgConflict idg_coalesce_shared (const IdgAccess *access, const IdgBanks *banks,
                                         IdgWord words[IDG_MAX_WORDS], uint32_t *n_words);

/* ---- Contexts ---- */

typedef enum
{
  IDG_SPACE_NONE, /* no figure depends on the addresses (ld.param, ld.const, ld.local), or no memory
                     access */
  IDG_SPACE_GLOBAL,
  IDG_SPACE_SHARED,
} IdgSpace;

/* Of a canonical PTX name that reads or writes memory by lanes' addresses, by its dotted parts:
 * ".global" or ".shared" in any place ("ld.global.v4.f32", "atom.shared.add.u32",
 * "ld.shared::cta.b32"). A generic "ld", "st", "atom" or "red", without a space, is taken as
 * global. */
IDG_API IdgSpace idg_coalesce_get_space (const char *op);

#define IDG_CONTEXT_CHARS 24

/* The context of an access to global memory. FALSE: none, as the op's own figure stands for it;
 * CONTEXT is "" then.
 *
 * The op's own figure is for 128 bytes, four sectors, whoever asks for them: other numbers are
 * "sectors-N", by IDG_RULES_LATER, since a kernel knows no GPU. Half a warp that reads 64 bytes is
 * sectors-2, a whole one that reads 16 bytes a lane sectors-16.
 *
 * GPU descriptions charge sectors by their bytes, a quarter of the op's issue c for each, but a
 * fully diverging access by what Volkov measured, 28 to 33 c, 56 on GT200: as if each sector cost
 * the 128 bytes of its line (section 6.7). By that an unstructured access of L lines costs L c.
 * Nearer to that, in proportion, than sectors-N of N sectors (N c / 4) is "random" (32 c) where L /
 * (N / 4) > 32 / L, so L x L > 8 N. All 32 lanes apart: 1024 > 256. The same in 4 KB, 20 lines and
 * 28 sectors on the average: 400 > 224. Eight lanes that are active and apart: sectors-8. A gather
 * of sorted indices that finds 28 sectors in 10 lines: sectors-28.
 *
 * Unstructured: more than half of the distances from one active lane to the next are different
 * ones. A stride, a tile of rows or two strides have few, and their lines are often whole between
 * warps: sectors-N.
 *
 * It matters: with sectors-32 for the random case of Volkov's permutation (section 3.10), which is
 * measured to need 6% to 15% occupancy, throughput falls by 3.3 only, and it would need more than a
 * quarter of what the coalesced one does. */
IDG_API bool idg_coalesce_get_global_context (const IdgAccess *access,
                                              char context[IDG_CONTEXT_CHARS]);

/* The same of shared memory: "conflict-N", N being the factor (2 for 8 bytes a lane without
 * conflicts, on banks of 4: descriptions give figures for 128 bytes); none where it is 1 or less.
 */
IDG_API bool idg_coalesce_get_shared_context (const IdgAccess *access, const IdgBanks *banks,
                                              char context[IDG_CONTEXT_CHARS]);

/* By the space of OP. */
IDG_API bool idg_coalesce_get_context (const char *op, const IdgAccess *access,
                                       const IdgBanks *banks, char context[IDG_CONTEXT_CHARS]);

#ifdef __cplusplus
}
#endif
