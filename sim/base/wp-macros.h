/* SPDX-License-Identifier: MIT */
/* What of libwarpipe is visible outside the library. Plain C11: the engine includes this. */
#pragma once

#if defined(__GNUC__)
#define WP_API __attribute__ ((visibility ("default")))
#else
#define WP_API
#endif
