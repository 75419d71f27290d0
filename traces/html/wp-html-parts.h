/* SPDX-License-Identifier: MIT */
/* The files of html/ as texts: wp-html-parts.c is made of them by html/embed.awk as the program is
 * built. Private. */
#pragma once

extern const char wp_html_page[], wp_html_style[], wp_html_script[];
