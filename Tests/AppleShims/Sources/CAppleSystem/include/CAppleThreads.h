#ifndef CAPPLETHREADS_H
#define CAPPLETHREADS_H

#include "CAppleTypes.h"

// A header of its own, since these are the only ones for which Apple's say which pointers may be null.

// libpthread include/sys/_pthread/_pthread_types.h
struct IN_SWIFT("_opaque_pthread_t") darwin_opaque_pthread {
    long __sig;
    struct darwin_pthread_handler *_Nullable __cleanup_stack;
    char __opaque[8176];
};
// libpthread include/sys/_pthread/_pthread_t.h: Glibc's fits into it, and is never dereferenced
typedef struct darwin_opaque_pthread *darwin_pthread_t IN_SWIFT("pthread_t");
// libpthread include/sys/_pthread/_pthread_types.h: Glibc's is smaller
typedef struct IN_SWIFT("_opaque_pthread_attr_t") darwin_opaque_pthread_attributes {
    long __sig;
    char __opaque[56];
} darwin_pthread_attr_t IN_SWIFT("pthread_attr_t");
// libpthread include/pthread/pthread.h, in a region of assume_nonnull
int darwin_pthread_attr_init(darwin_pthread_attr_t *_Nonnull attributes) __asm__("pthread_attr_init")
    IN_SWIFT("pthread_attr_init(_:)");
// libpthread include/pthread/pthread.h
int darwin_pthread_attr_destroy(darwin_pthread_attr_t *_Nonnull attributes) __asm__("pthread_attr_destroy")
    IN_SWIFT("pthread_attr_destroy(_:)");
// libpthread include/pthread/pthread.h
int darwin_pthread_attr_setstacksize(darwin_pthread_attr_t *_Nonnull attributes, size_t bytes)
    __asm__("pthread_attr_setstacksize") IN_SWIFT("pthread_attr_setstacksize(_:_:)");
// libpthread include/pthread/pthread.h
int darwin_pthread_create(
    darwin_pthread_t _Nullable *_Nonnull thread, const darwin_pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull start)(void *_Nonnull), void *_Nullable argument
) __asm__("pthread_create") IN_SWIFT("pthread_create(_:_:_:_:)");
// libpthread include/pthread/pthread.h
int darwin_pthread_detach(darwin_pthread_t _Nonnull thread) __asm__("pthread_detach") IN_SWIFT("pthread_detach(_:)");

// Libc include/_stdlib.h
int darwin_atexit(void (*_Nonnull handler)(void)) IN_SWIFT("atexit(_:)");

#endif
