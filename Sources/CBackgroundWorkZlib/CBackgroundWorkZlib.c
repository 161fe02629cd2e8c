#include "CBackgroundWorkZlib.h"

#include <stdlib.h>
#include <zlib.h>

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
    z_stream *stream = &inflater->stream;
    stream->next_in = (Bytef *)in;
    stream->avail_in = (unsigned)*in_count;
    stream->next_out = out;
    stream->avail_out = (unsigned)*out_count;
    int answer = inflate(stream, Z_NO_FLUSH);
    *in_count -= stream->avail_in;
    *out_count -= stream->avail_out;
    stream->next_in = NULL;
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
