#ifndef CBACKGROUNDWORK_RAWDEFLATE_H
#define CBACKGROUNDWORK_RAWDEFLATE_H

#include <stddef.h>
#include <stdint.h>

/// Compression into raw blocks (RFC 1951), each piece of it flushed to a byte boundary.
struct bgw_deflater;

/// `window_bits`: from 9 to 15. NULL when memory is exhausted.
struct bgw_deflater *bgw_deflater_begin_raw(int window_bits);
/// Compresses `*in_count` bytes, and sets both counts to the bytes used. The piece is complete when all of it was taken
/// and the space for the output was not filled. 0, or -1 on failure.
int bgw_deflater_run(
    struct bgw_deflater *deflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count);
/// Forgets what was compressed before. 0, or -1 on failure.
int bgw_deflater_reset(struct bgw_deflater *deflater);
void bgw_deflater_free(struct bgw_deflater *deflater);

#endif
