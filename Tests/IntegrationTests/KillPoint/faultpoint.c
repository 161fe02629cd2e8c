// Preloaded into a host or an agent by the integration tests: one system call on a chosen file fails, as on a disk that
// errs or when the process is out of descriptors. The programs under test know nothing of it.
//
//   FAULT_CALLS  names of calls, with commas between: which are counted
//   FAULT_PATH   only calls on files whose path contains this
//   FAULT_AT     the n-th counted call fails, and as many after it as FAULT_COUNT (1) says
//   FAULT_ERRNO  with this error number
//   FAULT_LOG    gets a line for each counted call
#define _GNU_SOURCE
#include "interposed.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;

static int number(const char *name, int otherwise) {
    const char *value = getenv(name);
    return value ? atoi(value) : otherwise;
}

static int is_listed(const char *call) {
    const char *list = getenv("FAULT_CALLS");
    size_t length = strlen(call);
    while (list && *list) {
        const char *end = strchrnul(list, ',');
        if ((size_t)(end - list) == length && !strncmp(list, call, length)) return 1;
        list = *end ? end + 1 : end;
    }
    return 0;
}

// An error number to fail with, or 0.
static int fault(const char *call, const char *path) {
    const char *text = getenv("FAULT_PATH");
    if (!is_listed(call) || !path || (text && !strstr(path, text))) return 0;
    int counted = atomic_fetch_add(&calls, 1) + 1;
    int first = number("FAULT_AT", 0);
    int fails = first > 0 && counted >= first && counted < first + number("FAULT_COUNT", 1);
    const char *log = getenv("FAULT_LOG");
    if (log) {
        char line[512];
        int length = snprintf(line, sizeof line, "%d %s %.300s%s\n", counted, call, path, fails ? " fails" : "");
        int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        if (file >= 0) {
            syscall(SYS_write, file, line, (size_t)length);
            syscall(SYS_close, file);
        }
    }
    return fails ? number("FAULT_ERRNO", EIO) : 0;
}

#define FAIL_AT(call, path)                      \
    int code = errno, failure = fault(call, path); \
    if (failure) {                               \
        errno = failure;                         \
        return -1;                               \
    }                                            \
    errno = code
#define ON_DESCRIPTOR(name, call, result, parameters, ...) \
    result name parameters {                               \
        REAL(name);                                        \
        if (is_listed(call)) {                             \
            char path[4096];                               \
            FAIL_AT(call, path_of(file, path, sizeof path)); \
        }                                                  \
        return real(__VA_ARGS__);                          \
    }

ON_DESCRIPTOR(pread, "pread", ssize_t, (int file, void *to, size_t size, off_t at), file, to, size, at)
ON_DESCRIPTOR(pread64, "pread", ssize_t, (int file, void *to, size_t size, off64_t at), file, to, size, at)
ON_DESCRIPTOR(read, "read", ssize_t, (int file, void *to, size_t size), file, to, size)
ON_DESCRIPTOR(pwrite, "pwrite", ssize_t, (int file, const void *from, size_t size, off_t at), file, from, size, at)
ON_DESCRIPTOR(pwrite64, "pwrite", ssize_t, (int file, const void *from, size_t size, off64_t at), file, from, size, at)
ON_DESCRIPTOR(write, "write", ssize_t, (int file, const void *from, size_t size), file, from, size)
ON_DESCRIPTOR(fsync, "fsync", int, (int file), file)
ON_DESCRIPTOR(fdatasync, "fdatasync", int, (int file), file)
ON_DESCRIPTOR(fchmod, "fchmod", int, (int file, mode_t mode), file, mode)
ON_DESCRIPTOR(ftruncate, "ftruncate", int, (int file, off_t size), file, size)
ON_DESCRIPTOR(ftruncate64, "ftruncate", int, (int file, off64_t size), file, size)
ON_DESCRIPTOR(fstat, "fstat", int, (int file, struct stat *status), file, status)

#define OPENS(name)                                                    \
    int name(const char *path, int flags, ...) {                       \
        REAL(name);                                                    \
        va_list list;                                                  \
        va_start(list, flags);                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list);                                                  \
        FAIL_AT("open", path);                                         \
        return real(path, flags, mode);                                \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                 \
    int name(int folder, const char *path, int flags, ...) {           \
        REAL(name);                                                    \
        va_list list;                                                  \
        va_start(list, flags);                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list);                                                  \
        char whole[4096];                                              \
        FAIL_AT("open", path_in(folder, path, whole, sizeof whole));   \
        return real(folder, path, flags, mode);                        \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

int stat(const char *path, struct stat *status) {
    REAL(stat);
    FAIL_AT("stat", path);
    return real(path, status);
}

int lstat(const char *path, struct stat *status) {
    REAL(lstat);
    FAIL_AT("stat", path);
    return real(path, status);
}

int fstatat(int folder, const char *path, struct stat *status, int flags) {
    REAL(fstatat);
    char whole[4096];
    FAIL_AT("stat", path_in(folder, path, whole, sizeof whole));
    return real(folder, path, status, flags);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    FAIL_AT("rename", to);
    return real(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    REAL(renameat);
    char whole[4096];
    FAIL_AT("rename", path_in(to_folder, to, whole, sizeof whole));
    return real(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    REAL(renameat2);
    char whole[4096];
    FAIL_AT("rename", path_in(to_folder, to, whole, sizeof whole));
    return real(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
    REAL(link);
    FAIL_AT("link", to);
    return real(from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(linkat);
    char whole[4096];
    FAIL_AT("link", path_in(to_folder, to, whole, sizeof whole));
    return real(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    char whole[4096];
    FAIL_AT("unlink", path_in(folder, path, whole, sizeof whole));
    return real(folder, path, flags);
}

int unlink(const char *path) {
    REAL(unlink);
    FAIL_AT("unlink", path);
    return real(path);
}
