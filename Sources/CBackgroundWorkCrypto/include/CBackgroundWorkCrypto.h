#ifndef CBACKGROUNDWORK_CRYPTO_H
#define CBACKGROUNDWORK_CRYPTO_H

#if defined(__linux__)
#if __has_include(<openssl/evp.h>)
#include <openssl/evp.h>
#else
#error "OpenSSL's headers are missing. On Debian and Ubuntu: apt-get install libssl-dev"
#endif
#endif

#endif
