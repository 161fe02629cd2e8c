#define _GNU_SOURCE
#include "CBackgroundWorkCrypto.h"
#include "SharedLibrary.h"

#include <pthread.h>
#include <stdio.h>

// As <openssl/evp.h> has them.
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct engine_st ENGINE;

static struct {
    EVP_MD_CTX *(*context_new)(void);
    void (*context_free)(EVP_MD_CTX *);
    int (*init)(EVP_MD_CTX *, const EVP_MD *, ENGINE *);
    int (*update)(EVP_MD_CTX *, const void *, size_t);
    int (*final)(EVP_MD_CTX *, unsigned char *, unsigned *);
    // Used of libcrypto 1.1 only: of later ones it looks up what the settings of the system allow.
    const EVP_MD *(*by_name)(const char *);
    // libcrypto 3 and later.
    OSSL_LIB_CTX *(*library_new)(void);
    EVP_MD *(*fetch)(OSSL_LIB_CTX *, const char *, const char *);
    void (*release)(EVP_MD *);
    bgw_openssl_init initialize;
} crypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static OSSL_LIB_CTX *own_library;
static int loaded = 0;
static char failure[512];

static const struct bgw_function functions[] = {
    {"EVP_MD_CTX_new", (void **)&crypto.context_new},
    {"EVP_MD_CTX_free", (void **)&crypto.context_free},
    {"EVP_DigestInit_ex", (void **)&crypto.init},
    {"EVP_DigestUpdate", (void **)&crypto.update},
    {"EVP_DigestFinal_ex", (void **)&crypto.final},
    {"EVP_get_digestbyname", (void **)&crypto.by_name},
    {"OSSL_LIB_CTX_new", (void **)&crypto.library_new, .is_optional = 1},
    {"EVP_MD_fetch", (void **)&crypto.fetch, .is_optional = 1},
    {"EVP_MD_free", (void **)&crypto.release, .is_optional = 1},
    {"OPENSSL_init_crypto", (void **)&crypto.initialize},
};

static const struct bgw_library latest = {
    .name = "libcrypto", .file = "libcrypto.so.3", .version = "1.1", .package = "openssl",
    .functions = functions, .count = sizeof functions / sizeof *functions};
static const struct bgw_library earlier = {
    .name = "libcrypto", .file = "libcrypto.so.1.1", .version = "1.1", .package = "openssl",
    .functions = functions, .count = sizeof functions / sizeof *functions};

static void load(void) {
    // The one that libcurl may have loaded before comes back without another mapping.
    if (bgw_library_load(&latest, failure, sizeof failure) != 0 && bgw_library_load(&earlier, NULL, 0) != 0) return;
    bgw_openssl_keep_until_end(crypto.initialize);
    if (!crypto.library_new || !crypto.fetch || !crypto.release) {
        crypto.fetch = NULL;
        loaded = 1;
        return;
    }
    // A context of one's own has the default provider whatever the system's openssl.cnf says. Where that allows FIPS
    // algorithms only there would be no MD5, which here finds damage and protects nothing.
    own_library = crypto.library_new();
    if (own_library) loaded = 1;
    else snprintf(failure, sizeof failure, "libcrypto could not be initialized");
}

struct bgw_digest *bgw_digest_begin(const char *name, const char **error) {
    pthread_once(&once, load);
    if (!loaded) {
        *error = failure;
        return NULL;
    }
    EVP_MD_CTX *context = crypto.context_new();
    EVP_MD *fetched = crypto.fetch ? crypto.fetch(own_library, name, NULL) : NULL;
    const EVP_MD *algorithm = crypto.fetch ? fetched : crypto.by_name(name);
    int done = context && algorithm && crypto.init(context, algorithm, NULL) == 1;
    // The context holds it as long as it needs it.
    if (fetched) crypto.release(fetched);
    if (done) return (struct bgw_digest *)context;
    if (context) crypto.context_free(context);
    *error = "the installed libcrypto does not compute it";
    return NULL;
}

int bgw_digest_update(struct bgw_digest *digest, const void *bytes, size_t count) {
    return crypto.update((EVP_MD_CTX *)digest, bytes, count);
}

size_t bgw_digest_finish(struct bgw_digest *digest, uint8_t bytes[BGW_DIGEST_MAXIMUM]) {
    unsigned count = 0;
    return crypto.final((EVP_MD_CTX *)digest, bytes, &count) == 1 ? count : 0;
}

void bgw_digest_free(struct bgw_digest *digest) { crypto.context_free((EVP_MD_CTX *)digest); }
