// What the libraries that the integration tests preload have in common.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The function that the program would have called.
#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// The path that an open descriptor leads to; empty if the system does not say.
static inline const char *path_of(int descriptor, char *buffer, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, buffer, size - 1);
    buffer[length < 0 ? 0 : length] = 0;
    return buffer;
}

// The path of a name in an open folder.
static inline const char *path_in(int folder, const char *name, char *buffer, size_t size) {
    if (folder < 0 || name[0] == '/') {
        snprintf(buffer, size, "%s", name);
        return buffer;
    }
    path_of(folder, buffer, size);
    size_t length = strlen(buffer);
    snprintf(buffer + length, size - length, "/%s", name);
    return buffer;
}
