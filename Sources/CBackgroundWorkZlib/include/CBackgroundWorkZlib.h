#ifndef CBACKGROUNDWORK_ZLIB_H
#define CBACKGROUNDWORK_ZLIB_H

#if !__has_include(<zlib.h>)
#error "zlib's header is missing. On Debian and Ubuntu: apt-get install zlib1g-dev"
#endif

#include <stddef.h>
#include <stdint.h>

/// Compression and decompression by zlib. Its own functions take macros and a structure whose size they check, which
/// Swift does not import.

/// Decompression.
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

/// Compression to bare deflate streams, without a header or a checksum.
struct bgw_deflater;

/// What has to be in the output when a piece was compressed: whatever fits; all of it, up to a byte boundary; or all of
/// it, and the stream's end.
enum bgw_flush { BGW_FLUSH_NOTHING, BGW_FLUSH_PIECE, BGW_FLUSH_END };

/// Starts compression at a level from 1 to 9, or -1 for zlib's own, with a window of 2 to the power of `window_bits` bytes,
/// from 9 to 15. NULL when memory is exhausted.
struct bgw_deflater *bgw_deflater_begin(int level, int window_bits);
/// Compresses as much of `*in_count` bytes as fits into `*out_count` bytes, and sets both to the number of bytes used.
/// With BGW_FLUSH_END, 1 when all of the stream has been written, 0 when it needs more room; a piece is complete when all
/// of it was taken and the room was not filled. Otherwise 0. -1 when it is used wrongly.
int bgw_deflater_run(
    struct bgw_deflater *deflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count,
    enum bgw_flush flush);
/// Resets it for another stream of the same level. 0, or -1 on failure.
int bgw_deflater_reset(struct bgw_deflater *deflater);
void bgw_deflater_free(struct bgw_deflater *deflater);

/// The CRC-32 of earlier bytes, 0 for none, continued with more bytes.
uint32_t bgw_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

#endif
