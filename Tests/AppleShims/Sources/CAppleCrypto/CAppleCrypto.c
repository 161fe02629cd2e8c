#include "CAppleCrypto.h"

#if __has_include(<openssl/evp.h>)
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#else
#error "Tests/AppleShims needs OpenSSL's headers: apt-get install libssl-dev"
#endif
#include <stdlib.h>
#include <string.h>

static const struct shim_bytes none = {NULL, 0};

void shim_bytes_free(struct shim_bytes bytes) { OPENSSL_free(bytes.bytes); }

// Digests

void *shim_digest_begin(const char *name) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const EVP_MD *algorithm = EVP_get_digestbyname(name);
    if (context && algorithm && EVP_DigestInit_ex(context, algorithm, NULL) == 1) return context;
    EVP_MD_CTX_free(context);
    return NULL;
}

void *shim_digest_copy(const void *digest) {
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    if (copy && EVP_MD_CTX_copy_ex(copy, digest) == 1) return copy;
    EVP_MD_CTX_free(copy);
    return NULL;
}

void shim_digest_update(void *digest, const void *bytes, size_t count) { EVP_DigestUpdate(digest, bytes, count); }

size_t shim_digest_finish(void *digest, uint8_t *bytes) {
    unsigned count = 0;
    return EVP_DigestFinal_ex(digest, bytes, &count) == 1 ? count : 0;
}

void shim_digest_free(void *digest) { EVP_MD_CTX_free(digest); }

// Certificates

static X509 *parsed(struct shim_bytes certificate) {
    const unsigned char *cursor = certificate.bytes;
    X509 *result = d2i_X509(NULL, &cursor, (long)certificate.count);
    if (result && cursor == certificate.bytes + certificate.count) return result;
    X509_free(result);
    return NULL;
}

static struct shim_bytes written(X509 *certificate) {
    struct shim_bytes result = none;
    int count = i2d_X509(certificate, &result.bytes);
    if (count > 0) result.count = (size_t)count;
    return result;
}

int shim_certificate_is_valid(struct shim_bytes certificate) {
    X509 *x509 = parsed(certificate);
    X509_free(x509);
    return x509 != NULL;
}

struct shim_bytes shim_certificate_key(struct shim_bytes certificate, enum shim_key_kind *kind, int *bits) {
    X509 *x509 = parsed(certificate);
    EVP_PKEY *key = x509 ? X509_get0_pubkey(x509) : NULL;
    struct shim_bytes result = none;
    if (key) {
        int type = EVP_PKEY_get_base_id(key);
        *kind = type == EVP_PKEY_RSA ? SHIM_KEY_RSA : type == EVP_PKEY_EC ? SHIM_KEY_ELLIPTIC : SHIM_KEY_OTHER;
        *bits = EVP_PKEY_get_bits(key);
        int count = *kind == SHIM_KEY_OTHER ? 0 : i2d_PublicKey(key, &result.bytes);
        if (count > 0) result.count = (size_t)count;
    }
    X509_free(x509);
    return result;
}

static STACK_OF(X509) * stack(const struct shim_bytes *certificates, size_t count) {
    STACK_OF(X509) *result = sk_X509_new_null();
    for (size_t index = 0; index < count; index++) {
        X509 *x509 = parsed(certificates[index]);
        if (x509) sk_X509_push(result, x509);
    }
    return result;
}

int shim_certificates_verify(
    const struct shim_bytes *certificates, size_t count, const struct shim_bytes *anchors, size_t anchor_count,
    int with_system_roots, const char *host, struct shim_bytes *built, size_t *built_count
) {
    STACK_OF(X509) *given = stack(certificates, count), *trusted = stack(anchors, anchor_count);
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    if (with_system_roots) X509_STORE_set_default_paths(store);
    for (int index = 0; index < sk_X509_num(trusted); index++) {
        X509_STORE_add_cert(store, sk_X509_value(trusted, index));
    }
    X509_STORE_CTX_init(context, store, sk_X509_value(given, 0), given);
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    // An anchor need not be a root: Apple's function ends the chain at whatever it was given.
    X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN);
    if (host) {
        X509_STORE_CTX_set_default(context, "ssl_server");
        X509_VERIFY_PARAM_set1_host(parameters, host, 0);
    }
    int code = X509_verify_cert(context) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(context);
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(context);
    *built_count = 0;
    for (int index = 0; index < sk_X509_num(chain) && (size_t)index < count + anchor_count + 10; index++) {
        built[(*built_count)++] = written(sk_X509_value(chain, index));
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    sk_X509_pop_free(given, X509_free);
    sk_X509_pop_free(trusted, X509_free);
    return code;
}

const char *shim_verification_text(int code) { return X509_verify_cert_error_string(code); }

// PKCS#12

enum shim_import_result shim_pkcs12_import(
    struct shim_bytes file, const char *passphrase, struct shim_bytes *certificate, struct shim_bytes *key,
    struct shim_bytes further[10], size_t *further_count
) {
    const unsigned char *cursor = file.bytes;
    PKCS12 *container = d2i_PKCS12(NULL, &cursor, (long)file.count);
    if (!container) return SHIM_IMPORT_MALFORMED;
    EVP_PKEY *private_key = NULL;
    X509 *x509 = NULL;
    STACK_OF(X509) *others = NULL;
    enum shim_import_result result = SHIM_IMPORT_WRONG_PASSPHRASE;
    if (PKCS12_verify_mac(container, passphrase, -1) == 1) {
        result = SHIM_IMPORT_MALFORMED;
        if (PKCS12_parse(container, passphrase, &private_key, &x509, &others) == 1 && private_key && x509) {
            result = SHIM_IMPORTED;
            *certificate = written(x509);
            *key = none;
            int count = i2d_PrivateKey(private_key, &key->bytes);
            if (count > 0) key->count = (size_t)count;
            *further_count = 0;
            for (int index = 0; index < sk_X509_num(others) && index < 10; index++) {
                further[(*further_count)++] = written(sk_X509_value(others, index));
            }
        }
    }
    EVP_PKEY_free(private_key);
    X509_free(x509);
    sk_X509_pop_free(others, X509_free);
    PKCS12_free(container);
    return result;
}
