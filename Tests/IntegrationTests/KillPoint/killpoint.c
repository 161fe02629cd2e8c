// Preloaded into a host or an agent by the integration tests. It stops the whole process (SIGSTOP) at a chosen system
// call, so that a test can kill it there from outside, or makes chosen calls fail. The programs under test know
// nothing of it.
//
//   KILLPOINT_STOP   when:operation:text:occurrence   when is "before" or "after"; text is found in the path or data
//   KILLPOINT_COUNT  n                                stops before the n-th counted call of the process
//   KILLPOINT_FAIL   operation:text:errno             every such call fails
//   KILLPOINT_NO_RENAMEAT2                            renameat2 answers as on a volume that does not know its flags
//   KILLPOINT_DIES                                    ends the process (SIGKILL) where it would be stopped
//   KILLPOINT_LOG    file                             a line for each counted call, and "stopped <pid>" or "killed
//                                                     <pid>" at the stop
#define _GNU_SOURCE
#include "interposed.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;
static atomic_int matches;

static void say(const char *format, ...) {
    const char *path = getenv("KILLPOINT_LOG");
    if (!path) return;
    char line[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (length > (int)sizeof line - 1) length = sizeof line - 1;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    syscall(SYS_write, file, line, (size_t)length);
    syscall(SYS_close, file);
}

static void stop_here(const char *operation, const char *text) {
    int dies = getenv("KILLPOINT_DIES") != NULL;
    say("%s %d at %s %.200s\n", dies ? "killed" : "stopped", (int)getpid(), operation, text);
    if (dies) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    // To this very thread: a signal to the process may be taken by another, while this one goes on for a moment.
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTOP);
}

static int contains(const char *data, size_t length, const char *text) {
    return *text == 0 || memmem(data, length, text, strlen(text)) != NULL;
}

// Splits "a:b:c" into at most `count` fields; the fields may not contain colons.
static int fields(const char *name, char *copy, size_t size, char **parts, int count) {
    const char *value = getenv(name);
    if (!value || strlen(value) >= size) return 0;
    strcpy(copy, value);
    int found = 0;
    char *rest = NULL;
    for (char *part = strtok_r(copy, ":", &rest); part && found < count; part = strtok_r(NULL, ":", &rest))
        parts[found++] = part;
    return found == count;
}

static int stops(const char *when, const char *operation, const char *data, size_t length) {
    char copy[256], *parts[4];
    if (!fields("KILLPOINT_STOP", copy, sizeof copy, parts, 4)) return 0;
    if (strcmp(parts[0], when) || strcmp(parts[1], operation) || !contains(data, length, parts[2])) return 0;
    return atomic_fetch_add(&matches, 1) + 1 == atoi(parts[3]);
}

// Called before a call; an error number to fail with, or 0.
static int before(const char *operation, const char *data, size_t length) {
    int call = atomic_fetch_add(&calls, 1) + 1;
    say("%d %s %.*s\n", call, operation, (int)(length < 160 ? length : 160), data);
    const char *count = getenv("KILLPOINT_COUNT");
    if ((count && call == atoi(count)) || stops("before", operation, data, length)) stop_here(operation, data);
    char copy[256], *parts[3];
    if (fields("KILLPOINT_FAIL", copy, sizeof copy, parts, 3) && !strcmp(parts[0], operation)
        && contains(data, length, parts[1]))
        return atoi(parts[2]);
    return 0;
}

static void after(const char *operation, const char *data, size_t length) {
    if (stops("after", operation, data, length)) stop_here(operation, data);
}

#define GUARDED(operation, data, length, call)                       \
    int failure = before(operation, data, length);                   \
    if (failure) { errno = failure; return -1; }                     \
    __typeof__(call) answer = call;                                  \
    int code = errno;                                                \
    after(operation, data, length);                                  \
    errno = code;                                                    \
    return answer;

int rename(const char *from, const char *to) {
    REAL(rename);
    GUARDED("rename", to, strlen(to), real(from, to))
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    REAL(renameat);
    char path[1024];
    path_in(to_folder, to, path, sizeof path);
    GUARDED("rename", path, strlen(path), real(from_folder, from, to_folder, to))
}

// "rename" as well: a test that waits for the file's last step need not know how it is done.
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    REAL(renameat2);
    if (getenv("KILLPOINT_NO_RENAMEAT2")) {
        errno = EINVAL;
        return -1;
    }
    char path[1024];
    path_in(to_folder, to, path, sizeof path);
    GUARDED("rename", path, strlen(path), real(from_folder, from, to_folder, to, flags))
}

int link(const char *from, const char *to) {
    REAL(link);
    GUARDED("link", to, strlen(to), real(from, to))
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(linkat);
    char path[1024];
    path_in(to_folder, to, path, sizeof path);
    GUARDED("link", path, strlen(path), real(from_folder, from, to_folder, to, flags))
}

int unlinkat(int folder, const char *name, int flags) {
    REAL(unlinkat);
    char path[1024];
    path_in(folder, name, path, sizeof path);
    GUARDED("unlink", path, strlen(path), real(folder, name, flags))
}

// Only of finished files and copies: databases get theirs once, when they are created.
int fchmod(int file, mode_t mode) {
    REAL(fchmod);
    char path[512];
    path_of(file, path, sizeof path);
    if (strstr(path, ".sqlite")) return real(file, mode);
    GUARDED("mode", path, strlen(path), real(file, mode))
}

int unlink(const char *path) {
    REAL(unlink);
    GUARDED("unlink", path, strlen(path), real(path))
}

int fsync(int file) {
    REAL(fsync);
    char path[512];
    path_of(file, path, sizeof path);
    GUARDED("sync", path, strlen(path), real(file))
}

int fdatasync(int file) {
    REAL(fdatasync);
    char path[512];
    path_of(file, path, sizeof path);
    GUARDED("sync", path, strlen(path), real(file))
}

// Only those that may fail on a full disk, and that tests fail: staging files and copies.
ssize_t write(int file, const void *data, size_t length) {
    REAL(write);
    char path[512];
    path_of(file, path, sizeof path);
    if (path[0] != '/' || !strncmp(path, "/dev/", 5) || strstr(path, ".log")) return real(file, data, length);
    GUARDED("write", path, strlen(path), real(file, data, length))
}

// Glibc has the same function under both names; SQLite's own writes are not of interest here.
static ssize_t write_at(ssize_t (*real)(int, const void *, size_t, off_t), int file, const void *data, size_t length,
                        off_t offset) {
    char path[512];
    path_of(file, path, sizeof path);
    if (!strstr(path, ".part") && !strstr(path, ".bgwork-")) return real(file, data, length, offset);
    GUARDED("write", path, strlen(path), real(file, data, length, offset))
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    REAL(pwrite);
    return write_at(real, file, data, length, offset);
}

ssize_t pwrite64(int file, const void *data, size_t length, off_t offset) {
    REAL(pwrite64);
    return write_at(real, file, data, length, offset);
}

// Of partial files beside their targets.
static int truncate_to(int (*real)(int, off_t), int file, off_t length) {
    char path[512];
    path_of(file, path, sizeof path);
    if (!strstr(path, ".bgwork-")) return real(file, length);
    GUARDED("truncate", path, strlen(path), real(file, length))
}

int ftruncate(int file, off_t length) {
    REAL(ftruncate);
    return truncate_to(real, file, length);
}

int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    return truncate_to(real, file, length);
}

static int create_at(int (*real)(int, const char *, int, ...), int folder, const char *name, int flags, mode_t mode) {
    char path[1024];
    path_in(folder, name, path, sizeof path);
    if (!(flags & O_CREAT) || !strstr(path, ".bgwork-")) return real(folder, name, flags, mode);
    GUARDED("create", path, strlen(path), real(folder, name, flags, mode))
}

#define CREATES_AT(function)                                                    \
    int function(int folder, const char *name, int flags, ...) {                \
        REAL(function);                                                         \
        va_list list;                                                           \
        va_start(list, flags);                                                  \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list);                                                           \
        return create_at(real, folder, name, flags, mode);                      \
    }
CREATES_AT(openat)
CREATES_AT(openat64)

ssize_t send(int socket, const void *data, size_t length, int flags) {
    REAL(send);
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    // The conversation between client and agent, not HTTP.
    if (getsockname(socket, (struct sockaddr *)&address, &size) != 0 || address.ss_family != AF_UNIX)
        return real(socket, data, length, flags);
    const char *body = length > 4 ? (const char *)data + 4 : data;
    size_t count = length > 4 ? length - 4 : length;
    GUARDED("send", body, count, real(socket, data, length, flags))
}
