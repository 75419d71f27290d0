/* SPDX-License-Identifier: MIT */
/* Writes Kanata 0004, the log that Konata draws: a line for each instruction and each of its
 * stages.
 *
 *   Dp  waits for a result     Br  for a barrier's release    Il  between issues of its warp
 *   Pw  for the pipeline       Sc  for the scheduler
 *   Qu  in its queue           Is  occupies the pipeline (lambda)    X  until it is complete
 *   Ba  a barrier, from its arrival to its release
 *
 * These are lane 0. Lanes 1, 2, ... are the pipelines of the instruction's path: Qu while it waits
 * there, then the pipeline's name while it occupies that.
 *
 * Konata recognizes execution by the X: arrows of dependences connect those.
 *
 * The log is ordered by time, and an instruction begins in it when its warp has issued the previous
 * one; but its waits are known only when it issues, and a barrier's end only when it is released.
 * So a sorter, whose memory is bounded, puts instructions in order, and the log is written at the
 * end. Then, only the instructions that are alive at one time are in memory.
 *
 * The format counts whole cycles. Times are rounded down to cycles and not given in ticks, so that
 * the axis is that of the GPU's clock; what happens within a cycle keeps its order. Exact times are
 * in the second label. */
#include "traces/table/wp-sorter.h"
#include "traces/table/wp-trace.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define BUFFER 65536                            /* bytes written at once */
#define MAX_MARKS (2 * (6 + 2 * WP_MAX_PASSES)) /* a lane has 6 stages at most, others 2 */

/* An instruction or, if `part` > 0, one of its dependences. */
typedef struct
{
  WpTick begin;   /* in the log */
  guint64 number; /* of the instruction, in issue order */
  guint32 part;   /* 1, 2, ... for its dependences */
  guint32 sm, slot, warp, instr;
  guint8 stall;         /* the reason for `ready` */
  guint64 block, index; /* of a dependence: the producer's */
  guint64 result;       /* see WpFollowIssue */
  WpTick ready, accept, time, start, complete;
  WpTick left; /* when it has left all that it passes */
  guint32 n_passes;
  WpTick begins[WP_MAX_PASSES]; /* only as many are kept as the longest path has */
} Record;

/* A stage of LANE begins, or ends. */
typedef struct
{
  const gchar *name;
  WpTick time;
  guint8 lane;
  gboolean ends;
} Mark;

/* An instruction that is in the log and has not left it. */
typedef struct
{
  guint64 id, number;
  guint n_marks, at;
  Mark marks[]; /* [n_marks], by time */
} Alive;

/* The last instruction of a slot with that result. */
typedef struct
{
  guint64 index, id; /* id: + 1; 0: none */
} Result;

typedef struct
{
  guint64 block;
  Result *results;
} Slot;

typedef struct
{
  WpTrace *trace;
  const WpMachine *machine;
  WpTick from, to;
  gsize record_size; /* of a Record as it is kept */
  WpSorter *sorter;
  GHashTable *arrived; /* block -> GArray of Record: barriers without a release yet */
  guint64 n_issued;
  WpStays stays; /* what has issued last */

  /* The rest is used while the log is written. */
  GString *buffer;
  WpTick now; /* in cycles */
  gboolean begun;
  guint64 n_ids, n_retired;
  gboolean has_last;
  Record last;       /* the last instruction, until its dependences are written */
  Alive *last_alive; /* the same instruction, if it takes no time and is not in the heap */
  GPtrArray *heap;   /* of Alive, by the next mark, then by number */
  GHashTable *slots; /* from SM and slot to Slot */
} Konata;

/* ---- Recording ---- */

static gint
compare (gconstpointer left, gconstpointer right)
{
  const Record *a = left, *b = right;

  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  if (a->number != b->number)
    return a->number < b->number ? -1 : 1;
  return a->part < b->part ? -1 : a->part > b->part;
}

/* Returns when the instruction leaves the log: it is complete, and has left its pipelines. */
static WpTick
get_end (const WpMachine *machine, const Record *record)
{
  const WpInstr *instr = &machine->instrs[record->instr];

  return instr->cost->pipeline == WP_NO_PIPELINE ? record->complete
                                                 : MAX (record->complete, record->left);
}

static void
add (Konata *konata, Record *record)
{
  /* An instruction that issues at the beginning of the window is in it, even if it takes no time.
   */
  if (record->begin >= konata->to
      || (record->time < konata->from && get_end (konata->machine, record) <= konata->from))
    return;
  record->begin = MAX (record->begin, konata->from);
  if (!wp_sorter_add (konata->sorter, record))
    wp_trace_fail (konata->trace);
}

static void
add_dependence (Konata *konata, const Record *record, const WpFollowOrigin *origin, guint32 part)
{
  Record dependence = *record;

  dependence.part = part;
  dependence.index = origin->index;
  dependence.result = origin->result;
  add (konata, &dependence);
}

/* Holds a barrier back until its release is known. */
static void
hold (Konata *konata, const Record *record)
{
  GArray *records = g_hash_table_lookup (konata->arrived, &record->block);

  if (records == NULL)
    {
      records = g_array_new (FALSE, FALSE, sizeof (Record));
      g_hash_table_insert (konata->arrived, g_memdup2 (&record->block, sizeof record->block),
                           records);
    }
  g_array_append_vals (records, record, 1);
}

/* Records what has issued last, of which all is known. */
static void
record_issue (WpTrace *trace)
{
  Konata *konata = trace->state;
  const WpIssueEvent *event = &konata->stays.issue;
  gboolean barrier = wp_instr_is_barrier (&trace->machine->instrs[event->instr]);
  const WpFollowIssue *issue;
  Record record;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  issue = wp_follow_issue (trace->follow, event);
  record = (Record){
    .begin = event->follows ? event->time : issue->since,
    .number = konata->n_issued++,
    .sm = event->sm,
    .slot = event->slot,
    .warp = event->warp,
    .instr = event->instr,
    .stall = issue->n_waits > 0 ? (guint8)issue->waits[0].stall : WP_STALL_DEPENDENCY,
    .block = event->block,
    .index = event->index,
    .result = issue->result,
    .ready = event->ready,
    .accept = MAX (event->accept, event->ready),
    .time = event->time,
    .start = event->start,
    .complete = event->complete,
    .left = wp_stays_find_end (&konata->stays, trace->machine),
    .n_passes = konata->stays.n_begins,
  };
  memcpy (record.begins, konata->stays.begins, record.n_passes * sizeof *record.begins);
  /* Its dependences go first, because add() changes `begin`. */
  for (guint i = 0; i < issue->n_origins; i++)
    {
      if (barrier)
        record.complete = WP_TICK_LIMIT;
      add_dependence (konata, &record, &issue->origins[i], i + 1);
    }
  if (barrier)
    hold (konata, &record);
  else
    add (konata, &record);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  Konata *konata = ((WpTrace *)data)->state;

  if (wp_stays_take_issue (&konata->stays, konata->machine, event))
    record_issue (data);
}

static void
on_pass (void *data, const WpPassEvent *event)
{
  Konata *konata = ((WpTrace *)data)->state;

  if (wp_stays_take_pass (&konata->stays, konata->machine, event))
    record_issue (data);
}

static void
on_release (void *data, const WpReleaseEvent *event)
{
  WpTrace *trace = data;
  Konata *konata = trace->state;
  GArray *records;
  guint kept = 0;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  records = g_hash_table_lookup (konata->arrived, &event->block);
  for (guint i = 0; records != NULL && i < records->len; i++)
    {
      Record *record = &g_array_index (records, Record, i);

      if (!wp_release_is_of (event, konata->machine->instrs[record->instr].cost->barrier,
                             record->warp))
        {
          g_array_index (records, Record, kept++) = *record;
          continue;
        }
      record->complete = event->release;
      add (konata, record);
    }
  if (kept == 0)
    g_hash_table_remove (konata->arrived, &event->block);
  else
    g_array_set_size (records, kept);
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  wp_trace_follow_launch (trace, event);
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpTrace *trace = data;
  gboolean drained;
  WpFollowWait drain;

  if (wp_trace_shows_sm (trace, event->sm))
    wp_follow_warp_end (trace->follow, event, &drain, &drained);
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;
  WpTick start;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  wp_trace_follow_block_end (trace, event, &start);
}

/* ---- Lines ---- */

static void
append (Konata *konata, const gchar *command, guint64 number)
{
  g_string_append_len (konata->buffer, command, (gssize)strlen (command));
  g_string_append_c (konata->buffer, '\t');
  wp_trace_append_number (konata->buffer, number);
}

static void
end_line (Konata *konata)
{
  g_string_append_c (konata->buffer, '\n');
  wp_trace_flush (konata->trace, konata->buffer, BUFFER);
}

/* Advances the log's time to TIME, in ticks. */
static void
go_to (Konata *konata, WpTick time)
{
  WpTick cycle = MIN (time, konata->to) / konata->machine->ticks_per_cycle;

  if (konata->begun && cycle <= konata->now)
    return;
  append (konata,
          konata->begun ? "C" : "C=", (guint64)(konata->begun ? cycle - konata->now : cycle));
  end_line (konata);
  konata->begun = TRUE;
  konata->now = cycle;
}

static void
write_mark (Konata *konata, guint64 id, const Mark *mark)
{
  append (konata, mark->ends ? "E" : "S", id);
  append (konata, "", mark->lane);
  g_string_append_c (konata->buffer, '\t');
  g_string_append (konata->buffer, mark->name);
  end_line (konata);
}

static void
retire (Konata *konata, const Alive *alive)
{
  append (konata, "R", alive->id);
  append (konata, "", konata->n_retired++);
  g_string_append (konata->buffer, "\t0");
  end_line (konata);
}

static void
write_labels (Konata *konata, const Record *record, guint64 id)
{
  const WpMachine *machine = konata->machine;
  const WpTrace *trace = konata->trace;
  const WpInstr *instr = &machine->instrs[record->instr];
  gchar time[WP_TIME_CHARS], start[WP_TIME_CHARS], complete[WP_TIME_CHARS];

  append (konata, "L", id);
  if (machine->simulated_sms > 1)
    g_string_append_printf (konata->buffer, "\t0\tSM %u block ", record->sm);
  else
    g_string_append (konata->buffer, "\t0\tblock ");
  wp_trace_append_number (konata->buffer, record->block);
  g_string_append (konata->buffer, " warp ");
  wp_trace_append_number (konata->buffer, record->warp);
  g_string_append (konata->buffer, " #");
  wp_trace_append_number (konata->buffer, record->index);
  g_string_append_c (konata->buffer, ' ');
  g_string_append (konata->buffer, machine->names[instr->cost->name]);
  end_line (konata);
  append (konata, "L", id);
  g_string_append (konata->buffer, "\t1\t");
  if (instr->cost->pipeline != WP_NO_PIPELINE)
    g_string_append (konata->buffer, machine->pipelines[instr->cost->pipeline].name);
  g_string_append_printf (konata->buffer, " issue %s start %s",
                          WP_TRACE_TIME (trace, record->time, time),
                          WP_TRACE_TIME (trace, record->start, start));
  for (guint32 i = 0; i < record->n_passes; i++)
    g_string_append_printf (
        konata->buffer, " %s %s",
        machine->pipelines[machine->passes[instr->cost->first_pass + i].pipeline].name,
        WP_TRACE_TIME (trace, record->begins[i], start));
  g_string_append_printf (konata->buffer, " complete %s",
                          WP_TRACE_TIME (trace, record->complete, complete));
  end_line (konata);
}

/* ---- Instructions that are alive ---- */

static gboolean
is_before (const Alive *a, const Alive *b)
{
  WpTick first = a->marks[a->at].time, second = b->marks[b->at].time;

  return first != second ? first < second : a->number < b->number;
}

static void
sift (GPtrArray *heap, guint i)
{
  gpointer moved;

  for (guint child = 2 * i + 1; child < heap->len; child = 2 * i + 1)
    {
      if (child + 1 < heap->len && is_before (heap->pdata[child + 1], heap->pdata[child]))
        child++;
      if (!is_before (heap->pdata[child], heap->pdata[i]))
        return;
      moved = heap->pdata[i];
      heap->pdata[i] = heap->pdata[child];
      heap->pdata[child] = moved;
      i = child;
    }
}

static void
push (GPtrArray *heap, Alive *alive)
{
  guint i = heap->len;

  g_ptr_array_add (heap, alive);
  for (; i > 0 && is_before (alive, heap->pdata[(i - 1) / 2]); i = (i - 1) / 2)
    {
      heap->pdata[i] = heap->pdata[(i - 1) / 2];
      heap->pdata[(i - 1) / 2] = alive;
    }
}

/* Writes what begins and ends next of an instruction, all that is at one time. */
static void
write_marks (Konata *konata, Alive *alive)
{
  WpTick time = alive->marks[alive->at].time;

  for (; alive->at < alive->n_marks && alive->marks[alive->at].time == time; alive->at++)
    write_mark (konata, alive->id, &alive->marks[alive->at]);
}

/* Goes on to the next mark of all, after which its instruction may leave. */
static void
go_on (Konata *konata)
{
  GPtrArray *heap = konata->heap;
  Alive *alive = heap->pdata[0];

  go_to (konata, alive->marks[alive->at].time);
  write_marks (konata, alive);
  if (alive->at == alive->n_marks)
    {
      retire (konata, alive);
      g_free (alive);
      heap->pdata[0] = heap->pdata[heap->len - 1];
      heap->pdata[heap->len - 1] = NULL;
      g_ptr_array_set_size (heap, (gint)heap->len - 1);
    }
  if (heap->len > 0)
    sift (heap, 0);
}

/* The marks of an instruction, while they are found. */
typedef struct
{
  WpTick limit; /* nothing begins then, or later */
  guint n;
  Mark marks[MAX_MARKS];
} Marks;

/* Of marks at one time those that were added first stay first. */
static void
add_mark (Marks *marks, Mark mark)
{
  guint i = marks->n++;

  for (; i > 0 && marks->marks[i - 1].time > mark.time; i--)
    marks->marks[i] = marks->marks[i - 1];
  marks->marks[i] = mark;
}

/* Adds the stage NAME from *FROM up to TO, if that is not empty. */
static void
add_stage (Marks *marks, guint8 lane, const gchar *name, WpTick *from, WpTick to)
{
  if (to <= *from)
    return;
  if (*from < marks->limit)
    {
      add_mark (marks, (Mark){ name, *from, lane, FALSE });
      add_mark (marks, (Mark){ name, to, lane, TRUE });
    }
  *from = to;
}

/* The stays of RECORD. */
static WpStays
get_stays (const Konata *konata, const Record *record)
{
  WpStays stays = { .issue = { .sm = record->sm, .instr = record->instr, .start = record->start },
                    .n_begins = record->n_passes,
                    .first_pass = konata->machine->instrs[record->instr].cost->first_pass };

  memcpy (stays.begins, record->begins, record->n_passes * sizeof *record->begins);
  return stays;
}

/* Adds lane I: the I-th pipeline of the path. */
static void
add_lane (const Konata *konata, const Record *record, const WpStays *stays, guint32 i, Marks *marks)
{
  WpStay stay = wp_stays_get (stays, konata->machine, i);
  WpTick from = MAX (record->begin, wp_stays_get (stays, konata->machine, i - 1).from);

  add_stage (marks, (guint8)i, "Qu", &from, stay.from);
  add_stage (marks, (guint8)i, konata->machine->pipelines[stay.pipeline].name, &from, stay.to);
}

static void
find_marks (const Konata *konata, const Record *record, Marks *marks)
{
  static const gchar *const causes[]
      = { [WP_STALL_BARRIER] = "Br",  [WP_STALL_DEPENDENCY] = "Dp",   [WP_STALL_ILP] = "Il",
          [WP_STALL_PIPELINE] = "Pw", [WP_STALL_NOT_SELECTED] = "Sc", [WP_STALL_DRAIN] = "" };
  const WpInstr *instr = &konata->machine->instrs[record->instr];
  WpStays stays = get_stays (konata, record);
  WpTick from = record->begin;

  add_stage (marks, 0, causes[record->stall], &from, record->ready);
  add_stage (marks, 0, "Pw", &from, record->accept);
  add_stage (marks, 0, "Sc", &from, record->time);
  if (instr->cost->pipeline == WP_NO_PIPELINE)
    {
      add_stage (marks, 0, "Ba", &from, record->complete);
      return;
    }
  add_stage (marks, 0, "Qu", &from, record->start);
  add_stage (marks, 0, "Is", &from, wp_stays_get (&stays, konata->machine, 0).to);
  add_stage (marks, 0, "X", &from, record->complete);
  for (guint32 i = 1; i <= record->n_passes; i++)
    add_lane (konata, record, &stays, i, marks);
}

/* ---- The log ---- */

/* Returns the index of its slot among those of all SMs. */
static guint64
get_place (const WpMachine *machine, const Record *record)
{
  return (guint64)record->sm * machine->resident_blocks * machine->warps_per_block + record->slot;
}

static Slot *
get_slot (Konata *konata, const Record *record)
{
  gint64 key
      = (gint64)get_place (konata->machine, record); /* low digits distinguish keys, since hashing
                                                      * uses those */
  Slot *slot = g_hash_table_lookup (konata->slots, &key);

  if (slot == NULL)
    {
      slot = g_new0 (Slot, 1);
      slot->results = g_new0 (Result, wp_follow_get_room (konata->trace->follow));
      slot->block = record->block;
      g_hash_table_insert (konata->slots, g_memdup2 (&key, sizeof key), slot);
    }
  if (slot->block != record->block) /* of a warp that has ended */
    memset (slot->results, 0, wp_follow_get_room (konata->trace->follow) * sizeof *slot->results);
  slot->block = record->block;
  return slot;
}

static void
free_slot (gpointer data)
{
  g_free (((Slot *)data)->results);
  g_free (data);
}

/* Writes that the last instruction in the log uses a result. */
static void
write_dependence (Konata *konata, const Record *record)
{
  const Result *result = &get_slot (konata, record)->results[record->result];

  if (!konata->has_last || konata->last.number != record->number || result->id == 0
      || result->index != record->index)
    return; /* it, or its producer, is not in the log */
  append (konata, "W", konata->n_ids - 1);
  append (konata, "", result->id - 1);
  g_string_append (konata->buffer, "\t0");
  end_line (konata);
}

static void
write_instruction (Konata *konata, const Record *record)
{
  guint64 id = konata->n_ids++;
  Marks marks;
  Alive *alive;

  marks.limit = konata->to;
  marks.n = 0;
  find_marks (konata, record, &marks);
  alive = g_malloc (sizeof *alive + marks.n * sizeof *alive->marks);
  *alive = (Alive){ .id = id, .number = record->number, .n_marks = marks.n };
  memcpy (alive->marks, marks.marks, marks.n * sizeof *alive->marks);
  append (konata, "I", id);
  append (konata, "", record->number);
  append (konata, "", get_place (konata->machine, record));
  end_line (konata);
  write_labels (konata, record, id);
  konata->has_last = TRUE;
  memcpy (&konata->last, record, konata->record_size);
  if (alive->n_marks == 0)
    {
      konata->last_alive = alive;
      return;
    }
  write_marks (konata, alive);
  push (konata->heap, alive);
}

/* All dependences of the last instruction are written. From now on others may depend on it; it may
 * depend on its predecessor with the same result, so that this has to wait until here. */
static void
settle_last (Konata *konata)
{
  const Record *last = &konata->last;

  if (konata->has_last && last->result != WP_FOLLOW_NO_RESULT)
    get_slot (konata, last)->results[last->result] = (Result){ last->index, konata->n_ids };
  if (konata->last_alive != NULL)
    retire (konata, konata->last_alive);
  g_clear_pointer (&konata->last_alive, g_free);
  konata->has_last = FALSE;
}

static gboolean
ends_by (const Konata *konata, WpTick time)
{
  const Alive *first = konata->heap->len > 0 ? konata->heap->pdata[0] : NULL;

  return first != NULL && first->marks[first->at].time <= time;
}

static gboolean
write_record (gconstpointer data, gpointer user_data)
{
  const Record *record = data;
  Konata *konata = user_data;

  if (record->part > 0)
    {
      write_dependence (konata, record);
      return wp_trace_goes_on (konata->trace);
    }
  settle_last (konata);
  while (ends_by (konata, record->begin))
    go_on (konata);
  go_to (konata, record->begin);
  write_instruction (konata, record);
  return wp_trace_goes_on (konata->trace);
}

static void
end (WpTrace *trace)
{
  Konata *konata = trace->state;

  errno = 0;
  if (!wp_sorter_drain (konata->sorter, write_record, konata))
    wp_trace_fail (trace);
  settle_last (konata);
  while (konata->heap->len > 0 && wp_trace_goes_on (trace))
    go_on (konata);
  go_to (konata, konata->from); /* if the log is empty */
  wp_trace_flush (trace, konata->buffer, 0);
}

static gpointer
begin (WpTrace *trace)
{
  Konata *konata = g_new0 (Konata, 1);

  konata->trace = trace;
  konata->machine = trace->machine;
  konata->from = trace->options.window.from;
  konata->to = MIN (trace->options.window.to, WP_TICK_LIMIT);
  trace->follow = wp_follow_new (trace->machine, TRUE, konata->to);
  konata->record_size
      = offsetof (Record, begins) + wp_machine_find_longest_path (trace->machine) * sizeof (WpTick);
  konata->sorter = wp_sorter_new (konata->record_size, compare);
  konata->arrived
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
  konata->buffer = g_string_sized_new (BUFFER + 4096);
  konata->heap = g_ptr_array_new_with_free_func (g_free);
  konata->slots = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_slot);
  return konata;
}

static void
clear (gpointer state)
{
  Konata *konata = state;

  wp_sorter_free (konata->sorter);
  g_hash_table_unref (konata->arrived);
  g_string_free (konata->buffer, TRUE);
  g_ptr_array_unref (konata->heap);
  g_free (konata->last_alive);
  g_hash_table_unref (konata->slots);
  g_free (konata);
}

const WpTraceKind wp_trace_konata = {
  .name = "Kanata log",
  .columns = "Kanata\t0004",
  .observer = { .block_launch = on_block_launch,
                .issue = on_issue,
                .pass = on_pass,
                .barrier_release = on_release,
                .warp_end = on_warp_end,
                .block_end = on_block_end },
  .begin = begin,
  .end = end,
  .clear = clear,
};
