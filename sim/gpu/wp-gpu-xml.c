/* SPDX-License-Identifier: MIT */
/* Reads GPU descriptions (FORMATS.md, "GPU description").
 *
 * A description may inherit from another, and that from a third. They are not merged: each is kept
 * as read, and everything that is matched across them (the device, an op, a pipeline) is a list of
 * the elements about it, the base's first. The last element that has an attribute decides, so that
 * errors can refer to the file and line of that element.
 *
 * `like` between ops is resolved afterwards, on these lists: a later file may change an op that
 * others are like, and they follow it. */
#include <stdlib.h>
#include <string.h>

#include "idg/import/ops/idg-ops.h"
#include "idg/kernel/idg-suggest.h"
#include "sim/gpu/wp-gpu-xml.h"

G_STATIC_ASSERT ((int)WP_ERROR_READ == (int)IDG_XML_READ);
G_STATIC_ASSERT ((int)WP_ERROR_SYNTAX == (int)IDG_XML_SYNTAX);
G_STATIC_ASSERT ((int)WP_ERROR_VALUE == (int)IDG_XML_VALUE);
G_STATIC_ASSERT ((int)WP_ERROR_MEMORY == (int)IDG_XML_MEMORY);

/* The elements about one thing, those of the base first. */

typedef GPtrArray Layers; /* of const IdgXmlNode */

static const IdgXmlNode *
get_layer (const Layers *layers, guint i)
{
  return g_ptr_array_index (layers, i);
}

/* Returns the value of ATTRIBUTE, or NULL; NODE (may be NULL) receives the element that decided it.
 */
static const gchar *
get_value (const Layers *layers, const gchar *attribute, const IdgXmlNode **node)
{
  for (guint i = layers->len; i-- > 0;)
    {
      const gchar *value = idg_xml_get (get_layer (layers, i), attribute);

      if (value)
        {
          if (node)
            *node = get_layer (layers, i);
          return value;
        }
    }
  return NULL;
}

static guint64
get_whole (const Layers *layers, const gchar *attribute, guint64 fallback)
{
  const IdgXmlNode *node = NULL;

  return get_value (layers, attribute, &node) ? idg_xml_get_whole (node, attribute, 0) : fallback;
}

static void
get_time (const Layers *layers, const gchar *attribute, WpCycles *time)
{
  const gchar *value = get_value (layers, attribute, NULL);

  if (value)
    wp_cycles_parse (value, FALSE, time);
}

static gboolean
has_choice (const Layers *layers, const gchar *attribute, const gchar *choice)
{
  return g_strcmp0 (get_value (layers, attribute, NULL), choice) == 0;
}

/* Returns which of ROOTS is that of NODE's description. */
static guint
get_description (const Layers *roots, const IdgXmlNode *node)
{
  const IdgXmlNode *root = idg_xml_get_root (idg_xml_get_doc (node));
  guint i = 0;

  while (get_layer (roots, i) != root)
    i++;
  return i;
}

/* An op or a pipeline under construction. */
typedef struct
{
  const gchar *name;
  Layers *layers;
  guint index; /* in its list */
  enum
  {
    UNTOUCHED,
    UNDER_WAY, /* waiting for the op that it is like */
    DONE,
  } state; /* for ops only */
} Draft;

typedef struct
{
  GPtrArray *drafts; /* in the order of their first appearance, the base's first */
  GHashTable *by_name;
} DraftList;

typedef struct
{
  WpGpu *gpu;
  Layers *roots; /* the <gpu> elements, the base's first */
  DraftList pipelines, ops;
  WpGpuScales *scales; /* by op */
  gsize n_details;     /* how many contexts and consumers there are so far */
} Reader;

static void
free_draft (gpointer data)
{
  Draft *draft = data;

  g_ptr_array_unref (draft->layers);
  g_free (draft);
}

static void
init_drafts (DraftList *list)
{
  list->drafts = g_ptr_array_new_with_free_func (free_draft);
  list->by_name = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
clear_drafts (DraftList *list)
{
  g_hash_table_unref (list->by_name);
  g_ptr_array_unref (list->drafts);
}

static Draft *
find_draft (const DraftList *list, const gchar *name)
{
  return g_hash_table_lookup (list->by_name, name);
}

static void
add_draft (DraftList *list, const IdgXmlNode *node)
{
  const gchar *name = idg_xml_get (node, "name");
  Draft *draft = find_draft (list, name);

  if (!draft)
    {
      draft = g_new0 (Draft, 1);
      draft->name = name;
      draft->layers = g_ptr_array_new ();
      draft->index = list->drafts->len;
      g_ptr_array_add (list->drafts, draft);
      g_hash_table_insert (list->by_name, (gpointer)name, draft);
    }
  g_ptr_array_add (draft->layers, (gpointer)node);
}

/* Fails with "WHAT NAME: ...; nearest: ..." for a name that is not in LIST. */
static gboolean
fail_unknown (const IdgXmlNode *node, const gchar *attribute, const DraftList *list,
              const gchar *kind, GError **error)
{
  const gchar *name = idg_xml_get (node, attribute);
  g_autofree gchar *quoted = idg_xml_quote (name);
  g_autofree const gchar **names = g_new (const gchar *, list->drafts->len + 1);
  g_autofree gchar *nearest = NULL;

  for (guint i = 0; i < list->drafts->len; i++)
    names[i] = ((const Draft *)g_ptr_array_index (list->drafts, i))->name;
  nearest = idg_suggest_nearest (name, names, list->drafts->len);
  return idg_xml_fail (node, IDG_XML_VALUE, error, "%s %s is no %s of this GPU; nearest: %s",
                       attribute, quoted, kind, *nearest ? nearest : "none, as there are none");
}

/* Sorts the elements of all files into the lists. */
static gboolean
collect_drafts (Reader *reader, GError **error)
{
  for (guint i = 0; i < reader->roots->len; i++)
    for (const IdgXmlNode *node = get_layer (reader->roots, i)->first_child; node;
         node = node->next)
      {
        if (strcmp (node->name, "pipeline") == 0)
          add_draft (&reader->pipelines, node);
        else if (strcmp (node->name, "op") == 0)
          add_draft (&reader->ops, node);
        else if (strcmp (node->name, "source") == 0)
          g_ptr_array_add (reader->gpu->sources, g_strdup (node->text->text));

        if (reader->pipelines.drafts->len > WP_MAX_PIPELINES)
          return idg_xml_fail (node, IDG_XML_VALUE, error, "a GPU has at most %d pipelines",
                               WP_MAX_PIPELINES);
        if (reader->ops.drafts->len > WP_MAX_OPS)
          return idg_xml_fail (node, IDG_XML_VALUE, error, "a GPU has at most %d ops", WP_MAX_OPS);
      }
  return TRUE;
}

/* Returns the elements called NAME directly within the files' <gpu>. */
static Layers *
collect (const Reader *reader, const gchar *name)
{
  Layers *layers = g_ptr_array_new ();

  for (guint i = 0; i < reader->roots->len; i++)
    for (const IdgXmlNode *node = get_layer (reader->roots, i)->first_child; node;
         node = node->next)
      if (strcmp (node->name, name) == 0)
        g_ptr_array_add (layers, (gpointer)node);
  return layers;
}

/* The GPU itself. */

/* The first of the attributes without which the element called NAME is not complete that none of
 * LAYERS gives; NULL where they give them all. */
static const gchar *
find_missing (const Layers *layers, const gchar *name)
{
  const IdgXmlAttribute *a = idg_xml_find_shape (wp_gpu_shapes, name)->attributes;

  while (a->name && (!a->complete || get_value (layers, a->name, NULL)))
    a++;
  return a->name;
}

/* An error unless LAYERS, of the element called NAME if there is any, complete it. */
static gboolean
require (const Reader *reader, const Layers *layers, const gchar *name, GError **error)
{
  const gchar *missing = find_missing (layers, name);

  if (!missing)
    return TRUE;
  if (layers->len > 0)
    return idg_xml_fail (get_layer (layers, layers->len - 1), IDG_XML_SYNTAX, error,
                         "the attribute %s is missing", missing);
  return idg_xml_fail (get_layer (reader->roots, reader->roots->len - 1), IDG_XML_SYNTAX, error,
                       "a <%s> with the attribute %s is missing in it", name, missing);
}

static gboolean
read_device (Reader *reader, GError **error)
{
  g_autoptr (GPtrArray) device = collect (reader, "device");
  WpGpu *gpu = reader->gpu;

  if (!require (reader, device, "device", error))
    return FALSE;
  gpu->sms = (gint64)get_whole (device, "sms", 1);
  get_time (device, "clock-mhz", &gpu->clock_mhz);
  gpu->warp_size = (gint64)get_whole (device, "warp-size", 32);
  get_time (device, "pin-gbs", &gpu->pin_gbs);
  gpu->cc = g_strdup (get_value (device, "cc", NULL));
  return TRUE;
}

/* A cache from its elements, the base's first. */
static gboolean
read_cache (const Reader *reader, const Layers *layers, WpGpuCache *cache, GError **error)
{
  const IdgXmlNode *last = get_layer (layers, layers->len - 1);

  if (!require (reader, layers, "cache", error))
    return FALSE;
  cache->bytes = get_whole (layers, "bytes", 0);
  cache->line = (guint32)get_whole (layers, "line", 128);
  cache->sector = (guint32)get_whole (layers, "sector", 32);
  cache->ways = (guint32)get_whole (layers, "ways", 16);
  if (cache->line % cache->sector != 0)
    return idg_xml_fail (last, IDG_XML_VALUE, error,
                         "its line of %u bytes is no multiple of its sector, %u", cache->line,
                         cache->sector);
  if (cache->bytes % ((guint64)cache->line * cache->ways) != 0)
    return idg_xml_fail (last, IDG_XML_VALUE, error,
                         "its %" G_GUINT64_FORMAT " bytes are no multiple of %u ways of %u bytes",
                         cache->bytes, cache->ways, cache->line);
  return TRUE;
}

static gboolean
read_caches (Reader *reader, GError **error)
{
  g_autoptr (GPtrArray) all = collect (reader, "cache");

  for (guint64 level = 1; level <= WP_MAX_CACHES; level++)
    {
      g_autoptr (GPtrArray) layers = g_ptr_array_new ();

      for (guint i = 0; i < all->len; i++)
        if (idg_xml_get_whole (get_layer (all, i), "level", 0) == level)
          g_ptr_array_add (layers, (gpointer)get_layer (all, i));
      if (layers->len > 0 && !read_cache (reader, layers, &reader->gpu->caches[level - 1], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_code_cache (const Reader *reader, GError **error)
{
  g_autoptr (GPtrArray) layers = collect (reader, "code-cache");
  WpGpuCodeCache *cache = &reader->gpu->code_cache;
  const IdgXmlNode *last;

  if (layers->len == 0)
    return TRUE;
  if (!require (reader, layers, "code-cache", error))
    return FALSE;
  last = get_layer (layers, layers->len - 1);
  cache->bytes = get_whole (layers, "bytes", 0);
  cache->piece = (guint32)get_whole (layers, "piece", 512);
  if (cache->bytes == 0 && reader->roots->len == 1)
    return idg_xml_fail (last, IDG_XML_VALUE, error,
                         "0 bytes take away what the GPU has that this one is like; this one is "
                         "like none, and has none without the element");
  if (cache->bytes % cache->piece == 0)
    return TRUE;
  return idg_xml_fail (last, IDG_XML_VALUE, error,
                       "its %" G_GUINT64_FORMAT " bytes are no multiple of a piece of %u bytes",
                       cache->bytes, cache->piece);
}

/* Something has to fetch what does not stay. */
static gboolean
check_code_cache (const Reader *reader, GError **error)
{
  g_autoptr (GPtrArray) layers = collect (reader, "code-cache");
  const WpGpuOp *fetch = wp_gpu_get_op (reader->gpu, WP_FETCH_OP);
  /* More bytes than a piece has: whoever has this context has it for all numbers. */
  g_autofree gchar *context = g_strdup_printf ("bytes-%u", reader->gpu->code_cache.piece + 1);

  if (reader->gpu->code_cache.bytes == 0 || (fetch && wp_gpu_op_has_context (fetch, context)))
    return TRUE;
  return idg_xml_fail (get_layer (layers, layers->len - 1), IDG_XML_VALUE, error,
                       "code that does not stay is fetched by the op \"" WP_FETCH_OP
                       "\", in its context \"bytes-*\"; the GPU has %s",
                       fetch ? "that op without the context" : "no such op");
}

static gboolean
read_contention (Reader *reader, GError **error)
{
  g_autoptr (GPtrArray) contention = collect (reader, "contention");
  WpGpu *gpu = reader->gpu;

  if (contention->len == 0)
    return TRUE;
  if (!require (reader, contention, "contention", error))
    return FALSE;
  gpu->has_contention = TRUE;
  get_time (contention, "a", &gpu->contention_a);
  get_time (contention, "b", &gpu->contention_b);
  get_time (contention, "c", &gpu->contention_c);
  return TRUE;
}

static void
read_limits (Reader *reader)
{
  g_autoptr (GPtrArray) from = collect (reader, "limits");
  WpGpuLimits *limits = &reader->gpu->limits;

  limits->warps = (gint64)get_whole (from, "warps", 0);
  limits->blocks = (gint64)get_whole (from, "blocks", 0);
  limits->threads = (gint64)get_whole (from, "threads", 0);
  limits->registers = (gint64)get_whole (from, "registers", 0);
  limits->shared_memory = (gint64)get_whole (from, "shared-memory", 0);
  limits->threads_per_block = (gint64)get_whole (from, "threads-per-block", 0);
  limits->registers_per_thread = (gint64)get_whole (from, "registers-per-thread", 0);
  limits->shared_memory_per_block = (gint64)get_whole (from, "shared-memory-per-block", 0);
  limits->register_allocation = (gint64)get_whole (from, "register-allocation", 1);
  limits->register_per_block = has_choice (from, "register-scope", "block");
  limits->register_partitions = (gint64)get_whole (from, "register-partitions", 1);
  limits->shared_memory_allocation = (gint64)get_whole (from, "shared-memory-allocation", 1);
  limits->shared_memory_reserved = (gint64)get_whole (from, "shared-memory-reserved", 0);
}

static void
read_latencies (Reader *reader)
{
  g_autoptr (GPtrArray) launch = collect (reader, "launch");
  g_autoptr (GPtrArray) barrier = collect (reader, "barrier");

  get_time (launch, "latency", &reader->gpu->launch_latency);
  get_time (barrier, "latency", &reader->gpu->barrier_latency);
}

static void
read_scheduler (Reader *reader)
{
  g_autoptr (GPtrArray) scheduler = collect (reader, "scheduler");
  WpGpu *gpu = reader->gpu;

  gpu->schedulers = (gint64)get_whole (scheduler, "count", 1);
  get_time (scheduler, "interval", &gpu->interval);
  gpu->issue_limit = (guint32)get_whole (scheduler, "issue-limit", 1);
  gpu->dual_issue = (guint32)get_whole (scheduler, "dual-issue", 1);
  get_time (scheduler, "ilp-latency", &gpu->ilp_latency);
  gpu->order = has_choice (scheduler, "order", "dataflow") ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
}

/* Returns PATH without directory and ".xml", with '_' in place of what a name must not contain. */
static gchar *
make_name (const gchar *path)
{
  g_autofree gchar *base = g_path_get_basename (path);

  if (g_str_has_suffix (base, ".xml") && strlen (base) > strlen (".xml"))
    base[strlen (base) - strlen (".xml")] = '\0';
  return idg_text_make_name (base, " {}*", IDG_XML_MAX_NAME);
}

/* Returns the name of a description. Without a name attribute anywhere, that is its file's name;
 * the attribute is inherited like any other. */
static gchar *
get_gpu_name (const Layers *roots)
{
  const gchar *given = get_value (roots, "name", NULL);

  return given ? g_strdup (given)
               : make_name (idg_xml_get_file (idg_xml_get_doc (get_layer (roots, roots->len - 1))));
}

static void
read_titles (Reader *reader)
{
  const IdgXmlNode *last = get_layer (reader->roots, reader->roots->len - 1);
  WpGpu *gpu = reader->gpu;

  gpu->name = get_gpu_name (reader->roots);
  gpu->title = g_strdup (get_value (reader->roots, "title", NULL));
  gpu->generation = g_strdup (get_value (reader->roots, "generation", NULL));
  gpu->year = g_strdup (get_value (reader->roots, "year", NULL));
  gpu->file = g_strdup (idg_xml_get_file (idg_xml_get_doc (last)));
}

static guint32
get_queue (const Layers *layers)
{
  if (has_choice (layers, "queue", "unbounded"))
    return WP_QUEUE_UNBOUNDED;
  return (guint32)get_whole (layers, "queue", 0);
}

/* Of a value that has been checked; NULL is the default. */
static WpShare
parse_share (const gchar *value)
{
  if (g_strcmp0 (value, "device") == 0)
    return WP_SHARE_DEVICE;
  return g_strcmp0 (value, "pins") == 0 ? WP_SHARE_PINS : WP_SHARE_SM;
}

static void
read_pipelines (Reader *reader)
{
  for (guint i = 0; i < reader->pipelines.drafts->len; i++)
    {
      const Draft *draft = g_ptr_array_index (reader->pipelines.drafts, i);
      WpGpuPipeline *pipeline = g_new0 (WpGpuPipeline, 1);
      const IdgXmlNode *node = NULL;

      pipeline->name = g_strdup (draft->name);
      pipeline->kind
          = has_choice (draft->layers, "kind", "memory") ? WP_KIND_MEMORY : WP_KIND_COMPUTE;
      pipeline->scope
          = has_choice (draft->layers, "scope", "scheduler") ? WP_SCOPE_SCHEDULER : WP_SCOPE_SM;
      pipeline->queue = get_queue (draft->layers);
      pipeline->pairing_never = has_choice (draft->layers, "pairing", "never");
      pipeline->channels = (guint32)get_whole (draft->layers, "channels", 0);
      pipeline->channel_issue = wp_cycles_whole (0);
      get_time (draft->layers, "channel-issue", &pipeline->channel_issue);
      if (get_value (draft->layers, "channel-issue", &node))
        pipeline->channel_issue_from = get_description (reader->roots, node);
      pipeline->inflight = (guint32)get_whole (draft->layers, "inflight", 0);
      pipeline->shared = (guint32)get_whole (draft->layers, "shared", 1);
      pipeline->turnaround = wp_cycles_whole (0);
      get_time (draft->layers, "turnaround", &pipeline->turnaround);
      if (get_value (draft->layers, "turnaround", &node))
        pipeline->turnaround_from = get_description (reader->roots, node);
      pipeline->share = parse_share (get_value (draft->layers, "share", NULL));
      g_ptr_array_add (reader->gpu->pipelines, pipeline);
    }
}

/* MODEL.md, section 12: what one SM does never decides whether another can issue. */
static gboolean
check_shared (const Reader *reader, guint i, GError **error)
{
  const Draft *draft = g_ptr_array_index (reader->pipelines.drafts, i);
  const WpGpuPipeline *pipeline = g_ptr_array_index (reader->gpu->pipelines, i);
  const IdgXmlNode *node = NULL;

  if (pipeline->shared == 1)
    return TRUE;
  get_value (draft->layers, "shared", &node);
  if (pipeline->scope == WP_SCOPE_SCHEDULER)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "shared is for a pipeline of scope sm; this one is its scheduler's own");
  if (pipeline->inflight > 0)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "a pipeline that SMs share cannot have inflight, as one SM would decide "
                         "whether another can issue; give it to the pipeline of the SM before it");
  for (guint o = 0; o < reader->gpu->ops->len; o++)
    {
      const WpGpuOp *op = g_ptr_array_index (reader->gpu->ops, o);

      if (op->pipeline == i && pipeline->queue != WP_QUEUE_UNBOUNDED)
        return idg_xml_fail (node, IDG_XML_VALUE, error,
                             "op \"%s\" issues into it, so that it needs queue=\"unbounded\": what "
                             "one SM does cannot decide whether another can issue",
                             op->name);
    }
  return TRUE;
}

static gboolean
check_all_shared (const Reader *reader, GError **error)
{
  for (guint i = 0; i < reader->pipelines.drafts->len; i++)
    if (!check_shared (reader, i, error))
      return FALSE;
  return TRUE;
}

/* Ops. */

/* Read an attribute of one element. Return whether it has that attribute. */
static gboolean
take_time (const IdgXmlNode *node, const gchar *attribute, WpCycles *time)
{
  const gchar *value = idg_xml_get (node, attribute);

  return value && !wp_cycles_parse (value, FALSE, time);
}

static gboolean
take_whole (const IdgXmlNode *node, const gchar *attribute, guint64 *number)
{
  const gchar *value = idg_xml_get (node, attribute);

  return value && idg_xml_parse_whole (value, G_MAXUINT64, number);
}

static gboolean
take_whole32 (const IdgXmlNode *node, const gchar *attribute, guint32 *number)
{
  guint64 wide;

  if (!take_whole (node, attribute, &wide))
    return FALSE;
  *number = (guint32)wide; /* all such numbers have fewer bits */
  return TRUE;
}

static gboolean
take_width (const IdgXmlNode *node, guint32 *width)
{
  if (g_strcmp0 (idg_xml_get (node, "width"), "any") != 0)
    return take_whole32 (node, "width", width);
  *width = WP_WIDTH_ANY;
  return TRUE;
}

static gboolean
take_yes (const IdgXmlNode *node, const gchar *attribute, gboolean *is_yes)
{
  const gchar *value = idg_xml_get (node, attribute);

  if (value)
    *is_yes = strcmp (value, "yes") == 0;
  return value != NULL;
}

static WpGpuSpread *
read_spread (const IdgXmlNode *node, guint from)
{
  g_auto (GStrv) at = idg_xml_split (idg_xml_get (node, "at"));
  g_auto (GStrv) add = idg_xml_split (idg_xml_get (node, "add"));
  WpGpuSpread *spread = g_new0 (WpGpuSpread, 1);

  spread->n = g_strv_length (at);
  spread->from = from;
  spread->at = g_new0 (guint, spread->n);
  spread->add = g_new0 (WpCycles, spread->n);
  for (guint i = 0; i < spread->n; i++)
    {
      guint64 percentile = 0;

      idg_xml_parse_whole (at[i], 100, &percentile);
      spread->at[i] = (guint)percentile;
      wp_cycles_parse (add[i], TRUE, &spread->add[i]);
    }
  return spread;
}

static WpGpuContext *
find_context (const WpGpuOp *op, const gchar *name)
{
  for (guint i = 0; i < op->contexts->len; i++)
    {
      WpGpuContext *context = g_ptr_array_index (op->contexts, i);

      if (strcmp (context->name, name) == 0)
        return context;
    }
  return NULL;
}

static WpGpuConsumer *
find_consumer (const WpGpuOp *op, const gchar *name)
{
  for (guint i = 0; i < op->consumers->len; i++)
    {
      WpGpuConsumer *consumer = g_ptr_array_index (op->consumers, i);

      if (strcmp (consumer->op, name) == 0)
        return consumer;
    }
  return NULL;
}

/* Sets PATH to that within NODE, an op or a context, if it has one. */
static gboolean
read_path (const Reader *reader, const IdgXmlNode *node, guint from, GArray **path, GError **error)
{
  gboolean begun = FALSE;

  for (const IdgXmlNode *child = node->first_child; child; child = child->next)
    {
      WpGpuThen then = { .from = from };
      const Draft *draft;

      if (strcmp (child->name, "then") != 0)
        continue;
      if (!begun)
        {
          g_clear_pointer (path, g_array_unref);
          *path = g_array_new (FALSE, FALSE, sizeof (WpGpuThen));
          begun = TRUE;
        }
      if (!idg_xml_get (child, "pipeline"))
        continue;
      draft = find_draft (&reader->pipelines, idg_xml_get (child, "pipeline"));
      if (!draft)
        return fail_unknown (child, "pipeline", &reader->pipelines, "pipeline", error);
      then.pipeline = draft->index;
      then.issue = then.issue_each = then.completion_each = wp_cycles_whole (0);
      take_time (child, "issue", &then.issue);
      take_time (child, "issue-each", &then.issue_each);
      take_time (child, "completion-each", &then.completion_each);
      then.has_transactions = take_whole32 (child, "transactions", &then.transactions);
      take_whole32 (child, "transactions-each", &then.transactions_each);
      take_whole (child, "bytes", &then.bytes);
      take_whole (child, "bytes-each", &then.bytes_each);
      g_array_append_val (*path, then);
    }
  return TRUE;
}

static GArray *
read_short (const IdgXmlNode *node)
{
  const gchar *text = idg_xml_get (node, "completion-short");
  g_auto (GStrv) words = idg_xml_split (text ? text : "");
  GArray *times = text ? g_array_new (FALSE, FALSE, sizeof (WpCycles)) : NULL;

  for (guint i = 0; words[i]; i++)
    {
      WpCycles time = wp_cycles_whole (0);

      wp_cycles_parse (words[i], FALSE, &time);
      g_array_append_val (times, time);
    }
  return times;
}

/* Adds a context, or replaces the one of the same name completely, in its place. */
static gboolean
read_context (const Reader *reader, WpGpuOp *op, const IdgXmlNode *node, guint from, GError **error)
{
  const gchar *name = idg_xml_get (node, "name");
  WpGpuContext *context = find_context (op, name);

  if (context)
    wp_gpu_context_clear (context);
  else
    {
      context = g_new0 (WpGpuContext, 1);
      g_ptr_array_add (op->contexts, context);
    }
  context->name = g_strdup (name);
  context->from = from;
  context->has_issue = take_time (node, "issue", &context->issue);
  context->has_completion = take_time (node, "completion", &context->completion);
  context->has_flops = take_whole (node, "flops", &context->flops);
  context->has_bytes = take_whole (node, "bytes", &context->bytes);
  context->has_slots = take_whole32 (node, "slots", &context->slots);
  context->has_transactions = take_whole32 (node, "transactions", &context->transactions);
  context->has_posted = take_yes (node, "posted", &context->posted);
  context->has_issue_each = take_time (node, "issue-each", &context->issue_each);
  context->has_completion_each = take_time (node, "completion-each", &context->completion_each);
  context->has_transactions_each
      = take_whole32 (node, "transactions-each", &context->transactions_each);
  context->has_bytes_each = take_whole (node, "bytes-each", &context->bytes_each);
  context->has_flops_each = take_whole (node, "flops-each", &context->flops_each);
  context->has_share = idg_xml_get (node, "share") != NULL;
  context->share = parse_share (idg_xml_get (node, "share"));
  take_width (node, &context->width);
  take_whole32 (node, "width-min", &context->width_min);
  context->has_issue_min = take_time (node, "issue-min", &context->issue_min);
  context->completion_short = read_short (node);
  for (const IdgXmlNode *child = node->first_child; child; child = child->next)
    if (strcmp (child->name, "spread") == 0)
      context->spread = read_spread (child, from);
  return read_path (reader, node, from, &context->path, error);
}

static void
read_consumer (WpGpuOp *op, const IdgXmlNode *node, guint from)
{
  const gchar *name = idg_xml_get (node, "op");
  WpGpuConsumer *consumer = find_consumer (op, name);

  if (!consumer)
    {
      consumer = g_new0 (WpGpuConsumer, 1);
      consumer->op = g_strdup (name);
      g_ptr_array_add (op->consumers, consumer);
    }
  take_time (node, "completion", &consumer->completion);
  consumer->from = from;
}

static gboolean
is_scaled_context (const IdgXmlNode *node)
{
  return strcmp (node->name, "context") == 0 && idg_xml_get (node, "scale");
}

/* Scales a context at once where NODE, the op, is made by `like`; else only checks it. */
static gboolean
read_context_scale (const WpGpuOp *op, const IdgXmlNode *node, const IdgXmlNode *child,
                    GError **error)
{
  WpGpuContext *context = find_context (op, idg_xml_get (child, "name"));

  return wp_gpu_check_context_scale (context, child, error)
         && (!idg_xml_get (node, "like") || wp_gpu_scale_context (context, op->name, child, error));
}

static gboolean
read_details (const Reader *reader, WpGpuOp *op, const IdgXmlNode *node, guint from, GError **error)
{
  if (!read_path (reader, node, from, &op->path, error))
    return FALSE;
  for (const IdgXmlNode *child = node->first_child; child; child = child->next)
    {
      if (is_scaled_context (child))
        {
          if (!read_context_scale (op, node, child, error))
            return FALSE;
        }
      else if (strcmp (child->name, "context") == 0)
        {
          if (!read_context (reader, op, child, from, error))
            return FALSE;
        }
      else if (strcmp (child->name, "consumer") == 0)
        read_consumer (op, child, from);
      else if (strcmp (child->name, "spread") == 0)
        {
          wp_gpu_spread_free (op->spread);
          op->spread = read_spread (child, from);
        }
      if (op->contexts->len > WP_MAX_CONTEXTS || op->consumers->len > WP_MAX_CONTEXTS)
        return idg_xml_fail (child, IDG_XML_VALUE, error,
                             "an op has at most %d contexts and as many consumers",
                             WP_MAX_CONTEXTS);
    }
  return TRUE;
}

/* Overrides the values of OP with those that NODE has. INHERITED: OP has values from elsewhere. */
static gboolean
apply_op (const Reader *reader, WpGpuOp *op, const IdgXmlNode *node, gboolean inherited,
          GError **error)
{
  const gchar *pipeline = idg_xml_get (node, "pipeline");
  guint from = get_description (reader->roots, node);

  if (pipeline)
    {
      const Draft *draft = find_draft (&reader->pipelines, pipeline);

      if (!draft)
        return fail_unknown (node, "pipeline", &reader->pipelines, "pipeline", error);
      op->pipeline = draft->index;
    }
  if (!wp_gpu_check_scale (op, node, inherited, error))
    return FALSE;
  if (idg_xml_get (node, "scale") && idg_xml_get (node, "like")
      && !wp_gpu_scale_copy (op, node, error))
    return FALSE;
  if (take_time (node, "issue", &op->issue))
    op->issue_from = from;
  if (take_time (node, "completion", &op->completion))
    op->completion_from = from;
  if (take_time (node, "issue-min", &op->issue_min))
    op->issue_min_from = from;
  take_whole (node, "flops", &op->flops);
  take_whole (node, "bytes", &op->bytes);
  take_whole32 (node, "slots", &op->slots);
  take_whole32 (node, "transactions", &op->transactions);
  take_yes (node, "posted", &op->posted);
  take_yes (node, "write", &op->write);
  if (idg_xml_get (node, "share"))
    {
      op->has_share = TRUE;
      op->share = parse_share (idg_xml_get (node, "share"));
    }
  take_width (node, &op->width);
  take_whole32 (node, "width-min", &op->width_min);
  return read_details (reader, op, node, from, error);
}

/* Finds whose `scale` applies to the times of DRAFT's op. One beside `like` has been applied to the
 * copy. */
static void
find_scales (Reader *reader, const Draft *draft, const Draft *like)
{
  WpGpuScales *scales = &reader->scales[draft->index];

  if (like)
    *scales = reader->scales[like->index];
  for (guint i = 0; i < draft->layers->len; i++)
    {
      const IdgXmlNode *node = get_layer (draft->layers, i);

      if (idg_xml_get (node, "like"))
        continue;
      if (idg_xml_get (node, "scale"))
        scales->by[get_description (reader->roots, node)] = node;
      for (const IdgXmlNode *child = node->first_child; child; child = child->next)
        if (is_scaled_context (child))
          scales->contexts_by[get_description (reader->roots, node)] = node;
    }
}

/* An op that is like another is for as many bytes as its own name says: ld.global.v4 for 16, though
 * it is like ld.global. */
static void
settle_width (WpGpuOp *op, const Layers *layers)
{
  IdgOpsValue value;

  if (op->width == 0 || op->width == WP_WIDTH_ANY || strchr (op->name, '.') == NULL
      || get_value (layers, "width", NULL) != NULL)
    return;
  idg_ops_find_value (op->name, &value);
  if (value.is_said)
    op->width = MIN (value.bytes, WP_MAX_WIDTH);
}

/* Builds DRAFT's op. LIKE (NULL: none), which it starts from, must be complete. */
static gboolean
read_op (Reader *reader, Draft *draft, const Draft *like, GError **error)
{
  const gchar *missing = like ? NULL : find_missing (draft->layers, "op");
  const IdgXmlNode *last = get_layer (draft->layers, draft->layers->len - 1);
  WpGpuOp *op = g_ptr_array_index (reader->gpu->ops, draft->index);

  if (like)
    wp_gpu_op_assign (op, g_ptr_array_index (reader->gpu->ops, like->index));
  if (missing)
    return idg_xml_fail (last, IDG_XML_SYNTAX, error,
                         "the attribute %s is missing; only an op with like may leave it out",
                         missing);
  for (guint i = 0; i < draft->layers->len; i++)
    if (!apply_op (reader, op, get_layer (draft->layers, i), like || i > 0, error))
      return FALSE;
  find_scales (reader, draft, like);
  settle_width (op, draft->layers);
  draft->state = DONE;
  reader->n_details += op->contexts->len + op->consumers->len;
  if (reader->n_details > WP_MAX_DETAILS)
    return idg_xml_fail (last, IDG_XML_VALUE, error,
                         "with all that is copied by like, the ops have more than %d contexts and "
                         "consumers",
                         WP_MAX_DETAILS);
  return TRUE;
}

/* Reports a cycle: each op of STACK is like the next, and NODE says that the last is like DRAFT,
 * which is among them. */
static gboolean
fail_cycle (const GPtrArray *stack, const Draft *draft, const IdgXmlNode *node, GError **error)
{
  g_autofree gchar *end = idg_xml_quote (draft->name);
  g_autoptr (GString) way = g_string_new (NULL);
  guint i = 0;

  while (g_ptr_array_index (stack, i) != draft)
    i++;
  for (guint n = 0; i < stack->len; i++, n++)
    {
      g_autofree gchar *name = idg_xml_quote (((const Draft *)g_ptr_array_index (stack, i))->name);

      if (n < 8)
        g_string_append_printf (way, "%s -> ", name);
      else if (n == 8)
        g_string_append (way, "... -> ");
    }
  return idg_xml_fail (node, IDG_XML_VALUE, error,
                       "like forms a cycle: %s%s; an op cannot be like itself", way->str, end);
}

/* Sets LIKE to the op that the last of STACK is like, or to NULL. */
static gboolean
find_like (const Reader *reader, const GPtrArray *stack, Draft **like, GError **error)
{
  const Draft *last = g_ptr_array_index (stack, stack->len - 1);
  const IdgXmlNode *node = NULL;
  const gchar *name = get_value (last->layers, "like", &node);

  *like = name ? find_draft (&reader->ops, name) : NULL;
  if (name && !*like)
    return fail_unknown (node, "like", &reader->ops, "op", error);
  if (*like && (*like)->state == UNDER_WAY)
    return fail_cycle (stack, *like, node, error);
  return TRUE;
}

/* Builds DRAFT's op, after those that it is like, directly or indirectly. It keeps its own stack,
 * because a chain may be long. */
static gboolean
resolve_op (Reader *reader, Draft *draft, GError **error)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();

  if (draft->state == UNTOUCHED)
    g_ptr_array_add (stack, draft);
  while (stack->len > 0)
    {
      Draft *last = g_ptr_array_index (stack, stack->len - 1);
      Draft *like;

      last->state = UNDER_WAY;
      if (!find_like (reader, stack, &like, error))
        return FALSE;
      if (like && like->state == UNTOUCHED)
        {
          g_ptr_array_add (stack, like);
          continue;
        }
      if (!read_op (reader, last, like, error))
        return FALSE;
      g_ptr_array_set_size (stack, (gint)stack->len - 1);
    }
  return TRUE;
}

/* Checks that each consumer in any file is an op. */
static gboolean
check_consumers (const Reader *reader, const Draft *draft, GError **error)
{
  for (guint i = 0; i < draft->layers->len; i++)
    for (const IdgXmlNode *node = get_layer (draft->layers, i)->first_child; node;
         node = node->next)
      if (strcmp (node->name, "consumer") == 0
          && !find_draft (&reader->ops, idg_xml_get (node, "op")))
        return fail_unknown (node, "op", &reader->ops, "op", error);
  return TRUE;
}

static gboolean
read_ops (Reader *reader, GError **error)
{
  const GPtrArray *drafts = reader->ops.drafts;

  for (guint i = 0; i < drafts->len; i++)
    {
      const Draft *draft = g_ptr_array_index (drafts, i);

      g_ptr_array_add (reader->gpu->ops, wp_gpu_op_new (draft->name));
    }
  for (guint i = 0; i < drafts->len; i++)
    if (!resolve_op (reader, g_ptr_array_index (drafts, i), error)
        || !check_consumers (reader, g_ptr_array_index (drafts, i), error))
      return FALSE;
  wp_gpu_index_ops (reader->gpu);
  return TRUE;
}

static gboolean
read_gpu (Reader *reader, GError **error)
{
  read_titles (reader);
  read_limits (reader);
  read_latencies (reader);
  read_scheduler (reader);
  if (!read_device (reader, error) || !read_caches (reader, error)
      || !read_code_cache (reader, error) || !read_contention (reader, error)
      || !collect_drafts (reader, error))
    return FALSE;
  read_pipelines (reader);
  reader->scales = g_new0 (WpGpuScales, reader->ops.drafts->len + 1);
  return read_ops (reader, error) && check_code_cache (reader, error)
         && check_all_shared (reader, error)
         && wp_gpu_scale_inherited (reader->gpu, reader->roots, reader->scales, error);
}

/* Returns the GPU that the files of CHAIN define together. */
static WpGpu *
join_chain (const WpGpuChain *chain, GError **error)
{
  g_autoptr (GPtrArray) roots = g_ptr_array_new ();
  g_autoptr (WpGpu) gpu = wp_gpu_new ();
  Reader reader = { .gpu = gpu, .roots = roots };
  gboolean done;

  for (guint i = chain->docs->len; i-- > 0;)
    g_ptr_array_add (roots, idg_xml_get_root (g_ptr_array_index (chain->docs, i)));
  init_drafts (&reader.pipelines);
  init_drafts (&reader.ops);
  done = read_gpu (&reader, error);
  clear_drafts (&reader.pipelines);
  clear_drafts (&reader.ops);
  g_free (reader.scales);
  return done ? g_steal_pointer (&gpu) : NULL;
}

/* Takes ownership of DOC, which comes from PATH (NULL: from memory), and returns its GPU. */
static WpGpu *
make_gpu (IdgXmlDoc *doc, const gchar *path, const gchar *const *search, GError **error)
{
  WpGpuChain chain;
  WpGpu *gpu;

  wp_gpu_chain_init (&chain, search);
  gpu = wp_gpu_chain_load (&chain, doc, path, error) ? join_chain (&chain, error) : NULL;
  wp_gpu_chain_clear (&chain);
  return gpu;
}

WpGpu *
wp_gpu_load (const gchar *path, const gchar *const *search, GError **error)
{
  IdgXmlDoc *doc;

  g_return_val_if_fail (path != NULL, NULL);
  doc = idg_xml_load (path, WP_ERROR, error);
  return doc ? make_gpu (doc, path, search, error) : NULL;
}

WpGpu *
wp_gpu_parse (const gchar *data, gsize length, const gchar *name, const gchar *const *search,
              GError **error)
{
  IdgXmlDoc *doc;

  g_return_val_if_fail ((data != NULL || length == 0) && name != NULL, NULL);
  doc = idg_xml_parse (data, length, name, WP_ERROR, error);
  return doc ? make_gpu (doc, NULL, search, error) : NULL;
}
