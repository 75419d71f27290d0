/* SPDX-License-Identifier: MIT */
/* WP_API marks what libwarpipe exports. Plain C11, because the engine includes it. */
#pragma once

#if defined(__GNUC__)
#define WP_API __attribute__ ((visibility ("default")))
#else
#define WP_API
#endif
