/* SPDX-License-Identifier: MIT */
/* Where warps wait, and for what, by instruction: an observer, or what the engine adds up, which is
 * several times as fast. A wait belongs to the instruction
 * that cannot issue, as in NVIDIA's Nsight Compute, whose names the causes have; doc/execute.md has
 * the two vocabularies side by side. */
#pragma once

#include "sim/gpu/wp-resolve.h"
#include "sim/machine/wp-observer.h"
#include "sim/machine/wp-result.h"

G_BEGIN_DECLS

/* MODEL.md, section 9, told apart by what is waited for. */
typedef enum
{
  WP_CAUSE_LONG_SCOREBOARD,  /* a dependency: on global or local memory, or a texture */
  WP_CAUSE_SHORT_SCOREBOARD, /* ...on shared memory, shuffles, special functions */
  WP_CAUSE_WAIT,             /* ...on arithmetic of a fixed latency; between own issues (ilp) */
  WP_CAUSE_BRANCH,           /* ...on a branch */
  WP_CAUSE_BARRIER,          /* barrier */
  WP_CAUSE_MATH,             /* pipeline: of arithmetic */
  WP_CAUSE_LG,               /* ...of an access to global or local memory */
  WP_CAUSE_MIO,              /* ...of shared memory, shuffles, special functions */
  WP_CAUSE_NOT_SELECTED,     /* not_selected */
  WP_CAUSE_DRAIN,            /* drain */
  WP_CAUSE_NO_INSTRUCTION,   /* dependency, pipeline: on code that is fetched */
  WP_N_CAUSES
} WpCause;

/* The name in Nsight Compute without "stall_": "long_scoreboard". Static. */
const gchar *wp_cause_get_name (WpCause cause);

typedef struct WpLineStalls WpLineStalls;

/* For runs of RESOLVED (borrowed). O(instructions + warp slots) memory. Free with
 * wp_line_stalls_free(). */
WpLineStalls *wp_line_stalls_new (const WpResolved *resolved);
void wp_line_stalls_free (WpLineStalls *stalls);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLineStalls, wp_line_stalls_free)
const WpObserver *wp_line_stalls_get_observer (const WpLineStalls *stalls);

/* The engine keeps rows of sums for each SM: at most so many bytes of them. */
#define WP_LINE_STALLS_BYTES (UINT64_C (64) << 20)

/* Leaves it to the engine to add up what warps wait for in runs of RESOLVED, the one that STALLS
 * was made for, which are to begin after this, and to end before STALLS is freed. FALSE: that would
 * take more than WP_LINE_STALLS_BYTES, and STALLS must observe. */
gboolean wp_line_stalls_leave (WpLineStalls *stalls, WpResolved *resolved);

/* Takes from RESULT what the engine has added up, in place of what STALLS has. What instructions of
 * one source line and one kind come to is the first one's. O(instructions). */
void wp_line_stalls_take (WpLineStalls *stalls, const WpResult *result);

/* Ticks that warps waited at instruction INSTR of the machine for CAUSE. */
WpSum wp_line_stalls_get (const WpLineStalls *stalls, guint32 instr, WpCause cause);

G_END_DECLS
