#ifndef CBACKGROUNDWORK_SHARED_LIBRARY_H
#define CBACKGROUNDWORK_SHARED_LIBRARY_H

#if defined(__linux__)
#include <stddef.h>
#include <stdint.h>

/// A function of a library.
struct bgw_function {
    const char *name;
    /// Where its address is put.
    void **address;
    /// Whether the library may lack it; its address is NULL then.
    int is_optional;
};

/// A library of the system that is loaded when it is first needed: nothing links to it, and a process that does not
/// need it does not pay for it.
struct bgw_library {
    /// The name that users know.
    const char *name;
    /// The name that dlopen(3) gets.
    const char *file;
    /// The first version that has all functions that are required.
    const char *version;
    /// The package of Debian and Ubuntu that has it.
    const char *package;
    const struct bgw_function *functions;
    size_t count;
};

/// Loads a library and looks its functions up. Returns 0. On failure it returns -1, all addresses are NULL, and
/// `failure`, unless it is NULL, is a message that says what to do. Not for two threads at once.
int bgw_library_load(const struct bgw_library *library, char *failure, size_t size);

/// OpenSSL's function that initializes libcrypto, for the tables of libraries that use it.
typedef int (*bgw_openssl_init)(uint64_t options, const void *settings);

/// Keeps libcrypto from freeing what it has when the process exits: threads that use it, or end, at that moment would use
/// what was freed. To be called before the first other call, with NULL where the function is missing. Does nothing if
/// somebody else has initialized libcrypto before.
void bgw_openssl_keep_until_end(bgw_openssl_init initialize);
#endif

#endif
