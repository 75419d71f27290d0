/* SPDX-License-Identifier: MIT */
/* Follows the copies of a warp through the loops of its path. At each wait it is known which copies
 * are outstanding and to which group each belongs; those that the wait names are noted down, by
 * distance. A loop is followed until a round begins as the one before it did, as from there on all
 * rounds are alike.
 *
 * A step has one list of distances for all of its instances. If a distance means a copy that the
 * wait names in one round, and one that it does not name in another, the wait is for both. A second
 * time along the path finds where that happens. */
#include "idg/import/flow/idg-async.h"

#include "idg/import/base/idg-notes.h"

#include <string.h>

enum
{
  MAX_EVENTS = 1 << 22,
  MAX_COPIES = 1 << 12, /* as written */
  KEPT = IDG_MAX_DISTANCE
};

/* What matters of the path: copies, commits, waits, and the loops around them. */
typedef struct
{
  guint step;
  guint partner; /* of a loop: its end; of a copy or wait: which one it is */
} Event;

/* The outstanding instances of one copy, the last ones first. */
typedef struct
{
  guint n; /* KEPT + 1: more than are kept */
  guint64 groups[KEPT];
} Copy;

typedef struct
{
  const IdgCode *code;
  const GArray *steps;
  GArray *events;       /* of Event */
  Copy *copies;         /* by copy */
  GArray *copy_steps;   /* of guint */
  GArray *wait_steps;   /* of guint */
  guint64 group;        /* the one that is open */
  guint64 n_done;       /* what following has cost so far */
  GHashTable *found;    /* set of keys, see make_key() */
  GPtrArray *waits;     /* second time: by wait, a GArray of keys; else NULL */
  gboolean *names_less; /* by wait: in some round it names fewer than it waits for */
  gboolean *has_lost;   /* by wait: it names more than there are distances */
} Follower;

#define get_event(follower, i) (&g_array_index ((follower)->events, Event, (i)))

static const IdgStep *
get_step (const Follower *follower, const Event *event)
{
  return &g_array_index (follower->steps, IdgStep, event->step);
}

static const IdgCodeInstr *
get_instr (const Follower *follower, guint step)
{
  return idg_code_get (follower->code, g_array_index (follower->steps, IdgStep, step).arg);
}

/* ---- The events ---- */

static void
add_event (Follower *follower, guint step)
{
  Event event = { step, 0 };
  GArray *list = NULL;

  if (g_array_index (follower->steps, IdgStep, step).kind == IDG_STEP_INSTR)
    switch (get_instr (follower, step)->async)
      {
      case IDG_ASYNC_NONE:
        return;
      case IDG_ASYNC_COPY:
        list = follower->copy_steps;
        break;
      case IDG_ASYNC_WAIT:
      case IDG_ASYNC_WAIT_ALL:
        list = follower->wait_steps;
        break;
      case IDG_ASYNC_COMMIT:
        break;
      }
  if (list != NULL)
    {
      event.partner = list->len;
      g_array_append_val (list, step);
    }
  g_array_append_val (follower->events, event);
}

/* Ends the loop that began at the event BEGIN; one without copies and waits is left out, and so is
 * one that is never entered. */
static void
end_loop (Follower *follower, guint begin, guint n_copies, guint n_waits, guint step)
{
  gboolean runs = get_step (follower, get_event (follower, begin))->arg > 0;

  if (runs && follower->events->len > begin + 1)
    {
      get_event (follower, begin)->partner = follower->events->len;
      add_event (follower, step);
      return;
    }
  g_array_set_size (follower->events, begin);
  g_array_set_size (follower->copy_steps, n_copies);
  g_array_set_size (follower->wait_steps, n_waits);
}

static void
list_events (Follower *follower)
{
  guint begins[IDG_MAX_DEPTH + 1][3];
  guint depth = 0;

  for (guint i = 0; i < follower->steps->len; i++)
    {
      IdgStepKind kind = g_array_index (follower->steps, IdgStep, i).kind;

      if (kind == IDG_STEP_REPEAT)
        {
          g_assert (depth <= IDG_MAX_DEPTH);
          begins[depth][0] = follower->events->len;
          begins[depth][1] = follower->copy_steps->len;
          begins[depth++][2] = follower->wait_steps->len;
          add_event (follower, i);
        }
      else if (kind == IDG_STEP_END)
        {
          depth--;
          end_loop (follower, begins[depth][0], begins[depth][1], begins[depth][2], i);
        }
      else if (kind == IDG_STEP_INSTR)
        add_event (follower, i);
    }
}

/* ---- Along the path ---- */

static guint64
make_key (const Follower *follower, guint wait, guint copy, guint distance)
{
  return ((guint64)wait * follower->copy_steps->len + copy) * (KEPT + 1) + distance;
}

static void
copy_one (Copy *copy, guint64 group)
{
  memmove (copy->groups + 1, copy->groups, (KEPT - 1) * sizeof *copy->groups);
  copy->groups[0] = group;
  copy->n = MIN (copy->n + 1, KEPT + 1);
}

static void
find (Follower *follower, guint wait, guint copy, guint distance)
{
  guint64 *key = g_new (guint64, 1);

  *key = make_key (follower, wait, copy, distance);
  g_hash_table_add (follower->found, key);
}

/* Looks whether WAIT waits for a copy of the group END or a later one. */
static void
check_more (Follower *follower, guint wait, guint64 end)
{
  const GArray *keys = g_ptr_array_index (follower->waits, wait);

  follower->n_done += keys->len;
  for (guint i = 0; i < keys->len; i++)
    {
      guint64 key = g_array_index (keys, guint64, i);
      guint distance = (guint)(key % (KEPT + 1));
      const Copy *copy = &follower->copies[key / (KEPT + 1) % follower->copy_steps->len];

      if (distance <= MIN (copy->n, KEPT) && copy->groups[distance - 1] >= end)
        follower->names_less[wait] = TRUE;
    }
}

/* WAIT waits for the groups before END. */
static void
wait_for (Follower *follower, guint wait, guint64 end)
{
  if (follower->waits != NULL)
    check_more (follower, wait, end);
  follower->n_done += follower->copy_steps->len;
  for (guint c = 0; c < follower->copy_steps->len; c++)
    {
      Copy *copy = &follower->copies[c];
      guint kept = MIN (copy->n, KEPT), first = 0;

      while (first < kept && copy->groups[first] >= end)
        first++;
      if (first == kept && copy->n <= KEPT)
        continue;
      /* Where even the last distance is not far enough, a later copy is waited for. */
      if (copy->n > KEPT)
        follower->has_lost[wait] = TRUE;
      if (follower->waits == NULL)
        for (guint i = MIN (first, KEPT - 1); i < kept; i++)
          find (follower, wait, c, i + 1);
      copy->n = first == kept ? copy->n : first;
    }
}

static void
follow_instr (Follower *follower, const Event *event)
{
  const IdgCodeInstr *instr = get_instr (follower, event->step);

  switch (instr->async)
    {
    case IDG_ASYNC_COPY:
      copy_one (&follower->copies[event->partner], follower->group);
      break;
    case IDG_ASYNC_COMMIT:
      follower->group++;
      break;
    case IDG_ASYNC_WAIT:
      wait_for (follower, event->partner,
                follower->group - MIN (follower->group, (guint64)instr->groups));
      break;
    case IDG_ASYNC_WAIT_ALL:
      wait_for (follower, event->partner, ++follower->group);
      break;
    case IDG_ASYNC_NONE:
      break;
    }
}

/* What decides the rest of the path: which instances are outstanding, and how many groups ago each
 * was. Two states are equal if their texts are. */
static GByteArray *
get_state (const Follower *follower)
{
  GByteArray *state = g_byte_array_new ();

  for (guint c = 0; c < follower->copy_steps->len; c++)
    {
      const Copy *copy = &follower->copies[c];

      g_byte_array_append (state, (const guint8 *)&copy->n, sizeof copy->n);
      for (guint i = 0; i < MIN (copy->n, KEPT); i++)
        {
          guint64 ago = follower->group - copy->groups[i];

          g_byte_array_append (state, (const guint8 *)&ago, sizeof ago);
        }
    }
  return state;
}

static gboolean
are_equal (const GByteArray *a, const GByteArray *b)
{
  return a != NULL && a->len == b->len && memcmp (a->data, b->data, a->len) == 0;
}

/* Follows the events from BEGIN up to END. Returns FALSE if there are too many. */
static gboolean
follow (Follower *follower, guint begin, guint end)
{
  for (guint i = begin; i < end; i++)
    {
      const Event *event = get_event (follower, i);
      g_autoptr (GByteArray) before = NULL;
      guint partner = event->partner;

      if (++follower->n_done > MAX_EVENTS)
        return FALSE;
      if (get_step (follower, event)->kind != IDG_STEP_REPEAT)
        {
          follow_instr (follower, event);
          continue;
        }
      for (guint round = 0; round < get_step (follower, event)->arg; round++)
        {
          g_autoptr (GByteArray) now = get_state (follower);

          if (are_equal (before, now))
            break;
          follower->n_done += now->len / 64;
          g_clear_pointer (&before, g_byte_array_unref);
          before = g_steal_pointer (&now);
          if (!follow (follower, i + 1, partner))
            return FALSE;
        }
      i = partner;
    }
  return TRUE;
}

/* ---- What came of it ---- */

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

  return x < y ? -1 : x > y;
}

static GArray *
sort_found (const Follower *follower)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, follower->found);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_vals (keys, key, 1);
  g_array_sort (keys, compare_keys);
  return keys;
}

static void
free_keys (gpointer keys)
{
  g_array_unref (keys);
}

/* Follows the path a second time, with the waits for KEYS. */
static void
follow_again (Follower *follower, const GArray *keys)
{
  guint64 a_wait = (guint64)follower->copy_steps->len * (KEPT + 1);

  follower->waits = g_ptr_array_new_with_free_func (free_keys);
  for (guint w = 0; w < follower->wait_steps->len; w++)
    g_ptr_array_add (follower->waits, g_array_new (FALSE, FALSE, sizeof (guint64)));
  for (guint i = 0; i < keys->len; i++)
    {
      guint64 key = g_array_index (keys, guint64, i);

      g_array_append_val ((GArray *)g_ptr_array_index (follower->waits, key / a_wait), key);
    }
  memset (follower->copies, 0, follower->copy_steps->len * sizeof *follower->copies);
  follower->group = 0;
  follower->n_done = 0;
  follow (follower, 0, follower->events->len);
  g_ptr_array_unref (follower->waits);
}

/* Every wait is for the last instance of every copy. Returns FALSE if that is too much. */
static gboolean
find_all (Follower *follower)
{
  g_hash_table_remove_all (follower->found);
  if ((guint64)follower->wait_steps->len * follower->copy_steps->len > MAX_EVENTS)
    return FALSE;
  for (guint w = 0; w < follower->wait_steps->len; w++)
    for (guint c = 0; c < follower->copy_steps->len; c++)
      find (follower, w, c, 1);
  return TRUE;
}

static void
note (const Follower *follower, IdgImport *import, gboolean followed)
{
  for (guint w = 0; w < follower->wait_steps->len; w++)
    {
      const IdgCodeInstr *instr
          = get_instr (follower, g_array_index (follower->wait_steps, guint, w));

      if (!followed)
        idg_import_note (import, follower->code->file, instr->line,
                         "%s: taken as a wait for the last instance of every copy, as there are "
                         "too many to follow",
                         instr->text);
      else if (follower->has_lost[w])
        idg_import_note (import, follower->code->file, instr->line,
                         "%s: waits for the last %d of one copy's instances, as those before are "
                         "taken as done",
                         instr->text, KEPT);
      else if (follower->names_less[w])
        idg_import_note (import, follower->code->file, instr->line,
                         "%s: waits in some rounds also for copies that it does not name there",
                         instr->text);
    }
}

static GArray *
make_waits (const Follower *follower, const GArray *keys)
{
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (IdgAsyncWait));
  guint n_copies = follower->copy_steps->len;

  for (guint i = 0; i < keys->len; i++)
    {
      guint64 key = g_array_index (keys, guint64, i), pair = key / (KEPT + 1);
      IdgAsyncWait wait = { g_array_index (follower->wait_steps, guint, pair / n_copies),
                            g_array_index (follower->copy_steps, guint, pair % n_copies),
                            (guint)(key % (KEPT + 1)) };

      g_array_append_val (waits, wait);
    }
  return waits;
}

static GArray *
find_waits (Follower *follower, IdgImport *import)
{
  g_autoptr (GArray) keys = NULL;
  gboolean followed = follower->copy_steps->len <= MAX_COPIES, can;

  follower->copies = g_new0 (Copy, followed ? follower->copy_steps->len : 1);
  follower->names_less = g_new0 (gboolean, follower->wait_steps->len);
  follower->has_lost = g_new0 (gboolean, follower->wait_steps->len);
  followed = followed && follow (follower, 0, follower->events->len);
  can = followed || find_all (follower);
  keys = sort_found (follower);
  if (followed)
    follow_again (follower, keys);
  if (can)
    note (follower, import, followed);
  g_free (follower->copies);
  g_free (follower->names_less);
  g_free (follower->has_lost);
  return can ? make_waits (follower, keys) : NULL;
}

GArray *
idg_async_find (const IdgCode *code, const GArray *steps, IdgImport *import)
{
  Follower follower
      = { .code = code,
          .steps = steps,
          .events = g_array_new (FALSE, FALSE, sizeof (Event)),
          .copy_steps = g_array_new (FALSE, FALSE, sizeof (guint)),
          .wait_steps = g_array_new (FALSE, FALSE, sizeof (guint)),
          .found = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL) };
  GArray *waits;

  list_events (&follower);
  waits = follower.copy_steps->len > 0 && follower.wait_steps->len > 0
              ? find_waits (&follower, import)
              : g_array_new (FALSE, FALSE, sizeof (IdgAsyncWait));
  g_array_unref (follower.events);
  g_array_unref (follower.copy_steps);
  g_array_unref (follower.wait_steps);
  g_hash_table_unref (follower.found);
  return waits;
}
