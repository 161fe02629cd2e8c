#include "CBackgroundWorkZlib.h"

#include <stdlib.h>
#if __has_include(<zlib.h>)
#define ZLIB_CONST
#include <zlib.h>
#else
#error "zlib's header is missing. On Debian and Ubuntu: apt-get install zlib1g-dev"
#endif

// What zlib takes at once.
static const size_t most = 1u << 30;

static void use(
    z_stream *stream, const uint8_t *in, const size_t *in_count, uint8_t *out, const size_t *out_count) {
    stream->next_in = in;
    stream->avail_in = (unsigned)(*in_count < most ? *in_count : most);
    stream->next_out = out;
    stream->avail_out = (unsigned)(*out_count < most ? *out_count : most);
}

static void count(z_stream *stream, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count) {
    *in_count = (size_t)(stream->next_in - in);
    *out_count = (size_t)(stream->next_out - out);
    stream->next_in = NULL;
    stream->next_out = NULL;
}

struct bgw_inflater {
    z_stream stream;
};

static struct bgw_inflater *begin(int bits, const char **error) {
    struct bgw_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater && inflateInit2(&inflater->stream, bits) == Z_OK) return inflater;
    free(inflater);
    *error = "out of memory";
    return NULL;
}

struct bgw_inflater *bgw_inflater_begin(enum bgw_packing packing, const char **error) {
    // The size of the window, 15 bits at most, and the format around the compressed bytes.
    return begin(packing == BGW_PACKED_GZIP ? 15 + 16 : packing == BGW_PACKED_ZLIB ? 15 : -15, error);
}

struct bgw_inflater *bgw_inflater_begin_raw(int window_bits, const char **error) { return begin(-window_bits, error); }

int bgw_inflater_run(
    struct bgw_inflater *inflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count) {
    use(&inflater->stream, in, in_count, out, out_count);
    int answer = inflate(&inflater->stream, Z_NO_FLUSH);
    count(&inflater->stream, in, in_count, out, out_count);
    if (answer == Z_STREAM_END) return 1;
    // The latter only says that it can do nothing without more bytes.
    return answer == Z_OK || answer == Z_BUF_ERROR ? 0 : -1;
}

int bgw_inflater_reset(struct bgw_inflater *inflater) { return inflateReset(&inflater->stream) == Z_OK ? 0 : -1; }

void bgw_inflater_free(struct bgw_inflater *inflater) {
    if (!inflater) return;
    inflateEnd(&inflater->stream);
    free(inflater);
}

struct bgw_deflater {
    z_stream stream;
};

struct bgw_deflater *bgw_deflater_begin(int level, int window_bits) {
    // zlib has no bare format with a window of 256 bytes, and takes 512 for it, which not every reader expects.
    if (window_bits < 9) return NULL;
    struct bgw_deflater *deflater = calloc(1, sizeof *deflater);
    // No format around the stream, and zlib's usual memory.
    if (deflater && deflateInit2(&deflater->stream, level, Z_DEFLATED, -window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK)
        return deflater;
    free(deflater);
    return NULL;
}

int bgw_deflater_run(
    struct bgw_deflater *deflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count,
    enum bgw_flush flush) {
    int how = *in_count > most || flush == BGW_FLUSH_NOTHING ? Z_NO_FLUSH : flush == BGW_FLUSH_END ? Z_FINISH : Z_SYNC_FLUSH;
    use(&deflater->stream, in, in_count, out, out_count);
    int answer = deflate(&deflater->stream, how);
    count(&deflater->stream, in, in_count, out, out_count);
    if (answer == Z_STREAM_END) return 1;
    return answer == Z_OK || answer == Z_BUF_ERROR ? 0 : -1;
}

int bgw_deflater_reset(struct bgw_deflater *deflater) { return deflateReset(&deflater->stream) == Z_OK ? 0 : -1; }

void bgw_deflater_free(struct bgw_deflater *deflater) {
    if (!deflater) return;
    deflateEnd(&deflater->stream);
    free(deflater);
}

uint32_t bgw_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        unsigned piece = (unsigned)(count < most ? count : most);
        crc = (uint32_t)crc32(crc, bytes, piece);
        bytes += piece;
        count -= piece;
    }
    return crc;
}
