#if defined(__linux__)
#include "SharedLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

static void forget(const struct bgw_library *library) {
    for (size_t i = 0; i < library->count; i++) *library->functions[i].address = NULL;
}

int bgw_library_load(const struct bgw_library *library, char *failure, size_t size) {
    forget(library);
    void *loaded = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
        const char *reason = dlerror();
        if (failure)
            snprintf(failure, size, "%s could not be loaded (%s); install it (Debian and Ubuntu: apt-get install %s)",
                     library->name, reason ? reason : "no reason given", library->package);
        return -1;
    }
    for (size_t i = 0; i < library->count; i++) {
        const struct bgw_function *function = &library->functions[i];
        *function->address = dlsym(loaded, function->name);
        if (*function->address || function->is_optional) continue;
        if (failure)
            snprintf(failure, size,
                     "the installed %s has no %s; version %s or later is needed "
                     "(Debian and Ubuntu: apt-get install %s)",
                     library->name, function->name, library->version, library->package);
        forget(library);
        dlclose(loaded);
        return -1;
    }
    return 0;
}

void bgw_openssl_keep_until_end(bgw_openssl_init initialize) {
    // OPENSSL_INIT_NO_ATEXIT, since version 1.1.1.
    if (initialize) initialize(0x00080000, NULL);
}
#endif
