/* SPDX-License-Identifier: MIT */
/* Private: the page's files as strings. traces/html/embed.awk generates wp-html-parts.c from them
 * during the build. */
#pragma once

extern const char wp_html_page[], wp_html_style[], wp_html_script[];
