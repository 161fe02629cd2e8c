// Preloaded into a host by the integration tests: an access to a path below HANGING_PATH never returns, as on a volume
// whose server is unreachable. HANGING_LOG has a line for each one.
#define _GNU_SOURCE
#include "interposed.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void look(const char *path) {
    const char *hanging = getenv("HANGING_PATH");
    if (!hanging || !path || strncmp(path, hanging, strlen(hanging))) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, getenv("HANGING_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    syscall(SYS_write, file, "hangs\n", 6);
    syscall(SYS_close, file);
    while (1) pause();
}

int stat(const char *path, struct stat *status) { REAL(stat); look(path); return real(path, status); }
int lstat(const char *path, struct stat *status) { REAL(lstat); look(path); return real(path, status); }
int stat64(const char *path, struct stat64 *status) { REAL(stat64); look(path); return real(path, status); }
int lstat64(const char *path, struct stat64 *status) { REAL(lstat64); look(path); return real(path, status); }

int fstatat(int folder, const char *path, struct stat *status, int flags) {
    REAL(fstatat);
    look(path);
    return real(folder, path, status, flags);
}

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *status) {
    REAL(statx);
    look(path);
    return real(folder, path, flags, mask, status);
}

int access(const char *path, int mode) { REAL(access); look(path); return real(path, mode); }

ssize_t readlink(const char *path, char *target, size_t size) {
    REAL(readlink);
    look(path);
    return real(path, target, size);
}

int inotify_add_watch(int descriptor, const char *path, uint32_t mask) {
    REAL(inotify_add_watch);
    look(path);
    return real(descriptor, path, mask);
}
