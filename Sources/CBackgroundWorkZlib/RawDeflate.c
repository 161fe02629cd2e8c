#include "RawDeflate.h"

#include <stdlib.h>
#include <zlib.h>

struct bgw_deflater {
    z_stream stream;
};

struct bgw_deflater *bgw_deflater_begin_raw(int window_bits) {
    struct bgw_deflater *deflater = calloc(1, sizeof *deflater);
    // zlib has no raw format with a window of 256 bytes, and takes 512 for it, which the peer could not read.
    if (deflater && window_bits >= 9
        && deflateInit2(&deflater->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -window_bits, 8, Z_DEFAULT_STRATEGY)
            == Z_OK)
        return deflater;
    free(deflater);
    return NULL;
}

int bgw_deflater_run(
    struct bgw_deflater *deflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count) {
    z_stream *stream = &deflater->stream;
    stream->next_in = (Bytef *)in;
    stream->avail_in = (unsigned)*in_count;
    stream->next_out = out;
    stream->avail_out = (unsigned)*out_count;
    int answer = deflate(stream, Z_SYNC_FLUSH);
    *in_count -= stream->avail_in;
    *out_count -= stream->avail_out;
    stream->next_in = NULL;
    return answer == Z_OK || answer == Z_BUF_ERROR ? 0 : -1;
}

int bgw_deflater_reset(struct bgw_deflater *deflater) { return deflateReset(&deflater->stream) == Z_OK ? 0 : -1; }

void bgw_deflater_free(struct bgw_deflater *deflater) {
    if (!deflater) return;
    deflateEnd(&deflater->stream);
    free(deflater);
}
