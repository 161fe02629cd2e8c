#ifndef CBACKGROUNDWORK_ZLIB_H
#define CBACKGROUNDWORK_ZLIB_H

#include <stddef.h>
#include <stdint.h>

/// Compression and decompression by zlib. Its own functions take macros and a structure whose size they check, which
/// Swift does not import.

/// Decompression.
struct bgw_inflater;

enum bgw_packing { BGW_PACKED_GZIP, BGW_PACKED_ZLIB, BGW_PACKED_RAW };

/// Starts decompression. NULL on failure, with `error` set to a message that lives as long as the process.
struct bgw_inflater *bgw_inflater_begin(enum bgw_packing packing, const char **error);
/// Decompresses as much of `*in_count` bytes as fits into `*out_count` bytes, and sets both to the number of bytes
/// used. 1 at the end of the compressed stream, 0 before it, -1 when the data is not valid for this format, or memory
/// is exhausted.
int bgw_inflater_run(
    struct bgw_inflater *inflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count);
/// Resets it for another stream of the same format. 0, or -1 on failure.
int bgw_inflater_reset(struct bgw_inflater *inflater);
void bgw_inflater_free(struct bgw_inflater *inflater);

/// Compression to bare deflate streams, without a header or a checksum.
struct bgw_deflater;

/// Starts compression at a level from 1 to 9. NULL when memory is exhausted.
struct bgw_deflater *bgw_deflater_begin(int level);
/// Compresses as much of `*in_count` bytes as fits into `*out_count` bytes, and sets both to the number of bytes used.
/// With `finishes`, these are the last bytes: 1 when all of the stream has been written, 0 when it needs more room.
/// Without it 0. -1 when it is used wrongly.
int bgw_deflater_run(
    struct bgw_deflater *deflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count, int finishes);
/// Resets it for another stream of the same level. 0, or -1 on failure.
int bgw_deflater_reset(struct bgw_deflater *deflater);
void bgw_deflater_free(struct bgw_deflater *deflater);

/// The CRC-32 of earlier bytes, 0 for none, continued with more bytes.
uint32_t bgw_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

#endif
