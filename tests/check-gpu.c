/* SPDX-License-Identifier: MIT */
/* GPU descriptions: what they mean once `like` is followed, what an op costs in a context, and what
 * is refused. */
#include <glib/gstdio.h>
#include <string.h>

#include "sim/gpu/wp-gpu-oddities.h"
#include "sim/gpu/wp-match.h"
#include "tests/check-main.h"

#define DEVICE "<device sms='2' clock-mhz='1000'/><pipeline name='c'/>\n"
#define ADD "<op name='add' pipeline='c' issue='1' completion='6'/>\n"

static WpGpu *
parse (const gchar *text)
{
  g_autoptr (GError) error = NULL;
  WpGpu *gpu = wp_gpu_parse (text, strlen (text), "g.xml", NULL, &error);

  ck_assert_msg (error == NULL, "%s", error ? error->message : "");
  ck_assert_ptr_nonnull (gpu);
  return gpu;
}

/* BODY begins on line 3. */
static gchar *
wrap (const gchar *body)
{
  return g_strconcat ("<gpu name='g'>\n" DEVICE, body, "</gpu>", NULL);
}

static WpGpu *
parse_body (const gchar *body)
{
  g_autofree gchar *text = wrap (body);

  return parse (text);
}

static void
refuse (const gchar *text, gint code, const gchar *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_parse (text, strlen (text), "g.xml", NULL, &error);

  ck_assert_ptr_null (gpu);
  ck_assert_ptr_nonnull (error);
  ck_assert_str_eq (error->message, message);
  ck_assert (g_error_matches (error, WP_ERROR, code));
}

static void
refuse_body (const gchar *body, gint code, const gchar *message)
{
  g_autofree gchar *text = wrap (body);

  refuse (text, code, message);
}

static const WpGpuOp *
get_op (const WpGpu *gpu, const gchar *name)
{
  const WpGpuOp *op = wp_gpu_get_op (gpu, name);

  ck_assert_ptr_nonnull (op);
  return op;
}

static void
check_time (WpCycles time, gint64 num, gint64 den)
{
  ck_assert_int_eq (time.num, num);
  ck_assert_int_eq (time.den, den);
}

static WpGpuCost
get_cost (const WpGpu *gpu, const gchar *op, const gchar *context)
{
  g_autoptr (GError) error = NULL;
  WpGpuCost cost;

  ck_assert_msg (wp_gpu_op_cost (get_op (gpu, op), context, &cost, &error), "%s",
                 error ? error->message : "");
  return cost;
}

static void
refuse_cost (const WpGpu *gpu, const gchar *op, const gchar *context, const gchar *message)
{
  g_autoptr (GError) error = NULL;
  WpGpuCost cost;

  ck_assert (!wp_gpu_op_cost (get_op (gpu, op), context, &cost, &error));
  ck_assert_str_eq (error->message, message);
}

/* Reading. */

START_TEST (what_is_left_out_has_its_default)
{
  g_autoptr (WpGpu) gpu = parse_body (ADD);
  const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, 0);
  const WpGpuOp *op = get_op (gpu, "add");

  ck_assert_str_eq (gpu->name, "g");
  ck_assert_ptr_null (gpu->title);
  ck_assert_int_eq (gpu->sms, 2);
  ck_assert_int_eq (gpu->warp_size, 32);
  ck_assert_int_eq (gpu->limits.warps, 0);
  ck_assert_int_eq (gpu->limits.blocks, 0);
  ck_assert_int_eq (gpu->limits.register_allocation, 1);
  ck_assert_int_eq (gpu->limits.register_partitions, 1);
  ck_assert_int_eq (gpu->limits.shared_memory_allocation, 1);
  ck_assert (!gpu->limits.register_per_block && !gpu->has_contention);
  check_time (gpu->launch_latency, 0, 1);
  check_time (gpu->barrier_latency, 0, 1);
  check_time (gpu->interval, 1, 1);
  check_time (gpu->ilp_latency, 0, 1);
  ck_assert_int_eq (gpu->schedulers, 1);
  ck_assert_uint_eq (gpu->issue_limit, 1);
  ck_assert_uint_eq (gpu->dual_issue, 1);
  ck_assert_int_eq (gpu->order, WP_ORDER_PROGRAM);
  ck_assert_int_eq (pipeline->kind, WP_KIND_COMPUTE);
  ck_assert_int_eq (pipeline->scope, WP_SCOPE_SM);
  ck_assert_uint_eq (pipeline->queue, 0);
  ck_assert (!pipeline->pairing_never);
  ck_assert_uint_eq (pipeline->channels, 0);
  ck_assert_uint_eq (op->slots, 1);
  ck_assert_uint_eq (op->transactions, 1);
  ck_assert_uint_eq (op->flops + op->bytes, 0);
  ck_assert (!op->posted && !op->spread);
}
END_TEST

START_TEST (a_gpu_is_read_as_written)
{
  g_autoptr (WpGpu) gpu = parse (
      "<gpu name='g' title='G' generation='Maxwell' year='2014'><source> table 1 &amp; 2 </source>"
      "<pipeline name='m' kind='memory' scope='scheduler' queue='unbounded' pairing='never' "
      "channels='9' channel-issue='26.4'/><pipeline name='q' queue='3'/>"
      "<op name='ld' pipeline='m' issue='10000/268' completion='368' bytes='128' transactions='4' "
      "flops='7' slots='2' posted='yes'><spread at='0 50 100' add='-16 1/2 200'/></op>"
      "<scheduler count='4' interval='0' issue-limit='2' dual-issue='2' ilp-latency='6' "
      "order='dataflow'/><barrier latency='34'/><launch latency='225'/>"
      "<contention a='372' b='22' c='221'/>"
      "<limits warps='64' blocks='32' threads='2048' registers='65536' shared-memory='98304' "
      "threads-per-block='1024' registers-per-thread='255' shared-memory-per-block='49152' "
      "register-allocation='256' register-scope='block' register-partitions='4' "
      "shared-memory-allocation='128' shared-memory-reserved='1024'/>"
      "<device sms='16' clock-mhz='1266.5' warp-size='16' pin-gbs='224'/></gpu>");
  const WpGpuPipeline *memory = g_ptr_array_index (gpu->pipelines, 0);
  const WpGpuOp *op = get_op (gpu, "ld");

  ck_assert_str_eq (gpu->title, "G");
  ck_assert_str_eq (gpu->year, "2014");
  ck_assert_uint_eq (gpu->sources->len, 1);
  ck_assert_str_eq (g_ptr_array_index (gpu->sources, 0), "table 1 & 2");
  check_time (gpu->clock_mhz, 2533, 2);
  check_time (gpu->contention_c, 221, 1);
  check_time (gpu->interval, 0, 1);
  check_time (gpu->barrier_latency, 34, 1);
  check_time (gpu->launch_latency, 225, 1);
  ck_assert_int_eq (gpu->order, WP_ORDER_DATAFLOW);
  ck_assert_int_eq (gpu->schedulers, 4);
  ck_assert_uint_eq (gpu->issue_limit, 2);
  ck_assert (gpu->limits.register_per_block);
  ck_assert_int_eq (gpu->limits.shared_memory_reserved, 1024);
  ck_assert_int_eq (gpu->limits.registers_per_thread, 255);
  ck_assert_int_eq (memory->kind, WP_KIND_MEMORY);
  ck_assert_int_eq (memory->scope, WP_SCOPE_SCHEDULER);
  ck_assert_uint_eq (memory->queue, WP_QUEUE_UNBOUNDED);
  ck_assert (memory->pairing_never);
  ck_assert_uint_eq (memory->channels, 9);
  check_time (memory->channel_issue, 132, 5);
  ck_assert_uint_eq (((WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, 1))->queue, 3);
  check_time (op->issue, 2500, 67);
  ck_assert_uint_eq (op->slots, 2);
  ck_assert (op->posted);
  ck_assert_uint_eq (op->spread->n, 3);
  ck_assert_uint_eq (op->spread->at[1], 50);
  check_time (op->spread->add[0], -16, 1);
  check_time (op->spread->add[1], 1, 2);
}
END_TEST

static void
check_cache (const WpGpu *gpu, guint level, const WpGpuCache *expected)
{
  const WpGpuCache *cache = &gpu->caches[level - 1];

  ck_assert_uint_eq (cache->bytes, expected->bytes);
  ck_assert_uint_eq (cache->line, expected->line);
  ck_assert_uint_eq (cache->sector, expected->sector);
  ck_assert_uint_eq (cache->ways, expected->ways);
}

START_TEST (caches_and_the_compute_capability_are_read)
{
  g_autoptr (WpGpu) none = parse ("<gpu>" DEVICE "</gpu>");
  g_autoptr (WpGpu) gpu
      = parse ("<gpu><device sms='2' clock-mhz='1000' cc='12.1'/><cache level='2' bytes='98304' "
               "line='64' sector='16' ways='3'/><cache level='1' bytes='4096'/></gpu>");

  ck_assert_ptr_null (none->cc);
  check_cache (none, 1, &(WpGpuCache){ 0 });
  ck_assert_str_eq (gpu->cc, "12.1");
  check_cache (gpu, 1, &(WpGpuCache){ 4096, 128, 32, 16 });
  check_cache (gpu, 2, &(WpGpuCache){ 98304, 64, 16, 3 });
}
END_TEST

START_TEST (a_gpu_without_a_name_is_called_as_its_file)
{
  g_autoptr (WpGpu) gpu = parse ("<gpu>" DEVICE "</gpu>");

  ck_assert_str_eq (gpu->name, "g");
}
END_TEST

START_TEST (what_no_name_may_have_is_replaced_in_that_of_a_file)
{
  static const gchar text[] = "<gpu>" DEVICE "</gpu>";
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu
      = wp_gpu_parse (text, strlen (text), "folder/my, \"{g}\" \xc2\x9b*.v2.xml", NULL, &error);

  ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
  ck_assert_str_eq (gpu->name, "my____g_____.v2");
}
END_TEST

/* Looking up. */

START_TEST (an_op_is_looked_up_with_its_last_parts_dropped)
{
  g_autoptr (WpGpu) gpu
      = parse_body (ADD "<op name='ld.global' like='add'/><op name='ld' like='add'/>"
                        "<op name='ld.global.v2' like='add'/>");

  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "ld.global.v2.f32")->name, "ld.global.v2");
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "ld.global.v4.f32")->name, "ld.global");
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "ld.shared")->name, "ld");
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "ld")->name, "ld");
  ck_assert_ptr_null (wp_gpu_look_up_op (gpu, "l"));
  ck_assert_ptr_null (wp_gpu_look_up_op (gpu, "ldx.global"));
  ck_assert_ptr_null (wp_gpu_look_up_op (gpu, ""));
  ck_assert_ptr_null (wp_gpu_look_up_op (gpu, ".ld"));
  ck_assert_ptr_null (wp_gpu_get_op (gpu, "ld.shared"));
}
END_TEST

START_TEST (many_ops_are_looked_up_quickly)
{
  const guint n = check_get_size (65535, 4096);
  g_autoptr (GString) body = g_string_new (ADD);
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree gchar *last = g_strdup_printf ("o%u", n - 1);
  g_autoptr (WpGpu) gpu = NULL;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (body, "<op name='o%u' like='add'/>", i);
  g_string_append (name, last);
  for (int i = 0; i < 121; i++)
    g_string_append (name, ".x");
  gpu = parse_body (body->str);
  for (int i = 0; i < 500; i++)
    ck_assert_str_eq (wp_gpu_look_up_op (gpu, name->str)->name, last);
}
END_TEST

START_TEST (ops_are_found_without_an_index)
{
  g_autoptr (WpGpu) gpu = parse_body (ADD "<op name='ld' like='add'/>");

  g_clear_pointer (&gpu->ops_by_name, g_hash_table_unref);
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "ld.global.v2")->name, "ld");
  ck_assert_ptr_null (wp_gpu_look_up_op (gpu, "st.global"));
}
END_TEST

START_TEST (the_nearest_ops_are_suggested)
{
  g_autoptr (WpGpu) gpu
      = parse_body (ADD "<op name='ld.global' like='add'/><op name='ld.shared' like='add'/>"
                        "<op name='st.global' like='add'/><op name='fma.f32' like='add'/>");
  g_autofree gchar *typo = wp_gpu_suggest_ops (gpu, "ld.globl.v4.f32");
  g_autofree gchar *type = wp_gpu_suggest_ops (gpu, "fma.f64");

  ck_assert_str_eq (typo, "ld.global, st.global, add");
  ck_assert (g_str_has_prefix (type, "fma.f32, "));
}
END_TEST

#define CONTEXTS                                                                                   \
  ADD "<op name='x' pipeline='c' issue='4' completion='24' bytes='128' transactions='4' "          \
      "flops='3'><consumer op='add' completion='22'/><spread at='0 100' add='0 1'/>"               \
      "<context name='stride' issue='8'/>"                                                         \
      "<context name='slow' completion='30' posted='yes' slots='3' transactions='0' flops='0'>"    \
      "<spread at='0 100' add='0 7'/></context>"                                                   \
      "<context name='way-*' issue-each='1/2' completion-each='2' transactions-each='1' "          \
      "bytes-each='32'/>"                                                                          \
      "<context name='way-6' issue='1'/>"                                                          \
      "<context name='own-*' issue='1' issue-each='10'/></op>"

START_TEST (a_context_gives_what_differs)
{
  g_autoptr (WpGpu) gpu = parse_body (CONTEXTS);
  WpGpuCost none = get_cost (gpu, "x", NULL), stride = get_cost (gpu, "x", "stride");
  WpGpuCost slow = get_cost (gpu, "x", "slow");

  check_time (none.issue, 4, 1);
  ck_assert (none.consumers);
  check_time (stride.issue, 8, 1);
  check_time (stride.completion, 24, 1);
  ck_assert (stride.consumers);
  ck_assert_uint_eq (stride.bytes, 128);
  ck_assert_ptr_eq (stride.spread, get_op (gpu, "x")->spread);
  check_time (slow.issue, 4, 1);
  check_time (slow.completion, 30, 1);
  ck_assert (!slow.consumers);
  ck_assert (slow.posted);
  ck_assert_uint_eq (slow.slots, 3);
  ck_assert_uint_eq (slow.transactions, 0);
  ck_assert_uint_eq (slow.flops, 0);
  check_time (slow.spread->add[1], 7, 1);
}
END_TEST

START_TEST (a_wildcard_adds_for_each_unit_above_one)
{
  g_autoptr (WpGpu) gpu = parse_body (CONTEXTS);
  WpGpuCost four = get_cost (gpu, "x", "way-4"), zero = get_cost (gpu, "x", "way-0");

  check_time (four.issue, 11, 2);
  check_time (four.completion, 30, 1);
  ck_assert_uint_eq (four.transactions, 7);
  ck_assert_uint_eq (four.bytes, 128 + 3 * 32);
  ck_assert (!four.consumers);
  check_time (zero.issue, 4, 1);
  ck_assert_uint_eq (zero.transactions, 4);
  check_time (get_cost (gpu, "x", "way-1").issue, 4, 1);
  check_time (get_cost (gpu, "x", "own-3").issue, 21, 1);
  ck_assert (get_cost (gpu, "x", "own-3").consumers);
}
END_TEST

START_TEST (an_exact_context_goes_before_a_wildcard)
{
  g_autoptr (WpGpu) gpu = parse_body (CONTEXTS);

  check_time (get_cost (gpu, "x", "way-6").issue, 1, 1);
  check_time (get_cost (gpu, "x", "way-06").issue, 13, 2);
}
END_TEST

START_TEST (a_context_of_none_is_that_of_one)
{
  g_autoptr (WpGpu) gpu
      = parse_body (ADD "<op name='x' like='add'><consumer op='add' completion='2'/>"
                        "<context name='a-1' issue='7'/><context name='a-*' completion-each='1'/>"
                        "<context name='b-0' issue='5'/><context name='b-1' issue='6'/></op>");

  check_time (get_cost (gpu, "x", "a-0").issue, 7, 1);
  ck_assert (get_cost (gpu, "x", "a-0").consumers);
  check_time (get_cost (gpu, "x", "a-00").issue, 7, 1);
  ck_assert (!get_cost (gpu, "x", "a-2").consumers);
  check_time (get_cost (gpu, "x", "b-0").issue, 5, 1);
  refuse_cost (gpu, "x", "c-0", "op \"x\" has no context \"c-0\"; the nearest are b-0, a-1, a-*");
}
END_TEST

START_TEST (a_context_that_the_op_lacks_is_refused)
{
  g_autoptr (WpGpu) gpu = parse_body (CONTEXTS);

  refuse_cost (gpu, "add", "slow", "op \"add\" has no context \"slow\"; it has none at all");
  refuse_cost (gpu, "x", "strid",
               "op \"x\" has no context \"strid\"; the nearest are stride, slow, way-*");
  refuse_cost (gpu, "x", "way-*",
               "op \"x\" has no context \"way-*\"; the nearest are way-*, way-6, own-*");
  refuse_cost (gpu, "x", "way-",
               "op \"x\" has no context \"way-\"; the nearest are way-*, way-6, slow");
  refuse_cost (gpu, "x", "way-1048577",
               "op \"x\" in context \"way-1048577\": its number must be at most 1048576");
  refuse_cost (gpu, "x", "way-70000",
               "op \"x\" in context \"way-70000\": it makes more than 65536 transactions");
}
END_TEST

START_TEST (a_time_that_does_not_fit_is_refused)
{
  g_autoptr (WpGpu) gpu = parse_body (
      ADD "<op name='x' like='add'><context name='w-*' issue-each='999999999999999999'/></op>");

  refuse_cost (gpu, "x", "w-1000",
               "op \"x\" in context \"w-1000\": a time does not fit in 63 bits");
}
END_TEST

/* Widths. */

#define WIDTHS                                                                                     \
  ADD "<op name='ld.global' pipeline='c' issue='10' completion='90' bytes='128' "                  \
      "transactions='4' width='4'>"                                                                \
      "<context name='half' issue='5'/><context name='l1' issue='1' width-min='4'/>"               \
      "<context name='sectors-*' issue='1' issue-each='1' bytes='32' bytes-each='32' "             \
      "transactions='1' transactions-each='1' width='any'/></op>"                                  \
      "<op name='ld.global.v4' like='ld.global' issue='44'/>"                                      \
      "<op name='ld.shared' pipeline='c' issue='1' completion='20' width='4' width-min='4'/>"      \
      "<op name='ld.const' pipeline='c' issue='1' completion='20'/>"                               \
      "<op name='cp.async.cg.shared.global' like='ld.global'/>"                                    \
      "<op name='shr' like='add' width='4' width-min='4'/>"                                        \
      "<op name='cvta' like='add' width='any'/>"

static WpGpuCost
get_cost_of (const WpGpu *gpu, const gchar *op, const gchar *context)
{
  WpMatch match = wp_match_find (gpu, op);
  g_autoptr (GError) error = NULL;
  WpGpuCost cost;

  ck_assert_int_eq (match.loss, WP_LOSS_NONE);
  ck_assert_msg (wp_gpu_op_cost_of (match.op, context, match.bytes, &cost, &error), "%s",
                 error ? error->message : "");
  return cost;
}

START_TEST (other_widths_follow_from_the_width)
{
  g_autoptr (WpGpu) gpu = parse_body (WIDTHS);
  WpGpuCost wide = get_cost_of (gpu, "ld.global.v2.f64", NULL);
  WpGpuCost narrow = get_cost_of (gpu, "ld.global.u8", NULL);

  check_time (wide.issue, 40, 1);
  check_time (wide.completion, 90, 1);
  ck_assert_uint_eq (wide.bytes, 512);
  ck_assert_uint_eq (wide.transactions, 16);
  check_time (narrow.issue, 5, 2);
  ck_assert_uint_eq (narrow.bytes, 32);
  ck_assert_uint_eq (narrow.transactions, 1);
  check_time (get_cost_of (gpu, "ld.global.f32", NULL).issue, 10, 1);
  check_time (get_cost_of (gpu, "ld.global", NULL).issue, 10, 1);
  check_time (get_cost_of (gpu, "shr.u64", NULL).issue, 2, 1);
  check_time (get_cost_of (gpu, "cp.async.cg.shared.global.b128", NULL).issue, 40, 1);
}
END_TEST

START_TEST (fewer_bytes_than_the_least_take_no_less_time)
{
  g_autoptr (WpGpu) gpu = parse_body (WIDTHS);

  check_time (get_cost_of (gpu, "ld.shared.u8", NULL).issue, 1, 1);
  check_time (get_cost_of (gpu, "ld.shared.v4.f32", NULL).issue, 4, 1);
  check_time (get_cost_of (gpu, "ld.global.u8", "l1").issue, 1, 1);
  check_time (get_cost_of (gpu, "ld.global.f64", "l1").issue, 2, 1);
  check_time (get_cost_of (gpu, "shr.u16", NULL).issue, 1, 1);
}
END_TEST

START_TEST (an_issue_time_is_at_least_issue_min)
{
  g_autoptr (WpGpu) gpu = parse_body (
      ADD "<op name='ld.shared' pipeline='c' issue='1' completion='20' width='4' width-min='4' "
          "issue-min='2'><context name='conflict-*' issue-each='1' width='any'/>"
          "<context name='own' issue='1/2' issue-min='3'/><context name='free' issue-min='0'/>"
          "<context name='way-*-*' issue-each='1'><then pipeline='c' issue='1'/></context></op>"
          "<op name='st.shared' like='ld.shared' issue-min='1'/>");

  check_time (get_cost_of (gpu, "ld.shared", NULL).issue, 2, 1);
  check_time (get_cost_of (gpu, "ld.shared.u8", NULL).issue, 2, 1);
  check_time (get_cost_of (gpu, "ld.shared.f64", NULL).issue, 2, 1);
  check_time (get_cost_of (gpu, "ld.shared.v4.f32", NULL).issue, 4, 1); /* by the width, above */
  check_time (get_cost_of (gpu, "ld.shared", "conflict-1").issue, 2, 1);
  check_time (get_cost_of (gpu, "ld.shared", "conflict-2").issue, 2, 1);
  check_time (get_cost_of (gpu, "ld.shared", "conflict-4").issue, 4, 1);
  check_time (get_cost_of (gpu, "ld.shared", "own").issue, 3, 1);
  check_time (get_cost_of (gpu, "ld.shared", "free").issue, 1, 1);
  check_time (get_cost_of (gpu, "ld.shared", "way-1-3").issue, 2, 1);
  check_time (get_cost_of (gpu, "ld.shared", "way-1-3").passes[0].issue, 1, 1); /* of its own */
  check_time (get_cost_of (gpu, "st.shared", NULL).issue, 1, 1);
  check_time (get_cost_of (gpu, "st.shared", "conflict-3").issue, 3, 1);
  check_time (get_cost_of (gpu, "st.shared", "own").issue, 3, 1);
}
END_TEST

START_TEST (what_is_counted_holds_for_any_width)
{
  g_autoptr (WpGpu) gpu = parse_body (WIDTHS);
  WpGpuCost cost = get_cost_of (gpu, "ld.global.f64", "sectors-3");

  check_time (cost.issue, 3, 1);
  ck_assert_uint_eq (cost.bytes, 96);
  ck_assert_uint_eq (cost.transactions, 3);
  check_time (get_cost_of (gpu, "ld.global.f64", "half").issue, 10, 1);
  check_time (get_cost_of (gpu, "cvta.u64", NULL).issue, 1, 1);
}
END_TEST

START_TEST (an_op_like_another_is_for_the_bytes_of_its_name)
{
  g_autoptr (WpGpu) gpu = parse_body (WIDTHS "<op name='ld.global.f64' like='ld.global' "
                                             "width='4'/><op name='own' like='ld.global'/>");

  ck_assert_uint_eq (get_op (gpu, "ld.global.v4")->width, 16);
  check_time (get_cost_of (gpu, "ld.global.v4.f32", NULL).issue, 44, 1);
  check_time (get_cost_of (gpu, "ld.global.v4.u8", NULL).issue, 11, 1);
  ck_assert_uint_eq (get_op (gpu, "ld.global.f64")->width, 4);
  check_time (get_cost_of (gpu, "ld.global.f64", NULL).issue, 10, 1); /* as it says itself */
  ck_assert_uint_eq (get_op (gpu, "own")->width, 4);
}
END_TEST

START_TEST (what_no_rule_covers_is_lost)
{
  static const struct
  {
    const gchar *op, *runs_as;
    WpLoss loss;
  } cases[] = {
    { "ld.const.u32", "ld.const", WP_LOSS_NONE },
    { "ld.const.f32", "ld.const", WP_LOSS_NONE },
    { "ld.const.u64", "ld.const", WP_LOSS_BYTES },
    { "add.f32", "add", WP_LOSS_NONE },
    { "add.s32", "add", WP_LOSS_NONE },
    { "add.s64", "add", WP_LOSS_BYTES },
    { "add.f64", "add", WP_LOSS_TYPE },
    { "add.rn.f64", "add", WP_LOSS_TYPE },
    { "add.f16x2", "add", WP_LOSS_TYPE },
    { "add.qq", "add", WP_LOSS_TYPE },
    { "c.f64", "c", WP_LOSS_NONE },
    { "shr.f64", "shr", WP_LOSS_NONE },
  };
  g_autoptr (WpGpu) gpu = parse_body (WIDTHS "<op name='c' like='add'/>");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WpMatch match = wp_match_find (gpu, cases[i].op);

      ck_assert_str_eq (match.op->name, cases[i].runs_as);
      ck_assert_msg (match.loss == cases[i].loss, "%s: %d", cases[i].op, match.loss);
    }
}
END_TEST

START_TEST (a_canonical_name_and_what_represents_it_are_found)
{
  g_autoptr (WpGpu) gpu = parse_body (
      WIDTHS "<op name='add.f64' like='add' issue='8'/><op name='cvt' like='add'/>"
             "<op name='cvt.f64.f32' like='add' issue='9'/><op name='set.f64' like='add'/>");

  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "add.rz.f64")->name, "add.f64");
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "ld.volatile.global.v4.f32")->name, "ld.global.v4");
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "cvt.rzi.s32.f64")->name, "cvt.f64.f32");
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "cvt.u64.f32")->name, "cvt.f64.f32");
  ck_assert_str_eq (wp_gpu_look_up_op (gpu, "set.lt.u32.f64")->name, "set.f64");
  ck_assert_int_eq (wp_match_find (gpu, "cvt.s32.f32").loss, WP_LOSS_NONE);
  ck_assert_int_eq (wp_match_find (gpu, "cvt.f16.f32").loss, WP_LOSS_TYPE);
  ck_assert_int_eq (wp_match_find (gpu, "cvt.s64.s32").loss, WP_LOSS_TYPE);
}
END_TEST

START_TEST (a_part_that_ptx_lacks_is_refused)
{
  g_autoptr (WpGpu) gpu = parse_body (WIDTHS "<op name='add.mine' like='add'/>");
  g_autoptr (GError) error = NULL;

  ck_assert (wp_match_check_name (gpu, "add.f64", NULL));
  ck_assert (wp_match_check_name (gpu, "add.mine", NULL));
  ck_assert (wp_match_check_name (gpu, "own.mine", NULL));
  ck_assert (!wp_match_check_name (gpu, "add.f46", &error));
  ck_assert_str_eq (error->message,
                    "op \"add.f46\": PTX has no \"f46\" there; did you mean \"add.f64\"?");
}
END_TEST

START_TEST (a_width_beyond_all_limits_is_refused)
{
  g_autoptr (WpGpu) gpu
      = parse_body ("<op name='x' pipeline='c' issue='1' completion='1' width='1' "
                    "transactions='65536'/>"
                    "<op name='y' pipeline='c' issue='999999999999999999' completion='1' "
                    "width='1'/>" ADD);
  WpGpuCost cost;

  ck_assert (!wp_gpu_op_cost_of (get_op (gpu, "x"), NULL, 2, &cost, NULL));
  ck_assert (!wp_gpu_op_cost_of (get_op (gpu, "x"), NULL, 1025, &cost, NULL));
  ck_assert (!wp_gpu_op_cost_of (get_op (gpu, "y"), NULL, 1024, &cost, NULL));
  ck_assert (wp_gpu_op_cost_of (get_op (gpu, "y"), NULL, 1, &cost, NULL));
}
END_TEST

/* Like, between ops. */

START_TEST (an_op_like_another_has_all_of_it)
{
  g_autoptr (WpGpu) gpu = parse_body (
      CONTEXTS "<op name='y' like='x' issue='5' flops='64'><context name='stride' completion='1'/>"
               "<context name='new'/><consumer op='x' completion='9'/></op>"
               "<op name='z' like='y'/>");
  const WpGpuOp *y = get_op (gpu, "y"), *z = get_op (gpu, "z");

  check_time (y->issue, 5, 1);
  check_time (y->completion, 24, 1);
  ck_assert_uint_eq (y->flops, 64);
  ck_assert_uint_eq (y->bytes, 128);
  ck_assert_uint_eq (y->contexts->len, 6);
  ck_assert_uint_eq (y->consumers->len, 2);
  check_time (get_cost (gpu, "y", "stride").issue, 5, 1); /* replaced whole */
  check_time (get_cost (gpu, "y", "stride").completion, 1, 1);
  check_time (get_cost (gpu, "x", "stride").issue, 8, 1);
  check_time (get_cost (gpu, "y", "way-4").issue, 13, 2);
  ck_assert_uint_eq (z->contexts->len, 6);
  ck_assert_uint_eq (z->spread->n, 2);
  ck_assert_uint_eq (get_op (gpu, "x")->contexts->len, 5);
}
END_TEST

START_TEST (an_op_may_be_like_a_later_one)
{
  g_autoptr (WpGpu) gpu = parse_body ("<op name='a' like='b'/><op name='b' like='add'/>" ADD);

  check_time (get_op (gpu, "a")->completion, 6, 1);
  ck_assert_str_eq (((WpGpuOp *)g_ptr_array_index (gpu->ops, 0))->name, "a");
}
END_TEST

START_TEST (ops_like_one_another_in_a_cycle_are_refused)
{
  refuse_body (ADD "<op name='a' like='b'/>\n<op name='b' like='c'/>\n<op name='c' like='b'/>",
               WP_ERROR_VALUE,
               "g.xml:6: op \"c\": like forms a cycle: \"b\" -> \"c\" -> \"b\"; an op cannot "
               "be like itself");
  refuse_body ("<op name='a' like='a'/>", WP_ERROR_VALUE,
               "g.xml:3: op \"a\": like forms a cycle: \"a\" -> \"a\"; an op cannot be like "
               "itself");
}
END_TEST

START_TEST (a_long_chain_of_ops_is_followed)
{
  const guint n = check_get_size (50000, 5000);
  g_autoptr (GString) body = g_string_new (ADD);
  g_autoptr (WpGpu) gpu = NULL;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (body, "<op name='o%u' like='o%u'/>\n", i, i + 1);
  g_string_append_printf (body, "<op name='o%u' like='add'/>", n);
  gpu = parse_body (body->str);
  check_time (get_op (gpu, "o0")->completion, 6, 1);
}
END_TEST

START_TEST (copies_that_would_fill_the_memory_are_refused)
{
  g_autoptr (GString) body = g_string_new (ADD "<op name='o' like='add'>\n");
  g_autofree gchar *text = NULL;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 1024; i++)
    g_string_append_printf (body, "<context name='c%d'/>\n", i);
  g_string_append (body, "</op>\n");
  for (int i = 0; i < 1000; i++)
    g_string_append_printf (body, "<op name='o%d' like='o'/>\n", i);
  text = wrap (body->str);
  ck_assert_ptr_null (wp_gpu_parse (text, strlen (text), "g.xml", NULL, &error));
  ck_assert_str_eq (
      error->message,
      "g.xml:1285: op \"o255\": with all that is copied by like, the ops have more than "
      "262144 contexts and consumers");
}
END_TEST

/* Like, between GPUs. */

typedef struct
{
  gchar *folder, *shipped;
  const gchar *search[2];
} Files;

static Files files;

static void
write_file (const gchar *folder, const gchar *name, const gchar *text)
{
  g_autofree gchar *path = g_build_filename (folder, name, NULL);

  ck_assert (g_file_set_contents (path, text, -1, NULL));
}

static void
set_up_files (void)
{
  files.folder = g_dir_make_tmp ("check-gpu-XXXXXX", NULL);
  files.shipped = g_build_filename (files.folder, "shipped", NULL);
  ck_assert_int_eq (g_mkdir (files.shipped, 0700), 0);
  files.search[0] = files.shipped;
  files.search[1] = NULL;
  write_file (
      files.shipped, "base.xml",
      "<gpu name='base' title='Base' year='2014'>\n<source>one</source>\n"
      "<device sms='4' clock-mhz='1000'/><limits warps='48' blocks='8'/>\n"
      "<pipeline name='c' queue='2'/><pipeline name='m' kind='memory'/>\n"
      "<op name='add' pipeline='c' issue='1' completion='6'/>\n"
      "<op name='ld' pipeline='m' issue='12' completion='300' bytes='128'>\n"
      "<consumer op='add' completion='290'/><context name='far' completion='400' issue='7'/>\n"
      "<context name='near' completion='100'/></op>\n"
      "<op name='fma' like='add' flops='64'/></gpu>\n");
}

static void
remove_folder (const gchar *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree gchar *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (folder);
}

static void
tear_down_files (void)
{
  remove_folder (files.shipped);
  remove_folder (files.folder);
  g_free (files.shipped);
  g_free (files.folder);
}

/* Writes TEXT beside the folder of shipped ones and reads it. */
static WpGpu *
load (const gchar *name, const gchar *text, GError **error)
{
  g_autofree gchar *path = g_build_filename (files.folder, name, NULL);

  write_file (files.folder, name, text);
  return wp_gpu_load (path, files.search, error);
}

/* The message, in which every folder is left out. */
static void
refuse_file (const gchar *name, const gchar *text, const gchar *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = load (name, text, &error);
  g_autofree gchar *prefix = g_strconcat (files.folder, "/", NULL);

  ck_assert_ptr_null (gpu);
  g_auto (GStrv) parts = g_strsplit (error->message, prefix, -1);
  g_autofree gchar *seen = g_strjoinv ("", parts);
  ck_assert_str_eq (seen, message);
}

START_TEST (a_gpu_like_another_replaces_attribute_by_attribute)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = load ("mine.xml",
                                "<gpu name='mine' like='base' title='Mine'><source>two</source>"
                                "<device clock-mhz='500'/><limits threads='99'/>"
                                "<pipeline name='c' scope='scheduler'/><pipeline name='s'/>"
                                "<op name='add' completion='9'/>"
                                "<op name='ld' issue='13'><context name='far' issue='8'/>"
                                "<context name='new'/><consumer op='add' completion='1'/></op>"
                                "<op name='rsqrt' pipeline='s' issue='8' completion='40'/></gpu>",
                                &error);
  const WpGpuOp *ld;

  ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
  ld = get_op (gpu, "ld");
  ck_assert_str_eq (gpu->name, "mine");
  ck_assert_str_eq (gpu->title, "Mine");
  ck_assert_str_eq (gpu->year, "2014");
  ck_assert_uint_eq (gpu->sources->len, 2);
  ck_assert_str_eq (g_ptr_array_index (gpu->sources, 0), "one");
  ck_assert_int_eq (gpu->sms, 4);
  check_time (gpu->clock_mhz, 500, 1);
  ck_assert_int_eq (gpu->limits.warps, 48);
  ck_assert_int_eq (gpu->limits.threads, 99);
  ck_assert_uint_eq (gpu->pipelines->len, 3);
  ck_assert_uint_eq (((WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, 0))->queue, 2);
  ck_assert_int_eq (((WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, 0))->scope,
                    WP_SCOPE_SCHEDULER);
  check_time (ld->issue, 13, 1);
  check_time (ld->completion, 300, 1);
  ck_assert_uint_eq (ld->contexts->len, 3);
  check_time (get_cost (gpu, "ld", "far").issue, 8, 1);
  check_time (get_cost (gpu, "ld", "far").completion, 300, 1); /* replaced whole */
  check_time (get_cost (gpu, "ld", "near").completion, 100, 1);
  check_time (((WpGpuConsumer *)g_ptr_array_index (ld->consumers, 0))->completion, 1, 1);
  ck_assert_uint_eq (get_op (gpu, "rsqrt")->pipeline, 2);
  /* `like` between ops is followed after the GPUs are joined. */
  check_time (get_op (gpu, "fma")->completion, 9, 1);
}
END_TEST

/* What another description gives, scaled. */

#define SCALED                                                                                     \
  "<gpu name='scaled'><device sms='4' clock-mhz='1000' pin-gbs='100'/>\n"                          \
  "<pipeline name='c'/>"                                                                           \
  "<pipeline name='m' kind='memory' channels='2' channel-issue='3' share='pins'/>\n"               \
  "<op name='add' pipeline='c' issue='1' completion='6'>"                                          \
  "<consumer op='ld' completion='5'/></op>\n"                                                      \
  "<op name='ld' pipeline='m' issue='12' completion='300' bytes='128' transactions='4'>"           \
  "<spread at='0 100' add='-10 40'/><consumer op='add' completion='290'/>"                         \
  "<context name='l1' issue='1' completion='30' share='sm'/>"                                      \
  "<context name='l2' issue='4' completion='200' share='device'/>"                                 \
  "<context name='sectors-*' issue='3' issue-each='3' completion='280' completion-each='5' "       \
  "bytes='32' bytes-each='32' transactions='1' transactions-each='1'>"                             \
  "<spread at='0 100' add='-1 2'/></context></op>\n"                                               \
  "<op name='ld.v4' like='ld' issue='48' bytes='512' transactions='16'>"                           \
  "<context name='stride-2' issue='96' completion='310' bytes='1024' transactions='32'/></op>\n"   \
  "<op name='fma' like='add' flops='64'/></gpu>\n"

/* Loads a description that starts from SCALED, with BODY in it. */
static WpGpu *
load_scaled (const gchar *body)
{
  g_autofree gchar *text = g_strconcat ("<gpu name='mine' like='scaled'>", body, "</gpu>", NULL);
  g_autoptr (GError) error = NULL;
  WpGpu *gpu;

  write_file (files.shipped, "scaled.xml", SCALED);
  gpu = load ("mine.xml", text, &error);
  ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
  return gpu;
}

static void
refuse_scaled (const gchar *body, const gchar *message)
{
  g_autofree gchar *text = g_strconcat ("<gpu name='mine' like='scaled'>\n", body, "</gpu>", NULL);

  write_file (files.shipped, "scaled.xml", SCALED);
  refuse_file ("mine.xml", text, message);
}

START_TEST (caches_are_inherited_attribute_by_attribute)
{
  g_autoptr (WpGpu) gpu = NULL;

  write_file (files.shipped, "base.xml",
              "<gpu><device sms='1' clock-mhz='1' cc='8.0'/><limits blocks='1' threads='32'/>"
              "<cache level='1' bytes='8192' ways='8'/><cache level='2' bytes='65536'/></gpu>");
  gpu = load ("mine.xml", "<gpu like='base'><cache level='1' bytes='16384'/></gpu>", NULL);
  ck_assert_str_eq (gpu->cc, "8.0");
  check_cache (gpu, 1, &(WpGpuCache){ 16384, 128, 32, 8 });
  check_cache (gpu, 2, &(WpGpuCache){ 65536, 128, 32, 16 });
  refuse_file ("mine.xml", "<gpu like='base'>\n<cache level='1' ways='3'/></gpu>",
               "mine.xml:2: cache \"1\": its 8192 bytes are no multiple of 3 ways of 128 bytes");
}
END_TEST

START_TEST (an_ops_latencies_scale_with_those_of_its_contexts)
{
  g_autoptr (WpGpu) gpu = load_scaled ("<op name='ld' scale='2'>"
                                       "<context name='l1' issue='1' completion='31'/></op>"
                                       "<op name='far' like='ld' scale='1.5'/>");
  const WpGpuOp *ld = get_op (gpu, "ld");

  check_time (ld->completion, 600, 1);
  check_time (ld->issue, 12, 1);
  check_time (ld->spread->add[0], -20, 1);
  check_time (((WpGpuConsumer *)g_ptr_array_index (ld->consumers, 0))->completion, 580, 1);
  check_time (get_cost (gpu, "ld", "l2").completion, 400, 1);
  check_time (get_cost (gpu, "ld", "sectors-3").completion, 580, 1);
  check_time (get_cost (gpu, "ld", "sectors-3").spread->add[1], 4, 1);
  check_time (get_cost (gpu, "ld", "l1").completion, 31, 1); /* given here */
  check_time (get_op (gpu, "add")->completion, 6, 1);
  /* What the base gives to an op that is like it, too; and what is made of it here. */
  check_time (get_op (gpu, "ld.v4")->completion, 600, 1);
  check_time (get_cost (gpu, "ld.v4", "stride-2").completion, 620, 1);
  check_time (get_op (gpu, "far")->completion, 900, 1);
}
END_TEST

START_TEST (of_ops_like_one_another_each_goes_by_the_nearest_scale)
{
  g_autoptr (WpGpu) gpu = load_scaled ("<op name='ld' scale='2'/><op name='ld.v4' scale='3'/>"
                                       "<op name='add' completion='8'/><op name='fma' scale='2'/>");

  check_time (get_op (gpu, "ld")->completion, 600, 1);
  check_time (get_op (gpu, "ld.v4")->completion, 900, 1);
  check_time (get_cost (gpu, "ld.v4", "stride-2").completion, 930, 1);
  check_time (get_op (gpu, "fma")->completion, 8, 1); /* as add, which is given here */
  check_time (((WpGpuConsumer *)g_ptr_array_index (get_op (gpu, "fma")->consumers, 0))->completion,
              10, 1);
}
END_TEST

START_TEST (a_pipelines_latencies_and_units_scale)
{
  g_autoptr (WpGpu) gpu = load_scaled (
      "<pipeline name='m' scale='0.5'/><pipeline name='c' units='3'/><op name='fma' issue='9'/>");

  check_time (get_op (gpu, "ld")->completion, 150, 1);
  check_time (get_op (gpu, "ld.v4")->completion, 150, 1); /* once */
  check_time (get_op (gpu, "ld")->spread->add[1], 20, 1);
  check_time (get_cost (gpu, "ld", "sectors-2").completion, 285, 2);
  check_time (get_op (gpu, "ld")->issue, 12, 1);
  check_time (get_op (gpu, "add")->issue, 1, 3);
  check_time (get_op (gpu, "add")->completion, 6, 1);
  check_time (get_op (gpu, "fma")->issue, 9, 1); /* given here */
}
END_TEST

START_TEST (issue_min_scales_as_issue_does)
{
  static const gchar base[]
      = "<gpu><device sms='4' clock-mhz='1000' pin-gbs='100'/><pipeline name='c'/>"
        "<pipeline name='m' share='pins'/>"
        "<op name='a' pipeline='c' issue='0' completion='6' issue-min='2'>"
        "<context name='x' issue-min='5'/></op>"
        "<op name='b' pipeline='m' issue='3' completion='6' issue-min='4'>"
        "<context name='l2' issue='1' issue-min='6' share='device'/></op></gpu>";
  g_autoptr (WpGpu) gpu = NULL;

  write_file (files.shipped, "least.xml", base);
  gpu = load ("mine.xml",
              "<gpu like='least'><device sms='8' pin-gbs='300'/><pipeline name='c' units='4'/>"
              "<op name='a' scale='3'/><op name='own' like='a' issue-min='7'/></gpu>",
              NULL);
  check_time (get_cost (gpu, "a", NULL).issue, 1, 2);
  check_time (get_cost (gpu, "a", NULL).completion, 18, 1);
  check_time (get_cost (gpu, "a", "x").issue, 5, 4);
  check_time (get_cost (gpu, "own", NULL).issue, 7, 1); /* given here */
  check_time (get_cost (gpu, "own", "x").issue, 5, 4);
  check_time (get_cost (gpu, "b", NULL).issue, 8, 3); /* 4 x 8/4 x 100/300 */
  check_time (get_cost (gpu, "b", "l2").issue, 12, 1);
}
END_TEST

START_TEST (a_context_alone_scales)
{
  g_autoptr (WpGpu) gpu
      = load_scaled ("<op name='ld'><context name='l2' scale='2'/></op>"
                     "<op name='ld.v4'><context name='stride-2' scale='3'/></op>"
                     "<op name='far' like='ld'><context name='l2' scale='1.5'/></op>"
                     "<pipeline name='m' scale='10'/>");

  check_time (get_op (gpu, "ld")->completion, 3000, 1);
  check_time (get_cost (gpu, "ld", "l2").completion, 4000, 1);
  check_time (get_cost (gpu, "ld", "l2").issue, 4, 1);
  check_time (get_cost (gpu, "ld", "l1").completion, 300, 1);
  check_time (get_cost (gpu, "ld.v4", "stride-2").completion, 9300, 1);
  check_time (get_cost (gpu, "far", "l2").completion, 6000, 1);
}
END_TEST

START_TEST (scales_of_a_chain_multiply)
{
  g_autoptr (WpGpu) gpu = NULL;

  write_file (files.shipped, "scaled.xml", SCALED);
  write_file (files.shipped, "twice.xml",
              "<gpu like='scaled'><pipeline name='m' scale='2'/>"
              "<op name='ld'><context name='l2' issue='4' completion='500'/></op></gpu>");
  gpu = load ("mine.xml", "<gpu like='twice'><op name='ld' scale='3'/></gpu>", NULL);
  check_time (get_op (gpu, "ld")->completion, 1800, 1);
  check_time (get_cost (gpu, "ld", "l2").completion, 1500, 1);
  check_time (get_cost (gpu, "ld.v4", "stride-2").completion, 1860, 1);
}
END_TEST

START_TEST (a_share_of_the_device_follows_its_sms_clock_and_pins)
{
  g_autoptr (WpGpu) more = load_scaled ("<device sms='8'/>");
  g_autoptr (WpGpu) same = load_scaled ("<device sms='8' pin-gbs='200'/>");
  g_autoptr (WpGpu) fast = load_scaled ("<device clock-mhz='1500'/><op name='ld' issue='7'/>");
  g_autoptr (WpGpu) odd = load_scaled ("<device clock-mhz='1009'/>");
  g_autoptr (WpGpu) own = load_scaled ("<device sms='8'/><pipeline name='m' share='sm'/>");
  const WpGpuPipeline *m = g_ptr_array_index (more->pipelines, 1);

  check_time (m->channel_issue, 6, 1);
  check_time (get_op (more, "add")->issue, 1, 1);
  check_time (get_op (more, "ld")->issue, 24, 1);
  check_time (get_op (more, "ld.v4")->issue, 96, 1);
  check_time (get_cost (more, "ld", "l1").issue, 1, 1);
  check_time (get_cost (more, "ld", "l2").issue, 8, 1);
  check_time (get_cost (more, "ld", "sectors-3").issue, 18, 1);
  check_time (get_cost (more, "ld", "sectors-3").completion, 290, 1);
  check_time (get_op (same, "ld")->issue, 12, 1);
  check_time (get_cost (same, "ld", "l2").issue, 8, 1);
  check_time (get_op (fast, "ld")->issue, 7, 1); /* given here */
  check_time (get_op (fast, "ld.v4")->issue, 72, 1);
  check_time (get_cost (fast, "ld", "l2").issue, 4, 1);
  check_time (get_op (odd, "ld")->issue, 1211, 100); /* 12.108, in hundredths */
  check_time (get_op (own, "ld")->issue, 12, 1);
}
END_TEST

START_TEST (what_cannot_be_scaled_is_refused)
{
  refuse_scaled ("<op name='new' pipeline='c' issue='1' completion='1' scale='2'/>",
                 "mine.xml:2: op \"new\": scale is for an op that is taken from like; this one is "
                 "given here first");
  refuse_scaled ("<op name='ld' scale='2' completion='7'/>",
                 "mine.xml:2: op \"ld\": scale and completion both say its latency; give one of "
                 "them");
  refuse_scaled ("<op name='st' like='ld' completion='0'/><op name='ld' scale='0'/>",
                 "mine.xml:2: op \"ld\": scale \"0\" must be a decimal or a fraction, such as 12.3 "
                 "or 1/6, above 0");
  refuse_scaled ("<op name='ld' scale='-2'/>",
                 "mine.xml:2: op \"ld\": scale \"-2\" must be a decimal or a fraction, such as "
                 "12.3 or 1/6, above 0; this is negative");
  refuse_scaled ("<op name='ld' scale='1.00000000001'/>",
                 "mine.xml:2: op \"ld\": 100000000001/100000000000 times -10 cycles of op \"ld\" "
                 "is too large, "
                 "or too precise for 2^31 ticks a cycle; give a factor with fewer digits");
  refuse_scaled ("<op name='ld' scale='999999999999999999'/>",
                 "mine.xml:2: op \"ld\": 999999999999999999 times 300 cycles of op \"ld\" is too "
                 "large, or too precise for 2^31 ticks a cycle; give a factor with fewer digits");
  refuse_scaled ("<pipeline name='m' scale='2'/>\n<op name='ld' scale='2'/>",
                 "mine.xml:3: op \"ld\": scale is given here and for its pipeline (line 2); give "
                 "one of them");
  refuse_scaled (
      "<pipeline name='n' scale='2'/>",
      "mine.xml:2: pipeline \"n\": scale is for a pipeline that is taken from like; this "
      "one is given here first");
  refuse_scaled ("<pipeline name='c' scale='2'/><op name='add' completion='3'>"
                 "<consumer op='ld' completion='2'/></op>",
                 "mine.xml:2: pipeline \"c\": scale changes nothing, as no op of it has a latency "
                 "that is taken from like");
}
END_TEST

START_TEST (contexts_that_cannot_be_scaled_are_refused)
{
  refuse_scaled ("<op name='ld'><context name='l3' scale='2'/></op>",
                 "mine.xml:2: op \"ld\": context \"l3\": scale is for a context that is taken from "
                 "like; this one is given here first");
  refuse_scaled ("<op name='ld'><context name='l2' scale='2' issue='3'/></op>",
                 "mine.xml:2: op \"ld\": context \"l2\": scale keeps what the context has, and "
                 "issue replaces it; give one of them");
  refuse_scaled ("<op name='ld'><context name='l2' scale='2'><spread at='0 100' add='0 1'/>"
                 "</context></op>",
                 "mine.xml:2: op \"ld\": context \"l2\": scale keeps what the context has, and a "
                 "spread replaces it; give one of them");
}
END_TEST

START_TEST (units_that_say_nothing_are_refused)
{
  refuse_scaled ("<pipeline name='c' units='0'/>",
                 "mine.xml:2: pipeline \"c\": units \"0\" must be a decimal or a fraction, such as "
                 "12.3 or 1/6, above 0");
  refuse_scaled (
      "<pipeline name='n' units='2'/>",
      "mine.xml:2: pipeline \"n\": units is for a pipeline that is taken from like; this "
      "one is given here first");
  refuse_scaled (
      "<pipeline name='m' units='2'/>",
      "mine.xml:2: pipeline \"m\": units cannot widen it, as its times are an SM's share "
      "of what the device has; give another pin-gbs, or issue times");
  refuse_scaled ("<pipeline name='c' units='2'/><op name='add' issue='3'/>",
                 "mine.xml:2: pipeline \"c\": units changes nothing, as no op of it has an issue "
                 "time that is taken from like");
  refuse_scaled (
      "<device clock-mhz='999999999999999999'/>",
      "mine.xml:2: <device>: 999999999999999999/1000 times 96 cycles of op \"ld.v4\" is too "
      "large, or too precise for 2^31 ticks a cycle; give sms, clock-mhz and pin-gbs "
      "with fewer digits");
}
END_TEST

/* Checks that GPU has the oddity NAME alone, with TEXT; or none where NAME is NULL. */
static void
check_oddities (const WpGpu *gpu, const gchar *name, const gchar *text)
{
  g_autoptr (GPtrArray) found = wp_gpu_find_oddities (gpu);
  const WpGpuOddity *oddity = found->len > 0 ? g_ptr_array_index (found, 0) : NULL;

  ck_assert_msg (found->len == (name != NULL), "%s: %s", gpu->name, oddity ? oddity->text : "none");
  if (!name)
    return;
  ck_assert_str_eq (oddity->name, name);
  ck_assert_str_eq (oddity->text, text);
}

START_TEST (what_no_gpu_can_be_is_found)
{
  g_autoptr (WpGpu) good = load_scaled ("<device pin-gbs='43'/>"); /* 128 x 4 x 1000 MHz / 12 */
  g_autoptr (WpGpu) above = load_scaled ("<device sms='8'/><op name='ld' issue='10'>"
                                         "<context name='sectors-*' issue='3' issue-each='0'/>"
                                         "</op><pipeline name='m' share='sm'/>");
  g_autoptr (WpGpu) faster
      = load_scaled ("<op name='ld' completion='600'><consumer op='add' completion='600'/></op>");
  g_autoptr (WpGpu) scaled = load_scaled ("<device sms='9'/><op name='ld' scale='7'/>");

  check_oddities (good, NULL, NULL);
  check_oddities (scaled, NULL, NULL);
  check_oddities (above, "memory-above-pins",
                  "op \"ld\" could move 102 GB/s on all 8 SMs together, above the 100 GB/s of the "
                  "device's pins (pin-gbs); so do 6 more");
  check_oddities (faster, "context-faster",
                  "op \"ld\" in context \"sectors-4\" completes after 295 cycles, sooner than "
                  "without context (600); so do 3 more");
}
END_TEST

/* A load that passes a unit of the SM, its share of L2, and memory that two SMs share, each of
 * which moves 128 bytes on all 4 SMs in ISSUE cycles of 1 GHz; pins: 100 GB/s. */
static WpGpu *
parse_path (const gchar *unit, const gchar *l2, const gchar *memory)
{
  g_autofree gchar *text = g_strdup_printf (
      "<gpu name='g'><device sms='4' clock-mhz='1000' pin-gbs='100'/><pipeline name='u'/>"
      "<pipeline name='l2' kind='memory'/>"
      "<pipeline name='m' kind='memory' queue='unbounded' shared='2'/>"
      "<op name='ld' pipeline='u' issue='%s' completion='300' bytes='128' transactions='4'>"
      "<then pipeline='l2' issue='%s'/><then pipeline='m' issue='%s'/>"
      "<context name='l1' completion='30' transactions='0'><then/></context>"
      "<context name='l2' completion='200' transactions='0'><then pipeline='l2' issue='%s'/>"
      "</context></op></gpu>",
      unit, l2, memory, l2);

  return parse (text);
}

START_TEST (what_a_path_moves_is_compared_with_the_pins)
{
  static const gchar text[] = "op \"ld\" could move 102 GB/s on all 4 SMs together, above the 100 "
                              "GB/s of the device's pins (pin-gbs)";
  g_autoptr (WpGpu) below = parse_path ("1", "2", "2.56"); /* 128 x 2 / 2.56 = 100 */
  g_autoptr (WpGpu) above = parse_path ("1", "2", "2.5");
  g_autoptr (WpGpu) held_by_l2 = parse_path ("1", "5.2", "1");
  g_autoptr (WpGpu) held_by_the_unit = parse_path ("5.2", "0", "0");

  check_oddities (below, NULL, NULL);
  check_oddities (above, "memory-above-pins", text);
  check_oddities (held_by_l2, NULL, NULL);
  check_oddities (held_by_the_unit, NULL, NULL);
}
END_TEST

START_TEST (a_description_beside_the_file_goes_before_a_shipped_one)
{
  g_autoptr (WpGpu) gpu = NULL;

  write_file (files.folder, "base.xml", "<gpu name='near' title='Near'>" DEVICE "</gpu>");
  gpu = load ("mine.xml", "<gpu like='base'/>", NULL);
  ck_assert_str_eq (gpu->title, "Near");
  ck_assert_str_eq (gpu->name, "near"); /* as any attribute that is not given */
}
END_TEST

START_TEST (a_gpu_like_another_may_have_no_cache_of_code)
{
  g_autoptr (WpGpu) some = NULL, none = NULL;

  write_file (files.folder, "some.xml",
              "<gpu name='some' like='base'><code-cache bytes='4096'/>"
              "<op name='fetch' pipeline='c' issue='1' completion='1'>"
              "<context name='bytes-*'/></op></gpu>");
  some = load ("mine.xml", "<gpu like='some'/>", NULL);
  none = load ("mine.xml", "<gpu like='some'><code-cache bytes='0'/></gpu>", NULL);
  ck_assert_uint_eq (some->code_cache.bytes, 4096);
  ck_assert_uint_eq (none->code_cache.bytes, 0);
}
END_TEST

/* What is changed does not pass for the original. */
START_TEST (a_name_that_is_not_given_is_that_of_the_base)
{
  g_autoptr (WpGpu) derived = load ("mine.xml", "<gpu like='base'/>", NULL);
  g_autoptr (WpGpu) named = load ("mine.xml", "<gpu like='base' name='other'/>", NULL);

  ck_assert_str_eq (derived->name, "base");
  ck_assert_str_eq (named->name, "other");
}
END_TEST

START_TEST (an_error_in_what_is_joined_names_the_file_that_has_it)
{
  refuse_file ("mine.xml", "<gpu like='base'>\n<op name='ld' pipeline='mm'/></gpu>",
               "mine.xml:2: op \"ld\": pipeline \"mm\" is no pipeline of this GPU; nearest: m, c");
  write_file (files.shipped, "other.xml",
              "<gpu like='base'>\n\n<op name='ld'><consumer op='ad' completion='1'/></op></gpu>");
  refuse_file ("mine.xml", "<gpu like='other'/>",
               "shipped/other.xml:3: op \"ld\": consumer \"ad\": op \"ad\" is no op of this GPU; "
               "nearest: add, ld, fma");
  write_file (files.shipped, "third.xml", "<gpu like='base'>\n\n<oop/></gpu>");
  refuse_file ("mine.xml", "<gpu like='third'/>",
               "shipped/third.xml:3: <oop>: not allowed in <gpu>; allowed there are <source>, "
               "<device>, <limits>, <cache>, <code-cache>, <contention>, <launch>, <barrier>, "
               "<scheduler>, <pipeline>, "
               "<op>; did you mean op?");
  refuse_file (
      "mine.xml", "<gpu like='base'>\n<op name='new' issue='1' pipeline='c'/></gpu>",
      "mine.xml:2: op \"new\": the attribute completion is missing; only an op with like may "
      "leave it out");
}
END_TEST

START_TEST (a_description_that_is_nowhere_is_refused)
{
  g_autofree gchar *message
      = g_strconcat ("mine.xml:1: <gpu>: like \"bse\" names no description: no bse.xml in ",
                     files.folder, ", shipped; nearest: base, mine", NULL);

  refuse_file ("mine.xml", "<gpu name='mine'\n like='bse'/>", message);
}
END_TEST

START_TEST (descriptions_like_one_another_in_a_cycle_are_refused)
{
  write_file (files.folder, "b.xml", "<gpu like='a'/>");
  refuse_file ("a.xml", "<gpu like='b'/>",
               "b.xml:1: <gpu>: like forms a cycle: a.xml -> b.xml -> a.xml; a description "
               "cannot start from itself");
  refuse_file ("c.xml", "<gpu like='c'/>",
               "c.xml:1: <gpu>: like forms a cycle: c.xml -> c.xml; a description cannot start "
               "from itself");
}
END_TEST

START_TEST (a_long_chain_of_descriptions_is_refused)
{
  for (int i = 0; i < 20; i++)
    {
      g_autofree gchar *name = g_strdup_printf ("g%d.xml", i);
      g_autofree gchar *text = g_strdup_printf ("<gpu like='g%d'/>", i + 1);

      write_file (files.folder, name, text);
    }
  refuse_file ("first.xml", "<gpu like='g0'/>",
               "g14.xml:1: <gpu>: more than 16 descriptions start from one another");
}
END_TEST

START_TEST (a_description_from_memory_is_like_shipped_ones_only)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_parse ("<gpu like='base'/>", 18, "x.xml", files.search, &error);

  ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
  ck_assert_str_eq (gpu->name, "base");
  refuse (
      "<gpu like='base'/>", WP_ERROR_VALUE,
      "g.xml:1: <gpu>: like \"base\" names no description: no base.xml in any folder, as none is "
      "searched; nearest: none");
  refuse (
      "<gpu like='../base'/>", WP_ERROR_VALUE,
      "g.xml:1: <gpu>: like \"../base\" must be the name of a description, without a folder and "
      "without \".xml\"");
}
END_TEST

/* What is refused. */

START_TEST (what_is_required_must_be_there)
{
  refuse ("<gpu>\n</gpu>", WP_ERROR_SYNTAX,
          "g.xml:1: <gpu>: a <device> with the attribute sms is missing in it");
  refuse ("<gpu>\n<device sms='1'/></gpu>", WP_ERROR_SYNTAX,
          "g.xml:2: <device>: the attribute clock-mhz is missing");
  refuse_body ("<contention a='1' b='2'/>", WP_ERROR_SYNTAX,
               "g.xml:3: <contention>: the attribute c is missing");
  refuse_body ("<pipeline/>", WP_ERROR_SYNTAX,
               "g.xml:3: <pipeline>: the attribute name is missing");
  refuse_body (
      "<op name='a' pipeline='c' completion='1'/>", WP_ERROR_SYNTAX,
      "g.xml:3: op \"a\": the attribute issue is missing; only an op with like may leave it "
      "out");
  refuse_body (ADD "<op name='a' like='add'><consumer op='add'/></op>", WP_ERROR_SYNTAX,
               "g.xml:4: op \"a\": consumer \"add\": the attribute completion is missing");
}
END_TEST

START_TEST (nothing_is_given_twice)
{
  refuse_body (ADD ADD, WP_ERROR_SYNTAX, "g.xml:4: op \"add\": given twice; first on line 3");
  refuse_body ("<device/>", WP_ERROR_SYNTAX, "g.xml:3: <device>: given twice; first on line 2");
  refuse_body ("<pipeline name='c'/>", WP_ERROR_SYNTAX,
               "g.xml:3: pipeline \"c\": given twice; first on line 2");
  refuse_body (ADD "<op name='x' like='add'><context name='a'/>\n<context name='a'/></op>",
               WP_ERROR_SYNTAX, "g.xml:5: op \"x\": context \"a\": given twice; first on line 4");
  refuse_body (ADD "<op name='x' like='add'><consumer op='add' completion='1'/>\n"
                   "<consumer op='add' completion='1'/></op>",
               WP_ERROR_SYNTAX,
               "g.xml:5: op \"x\": consumer \"add\": given twice; first on line 4");
}
END_TEST

START_TEST (an_unknown_attribute_is_refused_with_those_allowed)
{
  refuse_body (
      "<op name='ld.global'>\n<context name='strid-2' isue='1'/></op>", WP_ERROR_SYNTAX,
      "g.xml:4: op \"ld.global\": context \"strid-2\": unknown attribute \"isue\"; allowed "
      "are name, issue, completion, flops, bytes, slots, transactions, posted, issue-each, "
      "completion-each, transactions-each, bytes-each, flops-each, completion-short, scale, share, "
      "width, "
      "width-min, issue-min; did you mean issue?");
  refuse_body (
      "<op name='a'><context name='b' pipeline='c'/></op>", WP_ERROR_SYNTAX,
      "g.xml:3: op \"a\": context \"b\": unknown attribute \"pipeline\"; allowed are name, "
      "issue, completion, flops, bytes, slots, transactions, posted, issue-each, "
      "completion-each, transactions-each, bytes-each, flops-each, completion-short, scale, share, "
      "width, "
      "width-min, issue-min");
}
END_TEST

START_TEST (times_are_decimals_or_fractions)
{
  static const gchar *const wrong[] = { "",    "-1", "1/0", "1/",  ".5",  "1.",
                                        "1e3", " 1", "0x1", "1,5", "inf", "1234567890123456789" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree gchar *body
          = g_strdup_printf ("<op name='a' pipeline='c' completion='1' issue='%s'/>", wrong[i]);
      g_autofree gchar *text = wrap (body);
      g_autofree gchar *prefix = g_strdup_printf (
          "g.xml:3: op \"a\": issue \"%s\" must be a decimal or a fraction, such as "
          "12.3 or 1/6, at least 0",
          wrong[i]);
      g_autoptr (GError) error = NULL;

      ck_assert_ptr_null (wp_gpu_parse (text, strlen (text), "g.xml", NULL, &error));
      ck_assert_msg (g_str_has_prefix (error->message, prefix), "%s", error->message);
    }
  refuse (
      "<gpu><device sms='1' clock-mhz='0.0'/></gpu>", WP_ERROR_VALUE,
      "g.xml:1: <device>: clock-mhz \"0.0\" must be a decimal or a fraction, such as 12.3 or 1/6, "
      "above 0");
}
END_TEST

START_TEST (counts_and_choices_are_checked)
{
  refuse_body ("<scheduler count='0'/>", WP_ERROR_VALUE,
               "g.xml:3: <scheduler>: count \"0\" must be a whole number from 1 to 1024");
  refuse_body ("<pipeline name='p' queue='many'/>", WP_ERROR_VALUE,
               "g.xml:3: pipeline \"p\": queue \"many\" must be a whole number from 0 to 65536 or "
               "\"unbounded\"");
  refuse_body ("<pipeline name='p' kind='mem'/>", WP_ERROR_VALUE,
               "g.xml:3: pipeline \"p\": kind \"mem\" must be one of compute, memory");
  refuse_body ("<pipeline name='p' scope='SM'/>", WP_ERROR_VALUE,
               "g.xml:3: pipeline \"p\": scope \"SM\" must be one of sm, scheduler");
  refuse_body ("<pipeline name='p' pairing=''/>", WP_ERROR_VALUE,
               "g.xml:3: pipeline \"p\": pairing \"\" must be one of any, never");
  refuse_body ("<op name='a' posted='true'/>", WP_ERROR_VALUE,
               "g.xml:3: op \"a\": posted \"true\" must be one of yes, no");
  refuse_body ("<op name='a' slots='0'/>", WP_ERROR_VALUE,
               "g.xml:3: op \"a\": slots \"0\" must be a whole number from 1 to 1048576");
  refuse_body ("<op name='a*'/>", WP_ERROR_VALUE,
               "g.xml:3: op \"a*\": name \"a*\" must be a name without *");
}
END_TEST

START_TEST (each_is_for_wildcards_only)
{
  refuse_body ("<op name='a'><context name='b' bytes-each='1'/></op>", WP_ERROR_VALUE,
               "g.xml:3: op \"a\": context \"b\": bytes-each is for a context whose name ends in "
               "\"-*\" only");
  refuse_body ("<op name='a'><context name='-*'/></op>", WP_ERROR_VALUE,
               "g.xml:3: op \"a\": context \"-*\": name \"-*\" must be a name, which may end in "
               "\"-*\", up to 4 times, but has no other *");
}
END_TEST

START_TEST (a_spread_rises_from_0_to_100_and_never_falls)
{
  static const gchar *const at[]
      = { "", "0", "0 50", "1 100", "0 50 50 100", "0 100 101", "0 5.5 100" };

  for (guint i = 0; i < G_N_ELEMENTS (at); i++)
    {
      g_autofree gchar *body
          = g_strdup_printf ("<op name='a'><spread at='%s' add='0'/></op>", at[i]);
      g_autofree gchar *message = g_strdup_printf (
          "g.xml:3: op \"a\": <spread>: at \"%s\" must be whole numbers that rise "
          "from 0 to 100, such as \"0 5 50 95 100\"",
          at[i]);

      refuse_body (body, WP_ERROR_VALUE, message);
    }
  refuse_body (
      "<op name='a'><spread at='0 100' add='1/2 1/3'/></op>", WP_ERROR_VALUE,
      "g.xml:3: op \"a\": <spread>: add \"1/2 1/3\" must be times that never fall, such as "
      "\"-16 -8 0 24 200\"; \"1/3\" is less than the one before");
  refuse_body (
      "<op name='a'><spread at='0 100' add='1 2 3'/></op>", WP_ERROR_VALUE,
      "g.xml:3: op \"a\": <spread>: at has 2 values and add has 3; each percentile needs its "
      "time");
  refuse_body ("<op name='a'><context name='b'><spread at='0 100' add='0 0'/>\n"
               "<spread at='0 100' add='0 0'/></context></op>",
               WP_ERROR_SYNTAX,
               "g.xml:4: op \"a\": context \"b\": <spread>: given twice; first on line 3");
}
END_TEST

START_TEST (names_that_nothing_has_are_refused_with_the_nearest)
{
  refuse_body ("<op name='a' pipeline='d' issue='1' completion='1'/>", WP_ERROR_VALUE,
               "g.xml:3: op \"a\": pipeline \"d\" is no pipeline of this GPU; nearest: c");
  refuse_body (ADD "<op name='x' like='ad'/>", WP_ERROR_VALUE,
               "g.xml:4: op \"x\": like \"ad\" is no op of this GPU; nearest: add, x");
  refuse_body (
      ADD "<op name='x' like='add'>\n<consumer op='adds' completion='1'/></op>", WP_ERROR_VALUE,
      "g.xml:5: op \"x\": consumer \"adds\": op \"adds\" is no op of this GPU; nearest: add, "
      "x");
}
END_TEST

START_TEST (every_shipped_description_is_sound)
{
  const gchar *data = g_getenv ("WARPIPE_DATA_DIR");
  g_autofree gchar *folder = g_build_filename (data ? data : ".", "configs", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *name;
  guint n = 0;

  ck_assert_msg (dir != NULL, "no %s", folder);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".xml"))
      {
        g_autofree gchar *path = g_build_filename (folder, name, NULL);
        g_autoptr (GError) error = NULL;
        g_autoptr (WpGpu) gpu = wp_gpu_load (path, NULL, &error);

        ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
        ck_assert_uint_eq (strlen (gpu->name), strlen (name) - strlen (".xml"));
        ck_assert (g_str_has_prefix (name, gpu->name));
        ck_assert_uint_gt (gpu->sources->len, 0);
        check_oddities (gpu, NULL, NULL);
        /* Measured on Turing alone, and others are like the TITAN RTX (doc/execute.md). */
        ck_assert_msg ((gpu->code_cache.bytes != 0) == (g_strcmp0 (gpu->generation, "Turing") == 0),
                       "%s", name);
        n++;
      }
  ck_assert_uint_ge (n, 16);
}
END_TEST

/* Peaks of matrix units without sparsity, in TFLOPS or TOPS. What the description's clock makes of
 * its issue times must not be above them. They are the vendor's, but none was checked against a
 * white paper or data sheet: those of A40, RTX 4090 (but for sums in half precision) and A100 stand
 * in public databases of GPUs, those of the L40 in a dealer's transcription of its data sheet, that
 * of the TITAN RTX in several public notes. Those marked are remembered, and so a guess; those of
 * V100 and H100 are as the descriptions have them, and h100-pcie's of mma is Luo's as
 * transcribed. */
static const struct
{
  const gchar *gpu, *op;
  gdouble peak;
} tensor_peaks[] = {
  { "v100-pcie", "mma.sync.m8n8k4.f32.f16", 125 },
  { "v100-pcie", "wmma.mma.sync.m16n16k16.f32.f16.f16.f32", 125 },
  { "v100-pcie", "mma.sync.m8n8k4.step.f32.f16", 125 },
  { "titanrtx", "mma.sync.m16n8k8.f32.f16", 130.5 },
  { "titanrtx", "wmma.mma.sync.m16n16k16.f16.f16.f16.f16", 130.5 },
  { "rtx2080ti", "mma.sync.m16n8k8.f32.f16", 62 }, /* 53.8 at 1545 MHz */
  { "rtx2080ti", "mma.sync.m16n8k8.f16.f16", 124 },
  { "rtx2080ti", "wmma.mma.sync.m16n16k16.f32.f16.f16.f32", 62 },
  { "a100-40", "mma.sync.m16n8k16.f32.f16", 312 },
  { "a100-40", "mma.sync.m16n8k8.f16.f16", 312 },
  { "a100-40", "mma.sync.m16n8k8.f32.tf32", 156 },
  { "a100-40", "mma.sync.m16n8k32.s32.s8", 624 },
  { "a100-40", "mma.sync.m8n8k4.f32.f16", 19.5 },
  { "a100-80", "mma.sync.m16n8k16.f32.bf16", 312 },
  { "a100-80", "wmma.mma.sync.m16n16k16.f32.f16.f16.f32", 312 },
  { "a40", "mma.sync.m16n8k16.f32.f16", 149.7 },
  { "a40", "mma.sync.m16n8k8.f32.tf32", 74.8 },
  { "a40", "mma.sync.m16n8k32.s32.s8", 299.3 },
  { "rtx3080ti", "mma.sync.m16n8k16.f32.f16", 68.2 },
  { "rtx3080ti", "mma.sync.m16n8k16.f16.f16", 136.4 },
  { "rtx3080ti", "mma.sync.m16n8k8.f32.tf32", 34.1 }, /* guess */
  { "a6000", "mma.sync.m16n8k16.f32.f16", 154.8 },
  { "a6000", "mma.sync.m16n8k32.s32.s8", 309.7 },
  { "a4000", "mma.sync.m16n8k16.f32.f16", 76.7 },
  { "rtx3080", "mma.sync.m16n8k16.f32.f16", 59.5 },
  { "rtx3080", "mma.sync.m16n8k16.f16.f16", 119 },
  { "rtx3090", "mma.sync.m16n8k16.f32.f16", 71 },
  { "rtx3090", "mma.sync.m16n8k16.f16.f16", 142 },
  { "l40", "mma.sync.m16n8k16.f32.f16", 181.05 },
  { "l40", "mma.sync.m16n8k16.f16.f16", 181.05 },
  { "l40", "mma.sync.m16n8k8.f32.tf32", 90.5 },
  { "l40", "mma.sync.m16n8k16.s32.s8", 362 },
  { "rtx4090", "mma.sync.m16n8k16.f16.f16", 330.3 }, /* guess */
  { "rtx4090", "mma.sync.m16n8k16.f32.f16", 165.2 },
  { "rtx4090", "mma.sync.m16n8k8.f32.tf32", 82.6 },
  { "rtx4090", "mma.sync.m16n8k32.s32.s8", 660.6 },
  { "h100-pcie", "mma.sync.m16n8k16.f32.f16", 494.4 }, /* guess: what it attains */
  { "h100-pcie", "wgmma.mma_async.sync.m64n256k16.f32.f16", 756.5 },
  { "h100-sxm", "mma.sync.m16n8k16.f32.f16", 989.4 },
  { "h100-sxm", "mma.sync.m16n8k8.f32.tf32", 494.7 },
  { "h100-sxm", "mma.sync.m16n8k32.s32.s8", 1978.9 },
  { "h100-sxm", "wgmma.mma_async.sync.m64n64k16.f32.bf16", 989.4 },
  { "h100-sxm", "wgmma.mma_async.sync.m64n256k8.f32.tf32", 494.7 },
  { "h100-sxm", "wgmma.mma_async.sync.m64n256k32.f32.e4m3", 1978.9 },
  { "gh200", "wgmma.mma_async.sync.m64n128k16.f16.f16", 989.4 },
  { "h200", "mma.sync.m16n8k16.f32.f16", 989.4 },
  { "rtx5090", "mma.sync.m16n8k16.f16.f16", 419 },
  { "rtx5090", "mma.sync.m16n8k16.f32.f16", 209.5 },
  { "rtx5090", "mma.sync.m16n8k8.f32.tf32", 104.8 },
  { "rtx5090", "mma.sync.m16n8k32.f16.e4m3", 838 },
  { "rtx5070ti", "mma.sync.m16n8k16.f32.f16", 87.9 },  /* guess: as many for each SM */
  { "rtx5070ti", "mma.sync.m16n8k16.f16.f16", 175.8 }, /* the same */
  { "b200", "mma.sync.m16n8k16.f32.bf16", 595.6 }, /* guess: as many for each SM as on the A100 */
};

static WpGpu *
load_shipped (const gchar *name)
{
  const gchar *data = g_getenv ("WARPIPE_DATA_DIR");
  g_autofree gchar *file = g_strconcat (name, ".xml", NULL);
  g_autofree gchar *path = g_build_filename (data ? data : ".", "configs", file, NULL);
  g_autoptr (GError) error = NULL;
  WpGpu *gpu = wp_gpu_load (path, NULL, &error);

  ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
  return gpu;
}

/* TFLOPS of the whole GPU if it does nothing but OP. */
static gdouble
get_peak (const WpGpu *gpu, const WpGpuOp *op)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, op->pipeline);
  gdouble instances = pipeline->scope == WP_SCOPE_SCHEDULER ? (gdouble)gpu->schedulers : 1;

  return (gdouble)gpu->sms * instances * wp_cycles_to_double (gpu->clock_mhz) * (gdouble)op->flops
         / wp_cycles_to_double (op->issue) / 1e6;
}

START_TEST (no_matrix_unit_is_above_its_published_peak)
{
  g_autoptr (WpGpu) gpu = load_shipped (tensor_peaks[_i].gpu);
  gdouble peak = get_peak (gpu, get_op (gpu, tensor_peaks[_i].op));

  /* Published figures are rounded. */
  ck_assert_msg (peak <= tensor_peaks[_i].peak * 1.003, "%s: %s: %g", gpu->name,
                 tensor_peaks[_i].op, peak);
  ck_assert_msg (peak >= tensor_peaks[_i].peak / 2, "%s: %s: only %g", gpu->name,
                 tensor_peaks[_i].op, peak);
}
END_TEST

/* What is executed counts a wavefront for each matrix at least: so many are no conflict, and eight
 * times as many take the unit eight times as long. */
START_TEST (a_conflict_of_matrix_rows_counts_wavefronts)
{
  static const gchar *const words[] = { "ldmatrix.sync.m8n8.x%u", "stmatrix.sync.m8n8.x%u" };
  g_autoptr (WpGpu) gpu = load_shipped (tensor_peaks[_i].gpu);

  for (guint n = 1; n <= 4; n *= 2)
    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
      {
        g_autofree gchar *op = g_strdup_printf (words[i], n);
        g_autofree gchar *none = g_strdup_printf ("conflict-%u", n);
        g_autofree gchar *worst = g_strdup_printf ("conflict-%u", 8 * n);
        WpGpuCost plain, free_of, conflicting;

        if (wp_match_find (gpu, op).op == NULL) /* Volta has neither */
          continue;
        plain = get_cost_of (gpu, op, NULL);
        free_of = get_cost_of (gpu, op, none);
        conflicting = get_cost_of (gpu, op, worst);
        ck_assert_int_eq (wp_cycles_compare (plain.issue, free_of.issue), 0);
        ck_assert_int_eq (wp_cycles_compare (plain.completion, free_of.completion), 0);
        ck_assert_double_ge (wp_cycles_to_double (conflicting.issue), 8.0 * n);
        ck_assert_double_le (wp_cycles_to_double (conflicting.issue), 16.0 * n);
      }
}
END_TEST

/* No op of a matrix unit does more than the greatest of these peaks; those with 8 bits apart. */
START_TEST (no_other_matrix_op_is_above_the_greatest_peak)
{
  g_autoptr (WpGpu) gpu = load_shipped (tensor_peaks[_i].gpu);
  gdouble greatest = 0;

  for (guint i = 0; i < G_N_ELEMENTS (tensor_peaks); i++)
    if (strcmp (tensor_peaks[i].gpu, gpu->name) == 0)
      greatest = MAX (greatest, tensor_peaks[i].peak);
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);
      const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, op->pipeline);

      if (strcmp (pipeline->name, "tensor") == 0 && strstr (op->name, ".s32.") == NULL
          && strstr (op->name, ".e4m3") == NULL && strstr (op->name, ".e5m2") == NULL)
        ck_assert_msg (get_peak (gpu, op) <= greatest * 1.003, "%s: %s: %g", gpu->name, op->name,
                       get_peak (gpu, op));
    }
}
END_TEST

static void
add_like_tests (Suite *suite)
{
  TCase *ops = tcase_create ("like between ops"), *gpus = tcase_create ("like between GPUs");

  tcase_add_test (ops, an_op_like_another_has_all_of_it);
  tcase_add_test (ops, an_op_may_be_like_a_later_one);
  tcase_add_test (ops, ops_like_one_another_in_a_cycle_are_refused);
  tcase_add_test (ops, a_long_chain_of_ops_is_followed);
  tcase_add_test (ops, copies_that_would_fill_the_memory_are_refused);
  suite_add_tcase (suite, ops);

  tcase_add_checked_fixture (gpus, set_up_files, tear_down_files);
  tcase_add_test (gpus, a_gpu_like_another_replaces_attribute_by_attribute);
  tcase_add_test (gpus, caches_are_inherited_attribute_by_attribute);
  tcase_add_test (gpus, an_ops_latencies_scale_with_those_of_its_contexts);
  tcase_add_test (gpus, of_ops_like_one_another_each_goes_by_the_nearest_scale);
  tcase_add_test (gpus, a_pipelines_latencies_and_units_scale);
  tcase_add_test (gpus, issue_min_scales_as_issue_does);
  tcase_add_test (gpus, a_context_alone_scales);
  tcase_add_test (gpus, scales_of_a_chain_multiply);
  tcase_add_test (gpus, a_share_of_the_device_follows_its_sms_clock_and_pins);
  tcase_add_test (gpus, what_cannot_be_scaled_is_refused);
  tcase_add_test (gpus, contexts_that_cannot_be_scaled_are_refused);
  tcase_add_test (gpus, units_that_say_nothing_are_refused);
  tcase_add_test (gpus, what_no_gpu_can_be_is_found);
  tcase_add_test (gpus, what_a_path_moves_is_compared_with_the_pins);
  tcase_add_test (gpus, a_description_beside_the_file_goes_before_a_shipped_one);
  tcase_add_test (gpus, a_gpu_like_another_may_have_no_cache_of_code);
  tcase_add_test (gpus, a_name_that_is_not_given_is_that_of_the_base);
  tcase_add_test (gpus, an_error_in_what_is_joined_names_the_file_that_has_it);
  tcase_add_test (gpus, a_description_that_is_nowhere_is_refused);
  tcase_add_test (gpus, descriptions_like_one_another_in_a_cycle_are_refused);
  tcase_add_test (gpus, a_long_chain_of_descriptions_is_refused);
  tcase_add_test (gpus, a_description_from_memory_is_like_shipped_ones_only);
  suite_add_tcase (suite, gpus);
}

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("gpu");
  TCase *reading = tcase_create ("reading"), *costs = tcase_create ("costs");
  TCase *errors = tcase_create ("errors");
  gint peaks = (gint)check_get_size (G_N_ELEMENTS (tensor_peaks), 4);

  tcase_add_test (reading, what_is_left_out_has_its_default);
  tcase_add_test (reading, a_gpu_is_read_as_written);
  tcase_add_test (reading, caches_and_the_compute_capability_are_read);
  tcase_add_test (reading, a_gpu_without_a_name_is_called_as_its_file);
  tcase_add_test (reading, what_no_name_may_have_is_replaced_in_that_of_a_file);
  tcase_add_test (reading, every_shipped_description_is_sound);
  tcase_add_loop_test (reading, no_matrix_unit_is_above_its_published_peak, 0, peaks);
  tcase_add_loop_test (reading, a_conflict_of_matrix_rows_counts_wavefronts, 0, peaks);
  tcase_add_loop_test (reading, no_other_matrix_op_is_above_the_greatest_peak, 0, peaks);
  suite_add_tcase (suite, reading);

  tcase_add_test (costs, an_op_is_looked_up_with_its_last_parts_dropped);
  tcase_add_test (costs, many_ops_are_looked_up_quickly);
  tcase_add_test (costs, ops_are_found_without_an_index);
  tcase_add_test (costs, the_nearest_ops_are_suggested);
  tcase_add_test (costs, a_context_gives_what_differs);
  tcase_add_test (costs, a_wildcard_adds_for_each_unit_above_one);
  tcase_add_test (costs, an_exact_context_goes_before_a_wildcard);
  tcase_add_test (costs, a_context_of_none_is_that_of_one);
  tcase_add_test (costs, a_context_that_the_op_lacks_is_refused);
  tcase_add_test (costs, a_time_that_does_not_fit_is_refused);
  tcase_add_test (costs, other_widths_follow_from_the_width);
  tcase_add_test (costs, fewer_bytes_than_the_least_take_no_less_time);
  tcase_add_test (costs, an_issue_time_is_at_least_issue_min);
  tcase_add_test (costs, what_is_counted_holds_for_any_width);
  tcase_add_test (costs, an_op_like_another_is_for_the_bytes_of_its_name);
  tcase_add_test (costs, what_no_rule_covers_is_lost);
  tcase_add_test (costs, a_canonical_name_and_what_represents_it_are_found);
  tcase_add_test (costs, a_part_that_ptx_lacks_is_refused);
  tcase_add_test (costs, a_width_beyond_all_limits_is_refused);
  suite_add_tcase (suite, costs);
  add_like_tests (suite);

  tcase_add_test (errors, what_is_required_must_be_there);
  tcase_add_test (errors, nothing_is_given_twice);
  tcase_add_test (errors, an_unknown_attribute_is_refused_with_those_allowed);
  tcase_add_test (errors, times_are_decimals_or_fractions);
  tcase_add_test (errors, counts_and_choices_are_checked);
  tcase_add_test (errors, each_is_for_wildcards_only);
  tcase_add_test (errors, a_spread_rises_from_0_to_100_and_never_falls);
  tcase_add_test (errors, names_that_nothing_has_are_refused_with_the_nearest);
  suite_add_tcase (suite, errors);
  return suite;
}
