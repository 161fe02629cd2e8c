#ifndef CBACKGROUNDWORK_CRYPTO_H
#define CBACKGROUNDWORK_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// Digests by OpenSSL's libcrypto, which is loaded with the first digest, so nothing links to it and a program that
/// computes none pays nothing. No header of OpenSSL is needed to build this.
struct bgw_digest;

/// The longest digest, in bytes.
#define BGW_DIGEST_MAXIMUM 64

/// Begins a digest: `name` is "MD5", "SHA1", "SHA256" or "SHA512". NULL on failure, with `error` saying why in words
/// that live as long as the process. From any thread.
struct bgw_digest *bgw_digest_begin(const char *name, const char **error);
/// Takes bytes in. 1, or 0 on failure. Not for two threads at once.
int bgw_digest_update(struct bgw_digest *digest, const void *bytes, size_t count);
/// Writes the digest and returns its length in bytes, or 0 on failure. After this only `bgw_digest_free`.
size_t bgw_digest_finish(struct bgw_digest *digest, uint8_t bytes[BGW_DIGEST_MAXIMUM]);
void bgw_digest_free(struct bgw_digest *digest);

#endif
