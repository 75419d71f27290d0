/* SPDX-License-Identifier: MIT */
/* Counterfactuals for scripts (FORMATS.md). A speed-up to no time at all is infinite, which JSON
 * cannot express: null. */
#include "cli/explain/report-explain.h"

#include "cli/common/cli-json.h"
#include "cli/common/cli-launch.h"
#include "cli/common/cli-seeds.h"
#include "cli/report/report-warnings.h"
#include "run/advice.h"

static const gchar *const binding_names[WP_N_BINDINGS]
    = { "nothing", "pipeline", "schedulers", "empty", "dependency",
        "barrier", "ilp",      "turns",      "drain" };

static void
write_binding (WpJson *json, const WpExplanation *explanation, const WpBinding *binding)
{
  wp_json_begin (json, "limited_by", '{');
  wp_json_string (json, "kind", binding_names[binding->kind]);
  if (binding->kind == WP_BINDING_PIPELINE || binding->kind == WP_BINDING_RESULTS)
    wp_json_string (json, "pipeline",
                    explanation->resolved->machine.pipelines[binding->pipeline].name);
  wp_json_ratio (json, "share", binding->share);
  wp_json_end (json, '}');
}

static void
write_case (WpJson *json, const WpExplanation *explanation, const WpCase *one)
{
  wp_json_literal (json, "cycles", one->ended_text);
  wp_json_literal (json, "cycles_drained", one->drained_text);
  wp_json_ratio (json, "gain", one->gain);
  wp_json_ratio (json, "speedup", one->speedup);
  write_binding (json, explanation, &one->binding);
  if (explanation->n_seeds == 1)
    return;
  wp_json_begin (json, "spread", '{');
  wp_json_spread (json, "cycles", &one->times);
  wp_json_spread (json, "gain", &one->gains);
  wp_json_end (json, '}');
}

static void
write_single (WpJson *json, const WpExplanation *explanation, const WpCase *one)
{
  const WpIdeal *ideal = wp_ideal_get (one->kinds[0]);

  wp_json_begin (json, NULL, '{');
  wp_json_string (json, "name", ideal->name);
  wp_json_string (json, "title", ideal->title);
  wp_json_boolean (json, "simulated", one->why == NULL);
  if (one->why != NULL)
    wp_json_string (json, "why", one->why);
  else
    {
      g_autofree gchar *advice = wp_advice_get (explanation, one->kinds[0]);

      write_case (json, explanation, one);
      wp_json_string (json, "advice", advice);
    }
  wp_json_end (json, '}');
}

static void
write_names (WpJson *json, const gchar *name, const WpCase *one)
{
  wp_json_begin (json, name, '[');
  for (guint i = 0; i < one->n_kinds; i++)
    wp_json_string (json, NULL, wp_ideal_get (one->kinds[i])->name);
  wp_json_end (json, ']');
}

static void
write_pair (WpJson *json, const WpExplanation *explanation, const WpCase *one)
{
  wp_json_begin (json, NULL, '{');
  write_names (json, "names", one);
  write_case (json, explanation, one);
  wp_json_end (json, '}');
}

static void
write_head (WpJson *json, const WpExplanation *explanation)
{
  const WpMachine *machine = &explanation->resolved->machine;

  wp_json_string (json, "kernel", explanation->kernel->name);
  wp_json_string (json, "gpu", explanation->gpu->name);
  wp_json_string (json, "policy", wp_policy_get_name (explanation->policy));
  wp_json_string (json, "order", machine->dataflow ? "dataflow" : "program");
  wp_json_string (json, "memory", machine->contended ? "contended" : "ideal");
  wp_json_unsigned (json, "seed", machine->seed);
  wp_json_unsigned (json, "sms", machine->simulated_sms);
  wp_json_launch (json, explanation->resolved);
  wp_json_unsigned (json, "resident_blocks", (guint64)explanation->resident.blocks);
  wp_json_unsigned (json, "resident_warps", (guint64)explanation->resident.warps);
  wp_json_limiters (json, &explanation->resident);
  wp_json_literal (json, "cycles", explanation->as_it_is.ended_text);
  wp_json_literal (json, "cycles_drained", explanation->as_it_is.drained_text);
  wp_json_ratio (json, "time_us", explanation->time_us);
  write_binding (json, explanation, &explanation->as_it_is.binding);
  if (explanation->n_seeds == 1)
    return;
  wp_json_unsigned (json, "seeds", explanation->n_seeds);
  wp_json_begin (json, "spread", '{');
  wp_json_spread (json, "cycles", &explanation->as_it_is.times);
  wp_json_end (json, '}');
}

void
wp_explanation_print_json (const WpExplanation *explanation)
{
  gboolean none = wp_warnings_are_in_the_way (explanation->warnings);
  const WpCase *first = none ? NULL : wp_explanation_get_first (explanation);
  const WpCase *together = none ? NULL : wp_explanation_get_together (explanation);
  WpJson json = { .out = stdout };

  wp_json_begin (&json, NULL, '{');
  write_head (&json, explanation);
  if (first != NULL)
    wp_json_string (&json, "first", wp_ideal_get (first->kinds[0])->name);
  else
    wp_json_literal (&json, "first", "null");
  if (together != NULL)
    write_names (&json, "together", together);
  else
    wp_json_literal (&json, "together", "null");
  wp_json_begin (&json, "ideals", '[');
  for (guint i = 0; i < explanation->n_ranked; i++)
    write_single (&json, explanation, explanation->ranked[i]);
  for (guint i = 0; i < explanation->n_hits; i++)
    write_single (&json, explanation, explanation->hits[i]);
  for (guint kind = 0; kind < WP_N_IDEALS; kind++)
    if (explanation->singles[kind].why != NULL && !explanation->singles[kind].quiet)
      write_single (&json, explanation, &explanation->singles[kind]);
  wp_json_end (&json, ']');
  if (explanation->has_greedy)
    {
      wp_json_begin (&json, "greedy", '{');
      wp_json_string (&json, "policy", wp_policy_get_name (explanation->greedy.policy));
      write_case (&json, explanation, &explanation->greedy);
      wp_json_end (&json, '}');
    }
  wp_json_begin (&json, "pairs", '[');
  for (guint i = 0; i < explanation->n_pairs; i++)
    write_pair (&json, explanation, &explanation->pairs[i]);
  wp_json_end (&json, ']');
  wp_json_warnings (&json, explanation->warnings, explanation->notes);
  wp_json_end (&json, '}');
}
