#ifndef CBACKGROUNDWORK_ZLIB_H
#define CBACKGROUNDWORK_ZLIB_H

#if !__has_include(<zlib.h>)
#error "zlib's header is missing. On Debian and Ubuntu: apt-get install zlib1g-dev"
#endif

#include <stddef.h>
#include <stdint.h>

#include "RawDeflate.h"

/// Decompression by zlib.
struct bgw_inflater;

enum bgw_packing { BGW_PACKED_GZIP, BGW_PACKED_ZLIB, BGW_PACKED_RAW };

/// Starts decompression. NULL on failure, with `error` set to a message that lives as long as the process.
struct bgw_inflater *bgw_inflater_begin(enum bgw_packing packing, const char **error);
/// The same for raw blocks, with a window of 2 to the power of `window_bits` bytes, from 8 to 15.
struct bgw_inflater *bgw_inflater_begin_raw(int window_bits, const char **error);
/// Decompresses as much of `*in_count` bytes as fits into `*out_count` bytes, and sets both to the number of bytes
/// used. 1 at the end of the compressed stream, 0 before it, -1 when the data is not valid for this format, or memory
/// is exhausted.
int bgw_inflater_run(
    struct bgw_inflater *inflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count);
/// Resets it for another stream of the same format. 0, or -1 on failure.
int bgw_inflater_reset(struct bgw_inflater *inflater);
void bgw_inflater_free(struct bgw_inflater *inflater);

#endif
