/* SPDX-License-Identifier: MIT */
/* What the measuring program knows of a GPU: that it has ops, attributes, and runs
 * microbenchmarks. Behind it is a real device or a simulated one; nothing here can read a
 * description. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_PROBE_MAX_STEPS 4

/* One step of a microbenchmark: an instruction, some times in a row. */
typedef struct
{
  const gchar *op;     /* PTX mnemonic; WP_PROBE_BARRIER: the warps of the block meet */
  const gchar *access; /* how its lanes access memory, as a context is named ("conflict-2", "l2");
                        * NULL: side by side, from memory */
  guint64 times;
  gboolean is_chained; /* each waits for the one before it of this step */
  gboolean waits;      /* each waits for the last of the step before */
} WpProbeStep;

#define WP_PROBE_BARRIER "bar.sync"

/* A launch of one: the steps in turn, ROUNDS times. */
typedef struct
{
  WpProbeStep steps[WP_PROBE_MAX_STEPS];
  guint n_steps;
  guint64 rounds;
  guint warps;  /* of a block */
  guint stride; /* warps 0, stride, 2 x stride, ... execute the steps; the others end at once */
  guint64 blocks;
  guint registers, shared_memory; /* of a thread; bytes of a block */
  gboolean
      is_contended; /* accesses meet by chance, as on any real device: simulated ones else do not */
} WpProbeLaunch;

/* What a driver tells of a device. */
typedef enum
{
  WP_PROBE_SMS,
  WP_PROBE_CLOCK_KHZ,
  WP_PROBE_WARP_SIZE,
  WP_PROBE_WARPS,  /* resident on an SM */
  WP_PROBE_BLOCKS, /* likewise */
  WP_PROBE_THREADS,
  WP_PROBE_REGISTERS,
  WP_PROBE_SHARED_MEMORY,
  WP_PROBE_THREADS_PER_BLOCK,
  WP_PROBE_REGISTERS_PER_THREAD,
  WP_PROBE_SHARED_MEMORY_PER_BLOCK,
  WP_PROBE_SHARED_MEMORY_RESERVED,
  WP_PROBE_L2_BYTES,
  WP_PROBE_CC, /* NVIDIA's compute capability, times 10 */
  WP_PROBE_N_ATTRIBUTES
} WpProbeAttribute;

typedef struct WpProbeDevice WpProbeDevice;

struct WpProbeDevice
{
  const gchar *name, *title; /* borrowed */
  const gchar *clock;        /* what its times are: "the engine's clock" */
  /* For who measures to set; NULL: nothing ends a launch. Asked now and then in one: false ends it,
   * with a time that means nothing. */
  gboolean (*goes_on) (gpointer data);
  gpointer data;
  guint64 issued; /* instructions of warps so far; 0: not counted */
  /* Of a clock that errs, and of launches that cost more than their steps: by how much, relative, a
   * figure may be wrong that was measured well; how many cycles a launch should take, so that the
   * clock is fine enough for it; how many launches there are of each, of which the fastest counts.
   * All 0: times are exact. */
  gdouble precision, shortest;
  guint repeats;
  /* How many instructions that do not wait for one another a warp has under way at most, as each
   * needs a register for its result; 0: any number. */
  guint independent;
  /* About how many instructions a loop has that it makes of a launch: as many rounds of this as fit,
   * a power of 2, and rounds are a multiple of these. */
  guint64 body;
  guint most_warps; /* of a block; 0: as many as fit */
  /* Whether it can execute OP so. */
  gboolean (*has) (WpProbeDevice *device, const gchar *op, const gchar *access);
  /* An attribute; 0: the driver does not tell, or there is no limit. */
  gint64 (*get) (WpProbeDevice *device, WpProbeAttribute attribute);
  /* How many blocks of LAUNCH, whose steps do not matter, an SM has at a time; 0: it refuses them;
   * -1: not told, or no limit. */
  gint64 (*count_blocks) (WpProbeDevice *device, const WpProbeLaunch *launch);
  /* Runs LAUNCH. CYCLES: of the clock, from when it begins until the last result of its last warp
   * is there. FITS (may be NULL) becomes false where the device refuses the launch: CYCLES are
   * then not set. False with ERROR. */
  gboolean (*run) (WpProbeDevice *device, const WpProbeLaunch *launch, gdouble *cycles,
                   gboolean *fits, GError **error);
  void (*free) (WpProbeDevice *device);
};

static inline void
wp_probe_device_free (WpProbeDevice *device)
{
  if (device != NULL)
    device->free (device);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpProbeDevice, wp_probe_device_free)

G_END_DECLS
