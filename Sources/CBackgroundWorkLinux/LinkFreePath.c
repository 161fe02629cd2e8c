#define _GNU_SOURCE
#include "CBackgroundWorkLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/openat2.h and its number, which older headers do not have; both are the same on all architectures of Swift.
struct open_how_1 {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};
#define OPENAT2 437
#define NO_MAGIC_LINKS 0x02
#define NO_LINKS 0x04

int bgw_open_subfolder(int folder, const char *name) {
    return openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int bgw_walk_without_links(const char *path, int flags) {
    int folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (folder >= 0) {
        path += strspn(path, "/");
        size_t length = strcspn(path, "/");
        char name[256];
        if (length >= sizeof name) {
            close(folder);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, path, length);
        name[length] = 0;
        path += length;
        int is_last = path[strspn(path, "/")] == 0;
        int next = is_last ? openat(folder, length ? name : ".", flags | O_NOFOLLOW | O_CLOEXEC)
                           : bgw_open_subfolder(folder, name);
        int code = errno;
        close(folder);
        errno = code;
        if (is_last) return next;
        folder = next;
    }
    return -1;
}

int bgw_open_without_links(const char *path, int flags) {
    struct open_how_1 how = {.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC), .resolve = NO_LINKS | NO_MAGIC_LINKS};
    int file = (int)syscall(OPENAT2, AT_FDCWD, path, &how, sizeof how);
    // EPERM: filters of system calls answer so to those that they do not know.
    if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return file;
    return bgw_walk_without_links(path, flags);
}

int bgw_open_folder_without_links(const char *path) { return bgw_open_without_links(path, O_PATH | O_DIRECTORY); }
