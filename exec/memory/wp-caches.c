/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-caches.h"

#include <stdlib.h>
#include <string.h>

#include "exec/memory/wp-cache.h"
#include "exec/memory/wp-coming.h"

/* How long what is asked for is on its way, in turns of an SM: guess, one every four cycles or so,
 * over some 250 cycles to L2 and back, and four times as long to memory. */
#define TURNS_FROM_L2 64
#define TURNS_FROM_MEMORY 256
#define L1_COMING_BITS 12
#define L2_COMING_BITS 17
#define FIRST_ROOM 64
#define MEETINGS_BITS 12

/* Of an access that L1 does not serve alone. Its lines follow in `lines` of the SM: those with
 * sectors that L1 lacked, in the form of WpLine. */
typedef struct
{
  WpAccess access;         /* `n_lines` of them */
  guint16 sectors, lacked; /* asked for, lacked by L1 */
  guint16 l2_lacked;       /* by L2, when it has looked */
  guint8 l2_waits;         /* what L2 has of it is on its way from memory */
  guint32 turn;
  guint32 warp, nth; /* which of the warps, and which of its accesses */
  guint32 joins; /* L1 lacks nothing, but waits for what this miss asked for, from 1 on; 0: none */
  WpCounts *counts;
} Miss;

/* What is on its way to an L1 during a replay. All of it has come when the replay ends, so that any
 * SM may be next: each thread has one at hand, whatever SMs it replays. */
typedef struct
{
  WpComing coming;
  guint64 turns; /* of all replays before */
} OnWay;

/* What an L1 lacked in a replay. */
typedef struct
{
  Miss *misses;
  WpLine *lines;
  guint n_misses, n_lines, misses_room, lines_room;
  guint at, line_at; /* in L2's replay */
} Lacked;

typedef struct
{
  WpCache l1;
  Lacked now, handed_on; /* in L1's replay; what L2 is asked for */
  guint64 sectors, lost; /* as in WpTraffic */
  OnWay *on_way;         /* in L1's replay */
} Sm;

/* A sector of device memory that atomics go to, of those that share a place of a table: the one to
 * which more of the last ones went than to all others there (Boyer and Moore, 1981). */
typedef struct
{
  guint64 sector, ahead; /* its number; how many times more than the others */
  WpMeeting meeting;
} Atomics;

struct WpCaches
{
  const gchar *cc;
  guint64 unified; /* bytes of L1 and shared memory */
  guint l1_ways;
  guint n_sms;
  Sm *sms;
  GMutex lock;        /* of `on_ways` */
  GPtrArray *on_ways; /* of OnWay, which no replay uses now */
  WpCache l2;
  WpComing coming;
  guint64 turns;     /* of all of L2's replays before */
  WpTraffic traffic; /* without `sectors` and `lost` */
  Atomics *atomics;  /* 2^MEETINGS_BITS, once there are any */
  WpMeeting meeting; /* the most of them */
};

/* ---- Sizes ---- */

/* L1 with shared memory, and the sizes that shared memory can have there, in KB: CUDA C++
 * Programming Guide, "Compute Capabilities", and the tuning guides of each generation. */
typedef struct
{
  const gchar *cc;
  guint unified;
  guint carve_outs[12];
} Shape;

static const Shape shapes[] = {
  { "7.0", 128, { 0, 8, 16, 32, 64, 96 } },
  { "7.2", 128, { 0, 8, 16, 32, 64, 96 } },
  { "7.5", 96, { 32, 64 } },
  { "8.0", 192, { 0, 8, 16, 32, 64, 100, 132, 164 } },
  { "8.6", 128, { 0, 8, 16, 32, 64, 100 } },
  { "8.7", 192, { 0, 8, 16, 32, 64, 100, 132, 164 } },
  { "8.9", 128, { 0, 8, 16, 32, 64, 100 } },
  { "9.0", 256, { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 } },
  { "10.0", 256, { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 } },
  { "10.3", 256, { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 } },
  { "12.0", 128, { 0, 8, 16, 32, 64, 100 } },
  { "12.1", 128, { 0, 8, 16, 32, 64, 100 } },
};

#define KB 1024u
#define ASSUMED_L1 (128 * KB)
#define ASSUMED_L2 (4096 * KB)

static const Shape *
find_shape (const gchar *cc)
{
  for (guint i = 0; cc != NULL && i < G_N_ELEMENTS (shapes); i++)
    if (strcmp (shapes[i].cc, cc) == 0)
      return &shapes[i];
  return NULL;
}

guint64
wp_caches_get_bytes (const WpGpu *gpu, guint level, gchar **assumed)
{
  const Shape *shape = find_shape (gpu->cc);
  guint64 bytes = gpu->caches[level - 1].bytes;
  g_autofree gchar *why = NULL;

  if (bytes > 0)
    return bytes;
  bytes = level == 2 ? ASSUMED_L2 : shape != NULL ? shape->unified * KB : ASSUMED_L1;
  if (level == 1 && shape != NULL)
    why = g_strdup_printf (", as of compute capability %s", gpu->cc);
  if (assumed != NULL)
    *assumed = g_strdup_printf ("%s describes no cache of level %u; %" G_GUINT64_FORMAT " KB are "
                                "assumed%s (<cache level=\"%u\" bytes=\"...\"/> says it)",
                                gpu->name, level, bytes / KB, why != NULL ? why : "", level);
  return bytes;
}

/* The step of shared memory that SHARED bytes need; UNIFIED is what there is in all. */
static guint64
carve_out (const gchar *cc, guint64 unified, guint64 shared)
{
  const Shape *shape = find_shape (cc);

  for (guint i = 0; shape != NULL && i < G_N_ELEMENTS (shape->carve_outs); i++)
    if (shape->carve_outs[i] * KB >= shared && (shape->carve_outs[i] > 0 || i == 0))
      return MIN (shape->carve_outs[i] * KB, unified);
  return MIN (shared, unified);
}

guint64
wp_caches_get_l1_bytes (const WpGpu *gpu, guint64 shared)
{
  guint64 unified = wp_caches_get_bytes (gpu, 1, NULL);

  return unified - carve_out (gpu->cc, unified, shared);
}

/* ---- Making them ---- */

static guint
get_ways (const WpGpu *gpu, guint level)
{
  return gpu->caches[level - 1].bytes > 0 ? gpu->caches[level - 1].ways : 16;
}

static void
note_shape (const WpGpu *gpu, guint level, GPtrArray *notes)
{
  const WpGpuCache *cache = &gpu->caches[level - 1];

  if (cache->bytes > 0 && (cache->line != 128 || cache->sector != 32))
    g_ptr_array_add (notes,
                     g_strdup_printf ("%s: accesses are looked up in lines of 128 bytes with "
                                      "sectors of 32; its cache of level %u has %u and %u",
                                      gpu->name, level, cache->line, cache->sector));
}

static OnWay *
new_on_way (void)
{
  OnWay *on_way = g_new0 (OnWay, 1);

  wp_coming_init (&on_way->coming, L1_COMING_BITS);
  return on_way;
}

static void
free_on_way (gpointer data)
{
  OnWay *on_way = data;

  wp_coming_clear (&on_way->coming);
  g_free (on_way);
}

WpCaches *
wp_caches_new (const WpGpu *gpu, guint sms, GPtrArray *notes)
{
  WpCaches *caches = g_new0 (WpCaches, 1);

  caches->cc = g_intern_string (gpu->cc);
  caches->n_sms = sms;
  caches->sms = g_new0 (Sm, sms);
  for (guint level = 1; notes != NULL && level <= WP_MAX_CACHES; level++)
    {
      gchar *assumed = NULL;

      wp_caches_get_bytes (gpu, level, &assumed);
      if (assumed != NULL)
        g_ptr_array_add (notes, assumed);
      note_shape (gpu, level, notes);
    }
  caches->unified = wp_caches_get_bytes (gpu, 1, NULL);
  caches->l1_ways = get_ways (gpu, 1);
  g_mutex_init (&caches->lock);
  caches->on_ways = g_ptr_array_new_with_free_func (free_on_way);
  wp_coming_init (&caches->coming, L2_COMING_BITS);
  wp_cache_init (&caches->l2, wp_caches_get_bytes (gpu, 2, NULL), get_ways (gpu, 2));
  wp_caches_begin_launch (caches, 0);
  return caches;
}

static void
lacked_clear (Lacked *lacked)
{
  g_free (lacked->misses);
  g_free (lacked->lines);
}

void
wp_caches_free (WpCaches *caches)
{
  if (caches == NULL)
    return;
  for (guint sm = 0; sm < caches->n_sms; sm++)
    {
      wp_cache_clear (&caches->sms[sm].l1);
      lacked_clear (&caches->sms[sm].now);
      lacked_clear (&caches->sms[sm].handed_on);
    }
  g_mutex_clear (&caches->lock);
  g_ptr_array_unref (caches->on_ways);
  wp_cache_clear (&caches->l2);
  wp_coming_clear (&caches->coming);
  g_free (caches->atomics);
  g_free (caches->sms);
  g_free (caches);
}

void
wp_caches_begin_launch (WpCaches *caches, guint64 shared)
{
  guint64 bytes = caches->unified - carve_out (caches->cc, caches->unified, shared);

  for (guint sm = 0; sm < caches->n_sms; sm++)
    {
      wp_cache_clear (&caches->sms[sm].l1);
      wp_cache_init (&caches->sms[sm].l1, bytes, caches->l1_ways);
      caches->sms[sm].sectors = caches->sms[sm].lost = 0;
    }
  memset (&caches->traffic, 0, sizeof caches->traffic);
  caches->meeting = (WpMeeting){ 0 };
  g_clear_pointer (&caches->atomics, g_free);
}

/* ---- L1 ---- */

/* Where the next miss is written to; it is counted when it turns out to be one. */
static inline Miss *
open_miss (Lacked *lacked)
{
  if (lacked->n_misses == lacked->misses_room)
    {
      lacked->misses_room = MAX (2 * lacked->misses_room, FIRST_ROOM);
      lacked->misses = g_renew (Miss, lacked->misses, lacked->misses_room);
    }
  return &lacked->misses[lacked->n_misses];
}

static inline void
add_line (Lacked *lacked, WpLine line)
{
  if (lacked->n_lines == lacked->lines_room)
    {
      lacked->lines_room = MAX (2 * lacked->lines_room, FIRST_ROOM);
      lacked->lines = g_renew (WpLine, lacked->lines, lacked->lines_room);
    }
  lacked->lines[lacked->n_lines++] = line;
}

/* Looks LINE up and returns its sectors that L2 is asked for. */
static inline guint
look_up_l1 (WpCache *l1, const WpAccess *access, WpLine line)
{
  const guint64 number = line >> 4;
  const guint sectors = line & 15;

  if (access->is_atomic)
    {
      wp_cache_invalidate (l1, number, sectors);
      return sectors;
    }
  if (access->space == WP_SPACE_LOCAL && access->is_write)
    return wp_cache_write (l1, number, sectors, NULL);
  if (access->is_write)
    {
      wp_cache_write_through (l1, number, sectors);
      return sectors;
    }
  return access->how & WP_ACCESS_PAST_L1 ? sectors : wp_cache_read (l1, number, sectors, NULL);
}

/* Whether the warp of MISS asked L1 for any of SECTORS of LINE in this replay, not long ago. */
static inline gboolean
is_lost (const Sm *sm, guint64 line, guint sectors, const Miss *miss)
{
  const guint32 who
      = wp_coming_find (&sm->on_way->coming, line, sectors, sm->on_way->turns + TURNS_FROM_L2 - 1);
  const Miss *before = who > 0 ? &sm->now.misses[who - 1] : miss;

  return before != miss && before->warp == miss->warp && miss->nth - before->nth <= WP_LOST_SINCE
         && !((miss->access.how | before->access.how) & WP_ACCESS_PAST_L1);
}

/* Of LINE, L1 lacks LACKED: remembers that they come, and notes in MISS whether it waits for what
 * another asked for. */
static inline void
join_l1 (Sm *sm, const WpAccess *access, WpLine line, guint lacked, Miss *miss)
{
  const guint64 number = line >> 4, now = sm->on_way->turns + miss->turn;

  if (access->is_write || access->is_atomic || (access->how & WP_ACCESS_TO_L2))
    return;
  if (lacked != 0)
    {
      if (is_lost (sm, number, lacked, miss))
        sm->lost += wp_cache_count (lacked);
      wp_coming_add (&sm->on_way->coming, number, lacked, now, now + TURNS_FROM_L2,
                     sm->now.n_misses + 1);
    }
  else if (miss->joins == 0)
    miss->joins = wp_coming_find (&sm->on_way->coming, number, line & 15, now);
}

/* WARP is which of the warps, NTH which of its accesses. */
static void
replay_access (Sm *sm, const WpAccess *access, const WpLine *lines, guint32 turn, guint32 warp,
               guint32 nth, WpCounts *counts)
{
  Miss *miss = open_miss (&sm->now);
  const guint first = sm->now.n_lines;
  guint sectors = 0, all_lacked = 0;

  *miss = (Miss){ .access = *access, .turn = turn, .warp = warp, .nth = nth, .counts = counts };
  for (guint i = 0; i < access->n_lines; i++)
    {
      guint lacked = look_up_l1 (&sm->l1, access, lines[i]);
      WpLine left = (lines[i] & ~(WpLine)15) | lacked;

      join_l1 (sm, access, lines[i], lacked, miss);
      sectors += wp_cache_count ((guint)lines[i]);
      all_lacked += wp_cache_count (lacked);
      if (lacked != 0)
        add_line (&sm->now, left);
    }
  sm->sectors += sectors;
  miss->sectors = (guint16)sectors;
  miss->lacked = (guint16)all_lacked;
  miss->access.n_lines = (guint16)(sm->now.n_lines - first);
  if (all_lacked == 0 && miss->joins == 0)
    wp_counts_add (counts, access, sectors, 0, 0);
  else
    sm->now.n_misses++;
}

void
wp_caches_count_shared (const WpAccessLog *log, WpCounts *counts)
{
  for (guint i = 0; i < log->n_touched; i++)
    {
      const WpSharedAccesses *shared = &log->shared[log->touched[i]];
      const WpAccess access = { .index = log->touched[i],
                                .space = WP_SPACE_SHARED,
                                .wavefronts = shared->wavefronts,
                                .is_write = shared->is_write,
                                .is_atomic = shared->is_atomic };

      wp_counts_add_times (counts, &access, 0, 0, 0, 0, shared->count);
    }
}

/* Where a warp's log is. */
typedef struct
{
  guint access, line;
} Place;

/* The access at PLACE will come in another turn, after those of the other warps. */
static inline void
expect_l1 (const Sm *sm, const WpAccessLog *log, const Place *place)
{
  if (place->access == log->n_accesses || log->accesses[place->access].n_lines == 0)
    return;
  wp_cache_expect (&sm->l1, log->lines[place->line] >> 4);
  if (!log->accesses[place->access].is_write)
    wp_coming_expect (&sm->on_way->coming, log->lines[place->line] >> 4);
}

/* Replays the next access of WARP, the one of that NUMBER, that is not of shared memory, and those
 * of shared memory before it. Returns whether there was one. */
static gboolean
take_turn (Sm *sm, const WpCachesWarp *warp, guint32 number, Place *place, guint32 turn)
{
  const WpAccessLog *log = warp->log;

  while (place->access < log->n_accesses)
    {
      const WpAccess *access = &log->accesses[place->access++];
      const WpLine *lines = log->lines ? log->lines + place->line : NULL;

      place->line += access->n_lines;
      if (access->space == WP_SPACE_GLOBAL || access->space == WP_SPACE_LOCAL)
        {
          replay_access (sm, access, lines, turn, number, place->access, warp->counts);
          expect_l1 (sm, log, place);
          return TRUE;
        }
      wp_counts_add (warp->counts, access, 0, 0, 0);
    }
  return FALSE;
}

static OnWay *
take_on_way (WpCaches *caches)
{
  OnWay *on_way = NULL;

  g_mutex_lock (&caches->lock);
  if (caches->on_ways->len > 0)
    on_way = g_ptr_array_steal_index_fast (caches->on_ways, caches->on_ways->len - 1);
  g_mutex_unlock (&caches->lock);
  return on_way ? on_way : new_on_way ();
}

/* After TURNS of a replay. */
static void
give_on_way_back (WpCaches *caches, OnWay *on_way, guint64 turns)
{
  on_way->turns += turns + TURNS_FROM_L2;
  g_mutex_lock (&caches->lock);
  g_ptr_array_add (caches->on_ways, on_way);
  g_mutex_unlock (&caches->lock);
}

void
wp_caches_replay_l1 (WpCaches *caches, guint number, const WpCachesWarp *warps, guint n)
{
  Sm *sm = &caches->sms[number];
  g_autofree Place *places = g_new0 (Place, MAX (n, 1));
  g_autofree guint *left = g_new (guint, MAX (n, 1)); /* warps that are not at their end */
  guint n_left = n;
  guint32 turn = 0;

  sm->on_way = take_on_way (caches);
  for (guint i = 0; i < n; i++)
    {
      left[i] = i;
      expect_l1 (sm, warps[i].log, &places[i]);
      wp_caches_count_shared (warps[i].log, warps[i].counts);
    }
  while (n_left > 0)
    {
      guint kept = 0;

      for (guint i = 0; i < n_left; i++)
        if (take_turn (sm, &warps[left[i]], left[i], &places[left[i]], turn))
          {
            left[kept++] = left[i];
            turn++;
          }
      n_left = kept;
    }
  give_on_way_back (caches, g_steal_pointer (&sm->on_way), turn);
}

void
wp_caches_hand_on (WpCaches *caches, guint number)
{
  Sm *sm = &caches->sms[number];
  const Lacked counted = sm->handed_on;

  sm->handed_on = sm->now;
  sm->now = counted;
}

/* ---- L2 ---- */

/* Of SECTORS of a line that a load asked for in MISS, L2 lacked LACKED. */
static inline void
join_l2 (WpCaches *caches, guint64 number, guint sectors, guint lacked, Miss *miss)
{
  const guint64 now = caches->turns + miss->turn;

  if ((sectors & ~lacked) != 0 && wp_coming_find (&caches->coming, number, sectors & ~lacked, now))
    miss->l2_waits = 1;
  if (lacked != 0)
    wp_coming_add (&caches->coming, number, lacked, now, now + TURNS_FROM_MEMORY, 1);
}

/* Atomics of so many LANES of instruction INDEX come to SECTOR. */
static inline void
meet (WpCaches *caches, guint64 sector, guint lanes, guint32 index)
{
  Atomics *at
      = &caches->atomics[sector * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> (64 - MEETINGS_BITS)];

  if (at->sector == sector && at->ahead > 0)
    at->ahead++;
  else if (at->ahead > 0)
    {
      at->ahead--;
      return;
    }
  else
    *at = (Atomics){ sector, 1, { 0, index } };
  at->meeting.times += lanes;
  if (at->meeting.times > caches->meeting.times)
    caches->meeting = at->meeting;
}

/* The same for all SECTORS of line NUMBER that ACCESS goes to: its lanes are taken to be shared
 * evenly by its lines, and by their sectors. */
static void
meet_all (WpCaches *caches, const WpAccess *access, guint64 number, guint sectors)
{
  const guint all = wp_cache_count (sectors) * MAX (access->n_lines, 1);
  const guint lanes = MAX ((access->lanes + all - 1) / all, 1);

  if (caches->atomics == NULL)
    caches->atomics = g_new0 (Atomics, 1 << MEETINGS_BITS);
  for (guint left = sectors; left != 0; left &= left - 1)
    meet (caches, number << 2 | (guint)__builtin_ctz (left), lanes, access->index);
}

static guint
look_up_l2 (WpCaches *caches, Miss *miss, WpLine line)
{
  const WpAccess *access = &miss->access;
  const guint64 number = line >> 4;
  const guint sectors = line & 15;
  guint evicted = 0, lacked;

  if (access->is_atomic)
    {
      guint missing = wp_cache_read (&caches->l2, number, sectors, &evicted);

      caches->traffic.read += wp_cache_count (missing);
      lacked = missing | wp_cache_write (&caches->l2, number, sectors, &evicted);
      meet_all (caches, access, number, sectors);
    }
  else if (access->is_write)
    lacked = wp_cache_write (&caches->l2, number, sectors, &evicted);
  else
    {
      lacked = wp_cache_read (&caches->l2, number, sectors, &evicted);
      join_l2 (caches, number, sectors, lacked, miss);
      caches->traffic.read += wp_cache_count (lacked);
    }
  caches->traffic.written += evicted;
  return wp_cache_count (lacked);
}

static void
replay_miss (WpCaches *caches, Lacked *by)
{
  Miss *miss = &by->misses[by->at];
  guint lacked = 0;

  for (guint i = 0; i < miss->access.n_lines; i++)
    lacked += look_up_l2 (caches, miss, by->lines[by->line_at++]);
  by->at++;
  /* Its next turn comes after those of the other SMs. */
  if (by->line_at < by->n_lines)
    {
      wp_cache_expect (&caches->l2, by->lines[by->line_at] >> 4);
      wp_coming_expect (&caches->coming, by->lines[by->line_at] >> 4);
    }
  caches->traffic.l1_sectors += miss->lacked;
  caches->traffic.l2_sectors += lacked;
  miss->l2_lacked = (guint16)lacked;
}

/* Replays what comes first: the least turn, and in that the first SM. Returns the least turn after
 * TURN that there is, G_MAXUINT32: none. */
static guint32
replay_turn (WpCaches *caches, guint32 turn)
{
  guint32 next = G_MAXUINT32;

  for (guint i = 0; i < caches->n_sms; i++)
    {
      Lacked *by = &caches->sms[i].handed_on;

      if (by->at < by->n_misses && by->misses[by->at].turn == turn)
        replay_miss (caches, by);
      if (by->at < by->n_misses)
        next = MIN (next, by->misses[by->at].turn);
    }
  return next;
}

void
wp_caches_replay_l2 (WpCaches *caches)
{
  guint32 last = 0;

  for (guint32 turn = 0; turn != G_MAXUINT32; turn = replay_turn (caches, turn))
    last = turn;
  caches->turns += (guint64)last + 1;
}

/* Counts TIMES misses as MISS. */
static void
count_misses (const Lacked *lacked, const Miss *miss, guint64 times)
{
  const Miss *joined = miss->joins > 0 ? &lacked->misses[miss->joins - 1] : NULL;
  guint level = 0;

  if (miss->access.how & WP_ACCESS_TO_L2)
    level = WP_COUNTS_TO_L2;
  else if (miss->lacked == 0)
    level = joined->l2_lacked > 0 || joined->l2_waits ? 2 : 1;
  else if (miss->l2_lacked == 0 && miss->l2_waits)
    level = 2;
  wp_counts_add_times (miss->counts, &miss->access, miss->sectors, miss->lacked,
                       miss->lacked == 0 ? 0 : miss->l2_lacked, level, times);
}

/* Whether both are counted as the same: warps mostly do what the one before them did. */
static inline gboolean
are_alike (const Miss *x, const Miss *y)
{
  return x->counts == y->counts && x->access.index == y->access.index && x->lacked == y->lacked
         && x->l2_lacked == y->l2_lacked && x->l2_waits == y->l2_waits && x->sectors == y->sectors
         && x->joins == 0 && y->joins == 0 && x->access.wavefronts == y->access.wavefronts
         && x->access.partial == y->access.partial && x->access.space == y->access.space;
}

void
wp_caches_count (WpCaches *caches, guint number)
{
  Lacked *by = &caches->sms[number].handed_on;

  for (guint i = 0, next; i < by->n_misses; i = next)
    {
      next = i + 1;
      while (next < by->n_misses && are_alike (&by->misses[i], &by->misses[next]))
        next++;
      count_misses (by, &by->misses[i], next - i);
    }
  by->n_misses = by->n_lines = 0;
  by->at = by->line_at = 0;
}

WpTraffic
wp_caches_get_traffic (const WpCaches *caches)
{
  WpTraffic traffic = caches->traffic;

  for (guint i = 0; i < caches->n_sms; i++)
    {
      traffic.sectors += caches->sms[i].sectors;
      traffic.lost += caches->sms[i].lost;
    }
  return traffic;
}

WpMeeting
wp_caches_get_meeting (const WpCaches *caches)
{
  return caches->meeting;
}

guint64
wp_caches_count_unwritten (const WpCaches *caches)
{
  return wp_cache_count_written (&caches->l2);
}

guint64
wp_caches_get_l2_sectors (const WpCaches *caches)
{
  return caches->l2.sets * caches->l2.ways * 4;
}
