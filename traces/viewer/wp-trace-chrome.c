/* SPDX-License-Identifier: MIT */
/* Writes Chrome's trace event format (JSON), which Perfetto and chrome://tracing open.
 *
 *   process  an SM
 *   thread   each pipeline instance that is used: its instructions, for as long as they occupy it;
 *            then each warp slot: what the warp there waits for, and a mark at each issue
 *   process  one more, after the SMs: a thread for each instance that SMs share
 *   async    an instruction from its issue to its completion, a block from launch to end
 *   counter  warps and blocks that are resident, instructions in flight by pipeline
 *   flow     on request, from a result to the instruction that uses it
 *
 * The format allows events in any order, so that each is written when it is known. Times are in
 * microseconds, as the format requires; viewers keep whole nanoseconds. A cycle is a microsecond,
 * so that what takes a cycle is not shown as none, unless the GPU's own time is asked for. A time
 * without an exact decimal is rounded down, and a duration is the difference of two such times, so
 * that an event ends where the next begins. There are enough digits to keep different times
 * different.
 *
 * Asynchronous events have an id that no other has, of any category or process: viewers pair by id
 * alone. */
#include "traces/table/wp-trace.h"

#include <errno.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

#define BUFFER 65536 /* bytes written at once */

/* A future completion. */
typedef struct
{
  WpTick time;
  guint32 pipeline;
} Completion;

/* Values of a counter, which hold from `time` on. They are written when everything at that time is
 * known. */
typedef struct
{
  WpTick time;
  gboolean changed, begun; /* begun: a value has been written */
} Counter;

typedef struct
{
  gboolean has_name, has_blocks;
  GArray *named;        /* of gboolean, by thread: whether its name has been written */
  GArray *in_flight;    /* heap of Completion, by time */
  guint64 *n_in_flight; /* [n_pipelines] */
  guint64 blocks, warps, last_blocks, last_warps; /* last: as written */
  Counter flight, occupancy;
} Sm;

typedef struct
{
  WpTrace *trace;
  const WpMachine *machine;
  WpTick from, to;
  GString *buffer;
  gchar **names;                                   /* [n_names]: quoted */
  gchar **pipelines;                               /* [n_pipelines]: quoted */
  gchar *waits[WP_N_STALLS][WP_MAX_PIPELINES + 1]; /* quoted; made when needed */
  gboolean *used, any_used;                        /* [n_pipelines] */
  guint32 *first_thread; /* [n_pipelines]: of those that SMs share, in the last process */
  guint32 n_pipeline_threads;
  guint64 unit, scale; /* microseconds are ticks x unit / scale */
  gboolean wide;       /* its product with 10^digits does not fit in a word */
  Wide wide_scale;
  guint digits;
  guint64 power; /* 10^digits */
  guint64 n_async, n_flows;
  WpStays stays;  /* what has issued last */
  gboolean begun; /* an event has been written */
  Sm *sms;        /* [simulated SMs + 1]: the last one stands for the pipelines that they share */
} Chrome;

/* A thread of a process: of an SM, or of the pipelines that SMs share. */
typedef struct
{
  guint32 sm;
  guint64 thread;
} Place;

/* ---- Times ---- */

#define PARTS 1000 /* the error of a time is at most this fraction of a tick */

/* Chooses `digits`, for MHZ cycles a microsecond: enough to keep ticks apart and some more, but
 * none if ticks are long; fewer if they are exact. */
static void
set_clock (Chrome *chrome, WpCycles mhz, gint64 ticks_per_cycle)
{
  guint64 common = wp_gcd ((guint64)mhz.den, (guint64)ticks_per_cycle);
  Wide rest, power = 1;
  guint exact = 0;

  chrome->unit = (guint64)mhz.den / common;
  chrome->wide_scale = (Wide)((guint64)ticks_per_cycle / common) * (Wide)mhz.num;
  for (; power * chrome->unit < PARTS * chrome->wide_scale; power *= 10)
    chrome->digits++;
  /* k digits are exact if the scale divides unit x 10^k. */
  rest = chrome->unit % chrome->wide_scale;
  for (; rest != 0 && exact < chrome->digits; exact++)
    rest = rest * 10 % chrome->wide_scale;
  if (rest == 0)
    chrome->digits = exact;
  chrome->power = 1;
  for (guint i = 0; i < chrome->digits && i < 19; i++)
    chrome->power *= 10;
  chrome->wide = chrome->digits >= 19 || chrome->wide_scale > G_MAXUINT64 / chrome->power;
  chrome->scale = (guint64)chrome->wide_scale;
}

/* Returns TICKS in units of 10^-digits microseconds, rounded down. */
static Wide
get_time (const Chrome *chrome, WpTick ticks)
{
  Wide product = (Wide)ticks * chrome->unit;
  Wide whole = product / chrome->wide_scale, rest = product % chrome->wide_scale;

  if (!chrome->wide)
    return whole * chrome->power + (guint64)rest * chrome->power / chrome->scale;
  for (guint i = 0; i < chrome->digits; i++)
    {
      rest *= 10;
      whole = whole * 10 + rest / chrome->wide_scale;
      rest %= chrome->wide_scale;
    }
  return whole;
}

/* Each half of a time has at most this many digits. */
#define HALF G_GUINT64_CONSTANT (1000000000000000000)

/* Appends a time in microseconds, without trailing zeros. */
static void
append_time (Chrome *chrome, Wide time)
{
  GString *buffer = chrome->buffer;
  gchar text[48];
  guint at = sizeof text, end = sizeof text;

  for (guint i = 0; i < chrome->digits; i++, time /= 10)
    text[--at] = (gchar)('0' + (gint)(time % 10));
  while (end > at && text[end - 1] == '0')
    end--;
  if (time >= HALF) /* cycles may have any length */
    {
      wp_trace_append_number (buffer, (guint64)(time / HALF));
      g_string_append_printf (buffer, "%018" G_GUINT64_FORMAT, (guint64)(time % HALF));
    }
  else
    wp_trace_append_number (buffer, (guint64)time);
  if (end == at)
    return;
  g_string_append_c (buffer, '.');
  g_string_append_len (buffer, text + at, (gssize)(end - at));
}

/* ---- Events ---- */

#define APPEND(chrome, text) g_string_append_len ((chrome)->buffer, text, (gssize)strlen (text))

static void
append_member (Chrome *chrome, const gchar *name, guint64 value)
{
  APPEND (chrome, name);
  wp_trace_append_number (chrome->buffer, value);
}

static void name_process (Chrome *chrome, guint32 sm);

static void
open_event (Chrome *chrome, const gchar *phase, guint32 sm)
{
  wp_trace_flush (chrome->trace, chrome->buffer, BUFFER);
  if (!chrome->sms[sm].has_name)
    name_process (chrome, sm);
  APPEND (chrome, chrome->begun ? ",\n{\"ph\":\"" : "{\"ph\":\"");
  chrome->begun = TRUE;
  APPEND (chrome, phase);
  append_member (chrome, "\",\"pid\":", sm + 1);
}

/* Begins an event of a thread (0: of the process). The caller appends its name, quoted, and the
 * rest. */
static void
open_at (Chrome *chrome, const gchar *phase, guint32 sm, guint64 thread, WpTick time)
{
  open_event (chrome, phase, sm);
  if (thread > 0)
    append_member (chrome, ",\"tid\":", thread);
  APPEND (chrome, ",\"ts\":");
  append_time (chrome, get_time (chrome, time));
}

static void
append_name (Chrome *chrome, const gchar *name)
{
  APPEND (chrome, ",\"name\":");
  APPEND (chrome, name);
}

static void
append_duration (Chrome *chrome, WpTick from, WpTick to)
{
  APPEND (chrome, ",\"dur\":");
  append_time (chrome, get_time (chrome, to) - get_time (chrome, from));
}

static void
close_event (Chrome *chrome)
{
  g_string_append_c (chrome->buffer, '}');
}

/* Returns TEXT as a JSON string, with its quotes. Free with g_free(). */
static gchar *
quote (const gchar *text)
{
  g_autoptr (GString) quoted = g_string_new ("\"");

  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (quoted, "\\%c", *text);
    else if ((guchar)*text < ' ')
      g_string_append_printf (quoted, "\\u%04x", (guchar)*text);
    else
      g_string_append_c (quoted, *text);
  g_string_append_c (quoted, '"');
  return g_string_free (g_steal_pointer (&quoted), FALSE);
}

/* Writes the name of WHAT, a process or a thread, and its sort index. */
static void
write_name (Chrome *chrome, guint32 sm, guint64 thread, const gchar *what, const gchar *name)
{
  g_autofree gchar *quoted = quote (name);
  g_autofree gchar *member
      = thread > 0 ? g_strdup_printf (",\"tid\":%" G_GUINT64_FORMAT, thread) : g_strdup ("");

  open_event (chrome, "M", sm);
  g_string_append_printf (chrome->buffer, "%s,\"name\":\"%s_name\",\"args\":{\"name\":%s}}", member,
                          what, quoted);
  open_event (chrome, "M", sm);
  g_string_append_printf (
      chrome->buffer,
      "%s,\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" G_GUINT64_FORMAT "}}", member,
      what, thread > 0 ? thread : sm);
}

static void
name_process (Chrome *chrome, guint32 sm)
{
  g_autofree gchar *name = sm < chrome->machine->simulated_sms
                               ? g_strdup_printf ("SM %u", sm)
                               : g_strdup ("pipelines that SMs share");

  chrome->sms[sm].has_name = TRUE;
  write_name (chrome, sm, 0, "process", name);
}

/* ---- Threads: the pipelines from 1 on, then the slots ---- */

static gboolean
is_new_thread (Chrome *chrome, guint32 sm, guint64 thread)
{
  GArray *named = chrome->sms[sm].named;

  if (thread >= named->len)
    g_array_set_size (named, (guint)thread + 1);
  if (g_array_index (named, gboolean, thread))
    return FALSE;
  return g_array_index (named, gboolean, thread) = TRUE;
}

/* The name of the instance of PIPELINE that instructions of SM and SCHEDULER pass. */
static gchar *
make_pipeline_name (const Chrome *chrome, guint32 sm, guint32 pipeline, guint32 scheduler)
{
  const WpPipelineDesc *desc = &chrome->machine->pipelines[pipeline];

  if (wp_trace_is_shared (chrome->machine, pipeline))
    {
      g_autofree gchar *sms = wp_trace_name_sharers (chrome->machine, pipeline, sm);

      return g_strdup_printf ("pipeline %s of %s", desc->name, sms);
    }
  return desc->per_scheduler && chrome->machine->n_schedulers > 1
             ? g_strdup_printf ("pipeline %s %u", desc->name, scheduler)
             : g_strdup_printf ("pipeline %s", desc->name);
}

static Place
get_pipeline_place (Chrome *chrome, guint32 sm, guint32 pipeline, guint32 scheduler)
{
  const WpPipelineDesc *desc = &chrome->machine->pipelines[pipeline];
  Place place = { sm, chrome->first_thread[pipeline] + (desc->per_scheduler ? scheduler : 0) };

  if (wp_trace_is_shared (chrome->machine, pipeline))
    place = (Place){ chrome->machine->simulated_sms,
                     (guint64)chrome->first_thread[pipeline] + sm / desc->shared };
  if (is_new_thread (chrome, place.sm, place.thread))
    {
      g_autofree gchar *name = make_pipeline_name (chrome, sm, pipeline, scheduler);

      write_name (chrome, place.sm, place.thread, "thread", name);
    }
  return place;
}

static guint64
get_slot_thread (Chrome *chrome, guint32 sm, guint32 slot)
{
  guint64 thread = (guint64)chrome->n_pipeline_threads + 1 + slot;

  if (is_new_thread (chrome, sm, thread))
    {
      g_autofree gchar *name = g_strdup_printf ("warp slot %u", slot);

      write_name (chrome, sm, thread, "thread", name);
    }
  return thread;
}

/* ---- Counters ---- */

/* Clips to the window. Returns false if nothing is left; an event without duration is kept if its
 * time is shown. */
static gboolean
cut (const Chrome *chrome, WpTick *from, WpTick *to)
{
  gboolean moment = *from == *to;

  *from = MAX (*from, chrome->from);
  *to = MIN (*to, chrome->to);
  return moment ? *from == *to && *from < chrome->to : *from < *to;
}

static void
write_flight (Chrome *chrome, guint32 sm, WpTick time)
{
  const gchar *comma = "";

  if (!chrome->any_used)
    return;
  open_at (chrome, "C", sm, 0, time);
  APPEND (chrome, ",\"name\":\"in flight\",\"args\":{");
  for (guint32 i = 0; i < chrome->machine->n_pipelines; i++)
    if (chrome->used[i])
      {
        APPEND (chrome, comma);
        APPEND (chrome, chrome->pipelines[i]);
        append_member (chrome, ":", chrome->sms[sm].n_in_flight[i]);
        comma = ",";
      }
  APPEND (chrome, "}}");
}

static void
write_occupancy (Chrome *chrome, guint32 sm, WpTick time)
{
  Sm *self = &chrome->sms[sm];

  if (self->blocks == self->last_blocks && self->warps == self->last_warps)
    return; /* another block has taken its place, or none has come yet */
  self->last_blocks = self->blocks;
  self->last_warps = self->warps;
  open_at (chrome, "C", sm, 0, time);
  append_member (chrome, ",\"name\":\"occupancy\",\"args\":{\"warps\":", self->warps);
  append_member (chrome, ",\"blocks\":", self->blocks);
  APPEND (chrome, "}}");
}

/* Advances the counter to TIME and writes its last value, which is known now. Values from before
 * the window become its initial values. */
static void
settle (Chrome *chrome, Counter *counter, guint32 sm, WpTick time,
        void (*write) (Chrome *chrome, guint32 sm, WpTick time))
{
  WpTick at = MAX (counter->time, chrome->from);

  if (time <= counter->time)
    return;
  if (time > chrome->from && at < chrome->to && (counter->changed || !counter->begun))
    {
      write (chrome, sm, at);
      counter->changed = FALSE;
      counter->begun = TRUE;
    }
  counter->time = time;
}

static void
push (GArray *heap, Completion completion)
{
  guint i = heap->len;

  g_array_append_val (heap, completion);
  for (Completion *all = (Completion *)(gpointer)heap->data;
       i > 0 && completion.time < all[(i - 1) / 2].time; i = (i - 1) / 2)
    {
      all[i] = all[(i - 1) / 2];
      all[(i - 1) / 2] = completion;
    }
}

static Completion
pop (GArray *heap)
{
  Completion *all = (Completion *)(gpointer)heap->data;
  Completion first = all[0], last = all[heap->len - 1];
  guint n = heap->len - 1, i = 0;

  for (guint child = 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && all[child + 1].time < all[child].time)
        child++;
      if (all[child].time >= last.time)
        break;
      all[i] = all[child];
      i = child;
    }
  all[i] = last;
  g_array_set_size (heap, n);
  return first;
}

/* Removes what completes by TIME from what is in flight. */
static void
complete_until (Chrome *chrome, guint32 sm, WpTick time)
{
  Sm *self = &chrome->sms[sm];

  while (self->in_flight->len > 0 && g_array_index (self->in_flight, Completion, 0).time <= time)
    {
      Completion completion = pop (self->in_flight);

      settle (chrome, &self->flight, sm, completion.time, write_flight);
      self->n_in_flight[completion.pipeline]--;
      self->flight.changed = TRUE;
    }
  settle (chrome, &self->flight, sm, time, write_flight);
}

/* ---- What happens ---- */

static const gchar *
get_wait_name (Chrome *chrome, const WpFollowWait *wait)
{
  guint32 pipeline
      = wait->pipeline == WP_NO_PIPELINE ? chrome->machine->n_pipelines : wait->pipeline;
  gchar **name = &chrome->waits[wait->stall][pipeline];

  if (*name == NULL)
    {
      g_autofree gchar *text = wp_follow_describe (chrome->machine, wait);

      *name = quote (text);
    }
  return *name;
}

/* EVENT is the issue that ends the wait, or NULL. */
static void
write_wait (Chrome *chrome, const WpFollowWarp *warp, const WpFollowWait *wait,
            const WpIssueEvent *event)
{
  WpTick from = wait->from, to = wait->to;

  if (!cut (chrome, &from, &to))
    return;
  open_at (chrome, "X", warp->sm, get_slot_thread (chrome, warp->sm, warp->slot), from);
  append_duration (chrome, from, to);
  append_name (chrome, get_wait_name (chrome, wait));
  if (event != NULL)
    {
      APPEND (chrome, ",\"args\":{\"next\":");
      APPEND (chrome, chrome->names[chrome->machine->instrs[event->instr].cost->name]);
      append_member (chrome, ",\"index\":", event->index);
      close_event (chrome);
    }
  close_event (chrome);
}

/* SHARED: among instructions of other SMs. */
static void
append_instruction (Chrome *chrome, const WpIssueEvent *event, gboolean shared)
{
  append_name (chrome, chrome->names[chrome->machine->instrs[event->instr].cost->name]);
  append_member (chrome, ",\"args\":{\"block\":", event->block);
  if (shared)
    append_member (chrome, ",\"sm\":", event->sm);
  append_member (chrome, ",\"warp\":", event->warp);
  append_member (chrome, ",\"index\":", event->index);
  close_event (chrome);
  close_event (chrome);
}

static void
write_issue (Chrome *chrome, const WpIssueEvent *event)
{
  WpTick from = event->time, to = event->time;

  if (!cut (chrome, &from, &to))
    return;
  open_at (chrome, "i", event->sm, get_slot_thread (chrome, event->sm, event->slot), event->time);
  APPEND (chrome, ",\"s\":\"t\"");
  append_instruction (chrome, event, FALSE);
}

static void
write_use (Chrome *chrome, const WpIssueEvent *event, WpStay stay)
{
  WpTick from = stay.from, to = stay.to;
  Place place;

  if (!cut (chrome, &from, &to))
    return;
  place = get_pipeline_place (chrome, event->sm, stay.pipeline, event->scheduler);
  open_at (chrome, "X", place.sm, place.thread, from);
  append_duration (chrome, from, to);
  append_instruction (chrome, event, place.sm != event->sm);
}

/* Writes those uses of pipelines that are shown. */
static void
write_uses (Chrome *chrome)
{
  const WpIssueEvent *event = &chrome->stays.issue;

  for (guint32 i = 0; i < wp_stays_count (&chrome->stays, chrome->machine); i++)
    {
      WpStay stay = wp_stays_get (&chrome->stays, chrome->machine, i);

      if (wp_trace_shows_use (chrome->trace, event->sm, stay.pipeline))
        write_use (chrome, event, stay);
    }
}

static void
write_async (Chrome *chrome, const gchar *phase, guint32 sm, guint64 thread, WpTick time,
             const gchar *category, guint64 id, const gchar *name)
{
  open_at (chrome, phase, sm, thread, time);
  APPEND (chrome, ",\"cat\":\"");
  APPEND (chrome, category);
  append_member (chrome, "\",\"id\":", id);
  append_name (chrome, name);
  close_event (chrome);
}

static void
write_execution (Chrome *chrome, const WpIssueEvent *event, const WpInstr *instr)
{
  WpTick from = event->time, to = event->complete;
  guint64 thread;

  if (event->complete <= event->time || !cut (chrome, &from, &to))
    return;
  thread = get_slot_thread (chrome, event->sm, event->slot);
  write_async (chrome, "b", event->sm, thread, from, "execution", chrome->n_async,
               chrome->names[instr->cost->name]);
  write_async (chrome, "e", event->sm, thread, to, "execution", chrome->n_async++,
               chrome->names[instr->cost->name]);
}

/* Writes an arrow from the start of an instruction in its pipeline to the start of one that used
 * its result; not from a posted one that starts later still. */
static void
write_flow (Chrome *chrome, const WpIssueEvent *event, const WpFollowOrigin *origin)
{
  const WpMachine *machine = chrome->machine;
  const WpInstr *instr = &machine->instrs[event->instr];
  gboolean barrier = instr->cost->pipeline == WP_NO_PIPELINE;
  Place place;

  if (origin->start < chrome->from || event->start < chrome->from || event->start >= chrome->to
      || origin->start > event->start)
    return;
  place = get_pipeline_place (chrome, event->sm, machine->instrs[origin->instr].cost->pipeline,
                              event->scheduler);
  write_async (chrome, "s", place.sm, place.thread, origin->start, "dependence", chrome->n_flows,
               "\"dependence\"");
  if (barrier)
    place = (Place){ event->sm, get_slot_thread (chrome, event->sm, event->slot) };
  else
    place = get_pipeline_place (chrome, event->sm, instr->cost->pipeline, event->scheduler);
  open_at (chrome, "f", place.sm, place.thread, event->start);
  append_member (chrome, ",\"bp\":\"e\",\"cat\":\"dependence\",\"id\":", chrome->n_flows++);
  append_name (chrome, "\"dependence\"");
  close_event (chrome);
}

/* It is in flight in each of the pipelines that it passes. */
static void
count_in_flight (Chrome *chrome, const WpIssueEvent *event)
{
  Sm *sm = &chrome->sms[event->sm];

  complete_until (chrome, event->sm, event->time);
  if (event->complete <= event->time)
    return;
  for (guint32 i = 0; i < wp_stays_count (&chrome->stays, chrome->machine); i++)
    {
      guint32 pipeline = wp_stays_get (&chrome->stays, chrome->machine, i).pipeline;

      sm->n_in_flight[pipeline]++;
      push (sm->in_flight, (Completion){ event->complete, pipeline });
    }
  sm->flight.changed = TRUE;
}

/* Writes what has issued last, of which all is known. */
static void
write_instruction (WpTrace *trace)
{
  Chrome *chrome = trace->state;
  const WpIssueEvent *event = &chrome->stays.issue;
  const WpInstr *instr = &trace->machine->instrs[event->instr];
  const WpFollowIssue *issue;

  if (!wp_trace_shows_sm (trace, event->sm))
    {
      write_uses (chrome);
      return;
    }
  issue = wp_follow_issue (trace->follow, event);
  for (guint i = 0; i < issue->n_waits; i++)
    write_wait (chrome, issue->warp, &issue->waits[i], event);
  write_issue (chrome, event);
  if (instr->cost->pipeline != WP_NO_PIPELINE)
    {
      write_uses (chrome);
      write_execution (chrome, event, instr);
      count_in_flight (chrome, event);
    }
  for (guint i = 0; i < issue->n_origins; i++)
    write_flow (chrome, event, &issue->origins[i]);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  Chrome *chrome = ((WpTrace *)data)->state;

  if (wp_stays_take_issue (&chrome->stays, chrome->machine, event))
    write_instruction (data);
}

static void
on_pass (void *data, const WpPassEvent *event)
{
  Chrome *chrome = ((WpTrace *)data)->state;

  if (wp_stays_take_pass (&chrome->stays, chrome->machine, event))
    write_instruction (data);
}

/* Writes a block's begin or end, clipped to the window, as asynchronous event ID. */
static void
write_block (Chrome *chrome, const gchar *phase, const WpBlockEvent *event, guint32 slot,
             guint64 id)
{
  g_autofree gchar *name = g_strdup_printf ("\"block %" G_GUINT64_FORMAT "\"", event->block);
  WpTick time = CLAMP (event->time, chrome->from, chrome->to);

  write_async (chrome, phase, event->sm, get_slot_thread (chrome, event->sm, slot), time, "block",
               id, name);
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;
  Chrome *chrome = trace->state;
  Sm *sm = &chrome->sms[event->sm];

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  wp_trace_follow_launch (trace, event);
  settle (chrome, &sm->occupancy, event->sm, event->time, write_occupancy);
  sm->has_blocks = TRUE;
  sm->blocks++;
  sm->warps += trace->machine->warps_per_block;
  sm->occupancy.changed = TRUE;
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpTrace *trace = data;
  Chrome *chrome = trace->state;
  Sm *sm = &chrome->sms[event->sm];
  const WpFollowWarp *warp;
  WpFollowWait drain;
  gboolean drained;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  warp = wp_follow_warp_end (trace->follow, event, &drain, &drained);
  if (drained)
    write_wait (chrome, warp, &drain, NULL);
  settle (chrome, &sm->occupancy, event->sm, event->end, write_occupancy);
  sm->warps--;
  sm->occupancy.changed = TRUE;
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;
  Chrome *chrome = trace->state;
  Sm *sm = &chrome->sms[event->sm];
  WpBlockEvent launch = *event;
  WpTick from, to = event->time;
  guint32 slot;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  slot = wp_trace_follow_block_end (trace, event, &launch.time) * trace->machine->warps_per_block;
  settle (chrome, &sm->occupancy, event->sm, event->time, write_occupancy);
  sm->blocks--;
  sm->occupancy.changed = TRUE;
  from = launch.time;
  if (!cut (chrome, &from, &to))
    return;
  write_block (chrome, "b", &launch, slot, chrome->n_async);
  write_block (chrome, "e", event, slot, chrome->n_async++);
}

/* ---- Beginning and end ---- */

static void
find_threads (Chrome *chrome, const WpMachine *machine)
{
  guint64 passed = wp_machine_find_passed (machine);
  guint32 thread = 1, shared = 1;

  for (guint32 i = 0; i < machine->n_pipelines; i++)
    chrome->any_used |= chrome->used[i] = (passed >> i & 1) != 0;
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    {
      gboolean is_shared = wp_trace_is_shared (machine, i);

      chrome->first_thread[i] = is_shared ? shared : thread;
      if (is_shared)
        shared += (guint32)wp_machine_count_instances (machine, i);
      else
        thread += machine->pipelines[i].per_scheduler ? machine->n_schedulers : 1;
    }
  chrome->n_pipeline_threads = thread - 1;
}

/* Appends what produced the trace. */
static void
append_making (Chrome *chrome)
{
  const WpTraceOptions *options = &chrome->trace->options;
  g_autofree gchar *kernel = quote (options->kernel);
  g_autofree gchar *gpu = quote (options->gpu);
  g_autofree gchar *policy = quote (options->policy);
  gchar mhz[WP_TIME_CHARS];

  g_string_append_printf (chrome->buffer,
                          "{\"program\":\"warpipe\",\"kernel\":%s,\"gpu\":%s,\"policy\":%s,"
                          "\"clock_mhz\":\"%s\",\"microsecond\":\"%s\"}",
                          kernel, gpu, policy, wp_cycles_format (options->clock_mhz, mhz),
                          options->real_time ? "of the GPU" : "a cycle");
}

static gpointer
begin (WpTrace *trace)
{
  Chrome *chrome = g_new0 (Chrome, 1);
  const WpMachine *machine = trace->machine;

  chrome->trace = trace;
  chrome->machine = machine;
  chrome->from = trace->options.window.from;
  chrome->to = MIN (trace->options.window.to, WP_TICK_LIMIT);
  trace->follow = wp_follow_new (machine, trace->options.arrows, chrome->to);
  chrome->buffer = g_string_sized_new (BUFFER + 4096);
  chrome->names = g_new0 (gchar *, (gsize)machine->n_names + 1);
  for (guint32 i = 0; i < machine->n_names; i++)
    chrome->names[i] = quote (machine->names[i]);
  chrome->pipelines = g_new0 (gchar *, (gsize)machine->n_pipelines + 1);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    chrome->pipelines[i] = quote (machine->pipelines[i].name);
  chrome->used = g_new0 (gboolean, machine->n_pipelines + 1);
  chrome->first_thread = g_new0 (guint32, machine->n_pipelines + 1);
  find_threads (chrome, machine);
  set_clock (chrome, trace->options.real_time ? trace->options.clock_mhz : wp_cycles_whole (1),
             machine->ticks_per_cycle);
  chrome->sms = g_new0 (Sm, machine->simulated_sms + 1);
  for (guint32 i = 0; i <= machine->simulated_sms; i++)
    {
      chrome->sms[i].named = g_array_new (FALSE, TRUE, sizeof (gboolean));
      chrome->sms[i].in_flight = g_array_new (FALSE, FALSE, sizeof (Completion));
      chrome->sms[i].n_in_flight = g_new0 (guint64, machine->n_pipelines + 1);
    }
  return chrome;
}

static void
end (WpTrace *trace)
{
  Chrome *chrome = trace->state;

  for (guint32 i = 0; i < trace->machine->simulated_sms; i++)
    {
      if (!wp_trace_shows_sm (trace, i) || !chrome->sms[i].has_blocks)
        continue;
      complete_until (chrome, i, WP_TICK_LIMIT);
      settle (chrome, &chrome->sms[i].occupancy, i, WP_TICK_LIMIT, write_occupancy);
    }
  APPEND (chrome, "\n],\"displayTimeUnit\":\"ns\",\"otherData\":");
  append_making (chrome);
  APPEND (chrome, "}\n");
  errno = 0;
  wp_trace_flush (chrome->trace, chrome->buffer, 0);
}

static void
clear (gpointer state)
{
  Chrome *chrome = state;
  const WpMachine *machine = chrome->machine;

  for (guint32 i = 0; i <= machine->simulated_sms; i++)
    {
      g_array_unref (chrome->sms[i].named);
      g_array_unref (chrome->sms[i].in_flight);
      g_free (chrome->sms[i].n_in_flight);
    }
  for (guint32 i = 0; i < WP_N_STALLS * (WP_MAX_PIPELINES + 1); i++)
    g_free (chrome->waits[i / (WP_MAX_PIPELINES + 1)][i % (WP_MAX_PIPELINES + 1)]);
  g_strfreev (chrome->names);
  g_strfreev (chrome->pipelines);
  g_free (chrome->used);
  g_free (chrome->first_thread);
  g_free (chrome->sms);
  g_string_free (chrome->buffer, TRUE);
  g_free (chrome);
}

const WpTraceKind wp_trace_chrome = {
  .name = "Chrome trace",
  .columns = "{\"traceEvents\":[",
  .observer = { .block_launch = on_block_launch,
                .issue = on_issue,
                .pass = on_pass,
                .warp_end = on_warp_end,
                .block_end = on_block_end },
  .begin = begin,
  .end = end,
  .clear = clear,
};
