/* SPDX-License-Identifier: MIT */
/* A spread of one value is null and not 0: nothing is known of it. */
#include "cli/common/cli-seeds.h"

#include "cli/common/cli.h"

#include <math.h>

void
wp_json_spread (WpJson *json, const gchar *name, const WpSample *sample)
{
  wp_json_begin (json, name, '{');
  wp_json_ratio (json, "sd", wp_sample_get_deviation (sample));
  wp_json_ratio (json, "min", sample->n > 0 ? sample->least : NAN);
  wp_json_ratio (json, "max", sample->n > 0 ? sample->most : NAN);
  wp_json_end (json, '}');
}

void
wp_cli_warn_alike (guint64 n)
{
  wp_cli_complain (
      "warning: ideal memory uses no random numbers: the runs of all %" G_GUINT64_FORMAT
      " seeds are alike",
      n);
}
