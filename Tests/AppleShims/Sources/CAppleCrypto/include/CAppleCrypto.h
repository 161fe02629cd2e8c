#ifndef CAPPLECRYPTO_H
#define CAPPLECRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// Bytes that the caller frees by `shim_bytes_free`.
struct shim_bytes {
    uint8_t *bytes;
    size_t count;
};
void shim_bytes_free(struct shim_bytes bytes);

/// A digest in progress: `name` is "MD5", "SHA1", "SHA256" or "SHA512". NULL if libcrypto refuses.
void *shim_digest_begin(const char *name);
void *shim_digest_copy(const void *digest);
void shim_digest_update(void *digest, const void *bytes, size_t count);
/// Writes up to 64 bytes. Returns their number.
size_t shim_digest_finish(void *digest, uint8_t *bytes);
void shim_digest_free(void *digest);

enum shim_key_kind { SHIM_KEY_OTHER, SHIM_KEY_RSA, SHIM_KEY_ELLIPTIC };

/// 1 if the bytes are one certificate in DER.
int shim_certificate_is_valid(struct shim_bytes certificate);
/// The public key of a certificate: PKCS#1 or an uncompressed point. NULL if there is none that Apple's function knows.
struct shim_bytes shim_certificate_key(struct shim_bytes certificate, enum shim_key_kind *kind, int *bits);
/// Evaluates a chain whose first certificate is the leaf, for the purpose of a TLS server if `host` is not NULL.
///
/// Returns 0 and the chain that was built, or an X509_V_ERR number and the chain so far.
///
/// - built: room for `count + anchor_count + 10` certificates, each to be freed.
int shim_certificates_verify(
    const struct shim_bytes *certificates, size_t count, const struct shim_bytes *anchors, size_t anchor_count,
    int with_system_roots, const char *host, struct shim_bytes *built, size_t *built_count);
/// What an X509_V_ERR number means, in words that live as long as the process.
const char *shim_verification_text(int code);

enum shim_import_result { SHIM_IMPORTED, SHIM_IMPORT_MALFORMED, SHIM_IMPORT_WRONG_PASSPHRASE };

/// Reads a PKCS#12 file: its certificate, its private key in DER, and up to 10 further certificates, all to be freed.
enum shim_import_result shim_pkcs12_import(
    struct shim_bytes file, const char *passphrase, struct shim_bytes *certificate, struct shim_bytes *key,
    struct shim_bytes further[10], size_t *further_count);

#endif
