#define _GNU_SOURCE
#include "CBackgroundWorkCrypto.h"

#include <dlfcn.h>
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
    // libcrypto 3 and later.
    OSSL_LIB_CTX *(*library_new)(void);
    EVP_MD *(*fetch)(OSSL_LIB_CTX *, const char *, const char *);
    void (*release)(EVP_MD *);
    // libcrypto 1.1.
    const EVP_MD *(*by_name)(const char *);
} crypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static OSSL_LIB_CTX *own_library;
static int loaded = 0;
static char failure[512];

static int find(void *library, const char *name, void **function) {
    *function = dlsym(library, name);
    if (*function) return 0;
    snprintf(failure, sizeof failure,
             "the installed libcrypto has no %s; version 1.1 or later is needed "
             "(Debian and Ubuntu: apt-get install openssl)", name);
    return -1;
}

static void load(void) {
    // The one that libcurl may have loaded before comes back without another mapping.
    void *library = dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(failure, sizeof failure,
                 "libcrypto could not be loaded (%s); install it (Debian and Ubuntu: apt-get install openssl)",
                 reason ? reason : "no reason given");
        library = dlopen("libcrypto.so.1.1", RTLD_LAZY | RTLD_LOCAL);
    }
    if (!library) return;
    if (find(library, "EVP_MD_CTX_new", (void **)&crypto.context_new)
        || find(library, "EVP_MD_CTX_free", (void **)&crypto.context_free)
        || find(library, "EVP_DigestInit_ex", (void **)&crypto.init)
        || find(library, "EVP_DigestUpdate", (void **)&crypto.update)
        || find(library, "EVP_DigestFinal_ex", (void **)&crypto.final))
        return;
    crypto.library_new = (OSSL_LIB_CTX * (*)(void)) dlsym(library, "OSSL_LIB_CTX_new");
    if (!crypto.library_new) {
        loaded = find(library, "EVP_get_digestbyname", (void **)&crypto.by_name) == 0;
        return;
    }
    if (find(library, "EVP_MD_fetch", (void **)&crypto.fetch) || find(library, "EVP_MD_free", (void **)&crypto.release))
        return;
    // A context of one's own has the default provider whatever the system's openssl.cnf says. Where that allows FIPS
    // algorithms only there would be no MD5, which here finds damage and protects nothing.
    own_library = crypto.library_new();
    if (own_library) loaded = 1;
    else snprintf(failure, sizeof failure, "libcrypto could not be initialised");
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
