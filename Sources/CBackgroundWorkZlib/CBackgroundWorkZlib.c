#define _GNU_SOURCE
#include "CBackgroundWorkZlib.h"
#include "SharedLibrary.h"

#include <pthread.h>
#include <stdlib.h>

// As <zlib.h> has them; the same since its version 1.2.
typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate, *release, *opaque;
    int data_type;
    unsigned long adler, reserved;
} z_stream;
enum { Z_NO_FLUSH = 0, Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5 };

static struct {
    int (*init)(z_stream *, int, const char *, int);
    int (*inflate)(z_stream *, int);
    int (*reset)(z_stream *);
    int (*end)(z_stream *);
} zlib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;
static char failure[512];

static const struct bgw_function functions[] = {
    {"inflateInit2_", (void **)&zlib.init},
    {"inflate", (void **)&zlib.inflate},
    {"inflateReset", (void **)&zlib.reset},
    {"inflateEnd", (void **)&zlib.end},
};

static const struct bgw_library library = {
    .name = "zlib", .file = "libz.so.1", .version = "1.2", .package = "zlib1g",
    .functions = functions, .count = sizeof functions / sizeof *functions};

static void load(void) { loaded = bgw_library_load(&library, failure, sizeof failure) == 0; }

struct bgw_inflater {
    z_stream stream;
};

struct bgw_inflater *bgw_inflater_begin(enum bgw_packing packing, const char **error) {
    pthread_once(&once, load);
    if (!loaded) {
        *error = failure;
        return NULL;
    }
    // The size of the window, 15 bits at most, and the format around the compressed bytes.
    int bits = packing == BGW_PACKED_GZIP ? 15 + 16 : packing == BGW_PACKED_ZLIB ? 15 : -15;
    struct bgw_inflater *inflater = calloc(1, sizeof *inflater);
    // Of the version only the first number counts.
    if (inflater && zlib.init(&inflater->stream, bits, "1.2.0", sizeof(z_stream)) == Z_OK) return inflater;
    free(inflater);
    *error = "out of memory";
    return NULL;
}

int bgw_inflater_run(
    struct bgw_inflater *inflater, const uint8_t *in, size_t *in_count, uint8_t *out, size_t *out_count) {
    z_stream *stream = &inflater->stream;
    stream->next_in = in;
    stream->avail_in = (unsigned)*in_count;
    stream->next_out = out;
    stream->avail_out = (unsigned)*out_count;
    int answer = zlib.inflate(stream, Z_NO_FLUSH);
    *in_count -= stream->avail_in;
    *out_count -= stream->avail_out;
    stream->next_in = NULL;
    if (answer == Z_STREAM_END) return 1;
    // The latter only says that it can do nothing without more bytes.
    return answer == Z_OK || answer == Z_BUF_ERROR ? 0 : -1;
}

int bgw_inflater_reset(struct bgw_inflater *inflater) { return zlib.reset(&inflater->stream) == Z_OK ? 0 : -1; }

void bgw_inflater_free(struct bgw_inflater *inflater) {
    if (!inflater) return;
    zlib.end(&inflater->stream);
    free(inflater);
}
