/* SPDX-License-Identifier: MIT */
/* The structures behind the engine's list of waiting warps, by random calls, against an array that
 * is searched: the wheel and the list of slots give each slot exactly at its time, and the lists of
 * keys each bit. And the sets of those that are ready.
 */
#include <glib.h>

#include "sim/base/wp-key-list.h"
#include "sim/base/wp-key-queue.h"
#include "sim/base/wp-ready-sets.h"
#include "sim/base/wp-slot-list.h"
#include "sim/base/wp-wheel.h"

#include "tests/check-main.h"

#define N_TESTS 20
#define N_SLOTS 40
#define N_STEPS 3000

/* What each slot is due at; NOT_IN: it is not in. */
#define NOT_IN -1

static WpTick
find_earliest (const WpTick *times)
{
  WpTick earliest = WP_TICK_LIMIT;

  for (guint i = 0; i < N_SLOTS; i++)
    if (times[i] != NOT_IN)
      earliest = MIN (earliest, times[i]);
  return earliest;
}

/* Mostly soon, sometimes so late that it passes several levels of the wheel. */
static WpTick
choose_delay (GRand *rand)
{
  guint bits = (guint)g_rand_int_range (rand, 1, g_rand_int_range (rand, 0, 4) == 0 ? 40 : 9);

  return 1 + (WpTick)(((guint64)g_rand_int (rand) << 32 | g_rand_int (rand)) >> (64 - bits));
}

/* Time goes on to the next time of the wheel, at which nothing need be due, but not beyond. */
static void
take_next (WpWheel *wheel, WpTick *times, WpTick *now)
{
  WpTick earliest = find_earliest (times);
  guint n = 0, n_due = 0;

  ck_assert (wheel->next <= earliest);
  if (wheel->next == WP_TICK_LIMIT)
    return;
  *now = MAX (*now, wheel->next);
  for (guint i = 0; i < N_SLOTS; i++)
    n_due += times[i] == *now;
  for (guint slot = wp_wheel_take (wheel, *now); slot != WP_NO_SLOT; slot = wheel->links[slot])
    {
      ck_assert_uint_lt (slot, N_SLOTS);
      ck_assert_int_eq (times[slot], *now);
      times[slot] = NOT_IN;
      ck_assert_uint_le (++n, n_due);
    }
  ck_assert_uint_eq (n, n_due);
}

START_TEST (a_wheel_gives_each_slot_at_its_time)
{
  GRand *rand = g_rand_new_with_seed ((guint32)_i);
  WpTick times[N_SLOTS], now = 0;
  WpWheel wheel;

  ck_assert (wp_wheel_init (&wheel, N_SLOTS));
  for (guint i = 0; i < N_SLOTS; i++)
    times[i] = NOT_IN;
  for (guint step = 0; step < N_STEPS / check_get_stride (); step++)
    {
      guint slot = (guint)g_rand_int_range (rand, 0, N_SLOTS);

      if (times[slot] == NOT_IN)
        wp_wheel_put (&wheel, slot, times[slot] = now + choose_delay (rand));
      else if (g_rand_boolean (rand))
        {
          wp_wheel_remove (&wheel, slot);
          times[slot] = NOT_IN;
        }
      else
        take_next (&wheel, times, &now);
    }
  while (wheel.next != WP_TICK_LIMIT)
    take_next (&wheel, times, &now);
  ck_assert_int_eq (find_earliest (times), WP_TICK_LIMIT);
  wp_wheel_clear (&wheel);
  g_rand_free (rand);
}
END_TEST

START_TEST (a_list_of_keys_gives_each_bit_at_its_time)
{
  GRand *rand = g_rand_new_with_seed ((guint32)_i);
  WpTick times[N_SLOTS], now = 0;
  WpKeyList list;

  wp_key_list_clear (&list);
  for (guint i = 0; i < N_SLOTS; i++)
    times[i] = NOT_IN;
  for (guint step = 0; step < N_STEPS / check_get_stride (); step++)
    {
      guint bit = (guint)g_rand_int_range (rand, 0, N_SLOTS);
      guint64 taken, due = 0;

      if (times[bit] == NOT_IN)
        {
          times[bit] = now + choose_delay (rand);
          wp_key_list_put (&list, wp_key_make (times[bit], bit));
          continue;
        }
      /* sometimes all of them are due */
      now += g_rand_int_range (rand, 0, 200) == 0 ? INT64_C (1) << 41
                                                  : g_rand_int_range (rand, 0, 100);
      for (guint i = 0; i < N_SLOTS; i++)
        if (times[i] != NOT_IN && times[i] <= now)
          {
            due |= UINT64_C (1) << i;
            times[i] = NOT_IN;
          }
      taken = wp_key_list_take (&list, wp_key_make_later (now));
      ck_assert_uint_eq (taken, due);
      if (find_earliest (times) == WP_TICK_LIMIT)
        ck_assert_uint_eq (*list.first, WP_KEY_NEVER);
      else
        ck_assert_int_eq (wp_key_get_time (*list.first), find_earliest (times));
    }
  g_rand_free (rand);
}
END_TEST

/* As a scheduler's list of keys; several slots may be due at a time, in any order. */
START_TEST (a_list_of_slots_gives_each_slot_at_its_time)
{
  GRand *rand = g_rand_new_with_seed ((guint32)_i);
  WpTick times[N_SLOTS], now = 0;
  WpSlotList list, copy;

  ck_assert (wp_slot_list_init (&list, N_SLOTS) && wp_slot_list_init (&copy, N_SLOTS));
  for (guint i = 0; i < N_SLOTS; i++)
    times[i] = NOT_IN;
  for (guint step = 0; step < N_STEPS / check_get_stride (); step++)
    {
      guint slot = (guint)g_rand_int_range (rand, 0, N_SLOTS);

      ck_assert_int_eq (wp_slot_list_get_next (&list), find_earliest (times));
      if (times[slot] == NOT_IN)
        wp_slot_list_put (&list, slot, times[slot] = now + choose_delay (rand));
      else
        {
          wp_slot_list_copy (&copy, &list);
          now = wp_slot_list_get_next (&copy);
          slot = wp_slot_list_take (&list);
          ck_assert_uint_eq (slot, wp_slot_list_take (&copy));
          ck_assert_int_eq (times[slot], now);
          times[slot] = NOT_IN;
        }
    }
  wp_slot_list_reset (&list);
  ck_assert_int_eq (wp_slot_list_get_next (&list), WP_TICK_LIMIT);
  wp_slot_list_clear (&list);
  wp_slot_list_clear (&copy);
  g_rand_free (rand);
}
END_TEST

START_TEST (a_bit_can_be_called_another)
{
  WpKeyList list, copy;

  wp_key_list_clear (&list);
  wp_key_list_put (&list, wp_key_make (7, 9));
  wp_key_list_put (&list, wp_key_make (5, 3));
  wp_key_list_rename (&list, 9, 2);
  wp_key_list_copy (&copy, &list);
  ck_assert_uint_eq (wp_key_list_take (&copy, wp_key_make_later (6)), UINT64_C (1) << 3);
  ck_assert_uint_eq (wp_key_list_take (&copy, wp_key_make_later (6)), 0);
  ck_assert_uint_eq (wp_key_list_take (&copy, wp_key_make_later (7)), UINT64_C (1) << 2);
  ck_assert_uint_eq (*list.first, wp_key_make (5, 3));
}
END_TEST

/* All that are due at NOW, and no others. */
static void
take_from_queue (WpKeyQueue *queue, WpTick *times, WpTick now)
{
  guint64 later = wp_key_queue_make_later (queue, now);

  while (*queue->first < later)
    {
      guint bit = wp_key_queue_take (queue);

      ck_assert_uint_lt (bit, N_SLOTS);
      ck_assert_int_ne (times[bit], NOT_IN);
      ck_assert_int_le (times[bit], now);
      times[bit] = NOT_IN;
    }
  ck_assert_int_eq (wp_key_queue_get_time (queue, *queue->first), find_earliest (times));
}

START_TEST (a_queue_of_keys_gives_each_bit_at_its_time_or_refuses_it)
{
  GRand *rand = g_rand_new_with_seed ((guint32)_i);
  WpTick times[N_SLOTS], now = 0;
  WpKeyQueue queue, copy;

  ck_assert (wp_key_queue_init (&queue, N_SLOTS));
  ck_assert (wp_key_queue_init (&copy, N_SLOTS));
  for (guint i = 0; i < N_SLOTS; i++)
    times[i] = NOT_IN;
  for (guint step = 0; step < N_STEPS / check_get_stride (); step++)
    {
      guint bit = (guint)g_rand_int_range (rand, 0, N_SLOTS);
      WpTick time = now + choose_delay (rand);

      if (times[bit] == NOT_IN && wp_key_queue_put (&queue, time, bit))
        times[bit] = time;
      else if (times[bit] != NOT_IN)
        take_from_queue (&queue, times, now += g_rand_int_range (rand, 0, 100));
      wp_key_queue_copy (&copy, &queue);
      ck_assert_uint_eq (*copy.first, *queue.first);
    }
  ck_assert (!wp_key_queue_put (&queue, WP_TICK_LIMIT - 1, 0));
  take_from_queue (&queue, times, WP_TICK_LIMIT);
  wp_key_queue_clear (&queue);
  wp_key_queue_clear (&copy);
  g_rand_free (rand);
}
END_TEST

#define N_WORDS 130 /* three words of tops */
#define N_CLASSES 3

/* The bit of the union of CLASSES that comes next after LAST, going round. */
static guint
search_next (const guint8 *members, guint64 classes, guint last)
{
  for (guint i = 1;; i++)
    if ((members[(last + i) % (64 * N_WORDS)] & classes) != 0)
      return (last + i) % (64 * N_WORDS);
}

static void
compare_sets (const WpReadySets *sets, const guint8 *members, guint64 classes, guint last)
{
  guint64 filled = 0;

  for (guint bit = 0; bit < 64 * N_WORDS; bit++)
    filled |= members[bit];
  ck_assert_uint_eq (sets->filled, filled);
  if ((filled & classes) == 0)
    return;
  ck_assert_uint_eq (wp_ready_sets_get_next (sets, classes, last),
                     search_next (members, classes, last));
  ck_assert_uint_eq (wp_ready_sets_get_lowest (sets, classes),
                     search_next (members, classes, 64 * N_WORDS - 1));
  last = wp_ready_sets_get_highest (sets, classes);
  ck_assert_uint_eq (search_next (members, classes, last),
                     search_next (members, classes, 64 * N_WORDS - 1));
  ck_assert_uint_ne (members[last] & classes, 0);
}

START_TEST (ready_sets_find_what_is_in_them)
{
  GRand *rand = g_rand_new_with_seed ((guint32)_i);
  guint8 members[64 * N_WORDS] = { 0 };
  WpReadySets sets;

  ck_assert (wp_ready_sets_init (&sets, N_CLASSES, N_WORDS));
  for (guint step = 0; step < N_STEPS / check_get_stride (); step++)
    {
      guint bit = (guint)g_rand_int_range (rand, 0, 64 * N_WORDS) / 97 * 97;
      guint class = (guint)g_rand_int_range (rand, 0, N_CLASSES);

      if ((members[bit] >> class & 1) == 0)
        wp_ready_sets_add (&sets, class, bit, false);
      else
        wp_ready_sets_remove (&sets, class, bit, false);
      members[bit] ^= (guint8)(1 << class);
      if (step % 32 == 0)
        compare_sets (&sets, members, 1 + step / 32 % 7, bit);
    }
  wp_ready_sets_clear (&sets);
  g_rand_free (rand);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("wake-list");
  TCase *times = tcase_create ("times");

  tcase_add_loop_test (times, a_wheel_gives_each_slot_at_its_time, 0, N_TESTS);
  tcase_add_loop_test (times, a_list_of_keys_gives_each_bit_at_its_time, 0, N_TESTS);
  tcase_add_loop_test (times, a_list_of_slots_gives_each_slot_at_its_time, 0, N_TESTS);
  tcase_add_test (times, a_bit_can_be_called_another);
  tcase_add_loop_test (times, a_queue_of_keys_gives_each_bit_at_its_time_or_refuses_it, 0, N_TESTS);
  tcase_add_loop_test (times, ready_sets_find_what_is_in_them, 0, N_TESTS);
  suite_add_tcase (suite, times);
  return suite;
}
