#define _GNU_SOURCE
#include "CAppleSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct darwin_timespec converted(struct timespec time) {
    return (struct darwin_timespec){.tv_sec = time.tv_sec, .tv_nsec = time.tv_nsec};
}

static int filled(int result, const struct stat *from, struct darwin_stat_record *to) {
    if (result != 0) return result;
    // The fields that Linux does not have remain 0.
    memset(to, 0, sizeof *to);
    to->st_dev = (darwin_dev_t)from->st_dev;
    to->st_mode = (darwin_mode_t)from->st_mode;
    to->st_nlink = (darwin_nlink_t)from->st_nlink;
    to->st_ino = from->st_ino;
    to->st_uid = from->st_uid;
    to->st_gid = from->st_gid;
    to->st_rdev = (darwin_dev_t)from->st_rdev;
    to->st_atimespec = converted(from->st_atim);
    to->st_mtimespec = converted(from->st_mtim);
    to->st_ctimespec = converted(from->st_ctim);
    to->st_size = from->st_size;
    to->st_blocks = from->st_blocks;
    to->st_blksize = (darwin_blksize_t)from->st_blksize;
    return 0;
}

int darwin_stat(const char *path, struct darwin_stat_record *status) {
    struct stat system;
    return filled(stat(path, &system), &system, status);
}

int darwin_lstat(const char *path, struct darwin_stat_record *status) {
    struct stat system;
    return filled(lstat(path, &system), &system, status);
}

int darwin_fstat(int descriptor, struct darwin_stat_record *status) {
    struct stat system;
    return filled(fstat(descriptor, &system), &system, status);
}

int darwin_fstatat(int folder, const char *path, struct darwin_stat_record *status, int flag) {
    struct stat system;
    return filled(fstatat(folder, path, &system, flag), &system, status);
}

int darwin_chmod(const char *path, darwin_mode_t mode) { return chmod(path, mode); }
int darwin_fchmod(int descriptor, darwin_mode_t mode) { return fchmod(descriptor, mode); }
int darwin_mkdir(const char *path, darwin_mode_t mode) { return mkdir(path, mode); }
int darwin_mkfifo(const char *path, darwin_mode_t mode) { return mkfifo(path, mode); }

int darwin_mkdirat(int folder, const char *path, darwin_mode_t mode) { return mkdirat(folder, path, mode); }

// openat2(2) with RESOLVE_NO_SYMLINKS: both fail with ELOOP where a component is a link.
static int open_without_links(int folder, const char *path, int flags, darwin_mode_t mode) {
    struct {
        unsigned long long flags, mode, resolve;
    } how = {(unsigned)(flags & ~DARWIN_O_NOFOLLOW_ANY), flags & O_CREAT ? mode : 0, 0x04};
    return (int)syscall(437, folder, path, &how, sizeof how);
}

int darwin_open(const char *path, int flags, darwin_mode_t mode) { return darwin_openat(AT_FDCWD, path, flags, mode); }

int darwin_openat(int folder, const char *path, int flags, darwin_mode_t mode) {
    if (flags & DARWIN_O_NOFOLLOW_ANY) return open_without_links(folder, path, flags, mode);
    return openat(folder, path, flags, (mode_t)mode);
}

int darwin_fcntl(int descriptor, int command, int value) { return fcntl(descriptor, command, value); }
int darwin_fcntl_pointer(int descriptor, int command, void *value) { return fcntl(descriptor, command, value); }

int darwin_renameatx_np(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
    if (flags & ~(unsigned)DARWIN_RENAME_EXCL) {
        errno = ENOTSUP;
        return -1;
    }
    unsigned linux_flags = flags & DARWIN_RENAME_EXCL ? RENAME_NOREPLACE : 0;
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, linux_flags);
}

int darwin_futimens(int descriptor, const struct darwin_timespec times[2]) {
    struct timespec system[2];
    for (int index = 0; index < 2; index++)
        system[index] = (struct timespec){.tv_sec = times[index].tv_sec, .tv_nsec = times[index].tv_nsec};
    return futimens(descriptor, system);
}

darwin_DIR *darwin_fdopendir(int descriptor) {
    DIR *system = fdopendir(descriptor);
    if (!system) return NULL;
    darwin_DIR *stream = calloc(1, sizeof *stream);
    if (stream) stream->system = system;
    return stream;
}

struct darwin_dirent *darwin_readdir(darwin_DIR *stream) {
    const struct dirent *found = readdir(stream->system);
    if (!found) return NULL;
    struct darwin_dirent *entry = &stream->entry;
    entry->d_ino = found->d_ino;
    entry->d_type = found->d_type;
    entry->d_namlen = (unsigned short)strlen(found->d_name);
    memcpy(entry->d_name, found->d_name, entry->d_namlen + 1u);
    return entry;
}

int darwin_closedir(darwin_DIR *stream) {
    int answer = closedir(stream->system);
    free(stream);
    return answer;
}

int darwin_fstatvfs(int descriptor, struct darwin_statvfs_record *status) {
    struct statvfs system;
    if (fstatvfs(descriptor, &system) != 0) return -1;
    memset(status, 0, sizeof *status);
    status->f_bsize = system.f_bsize;
    status->f_frsize = system.f_frsize;
    status->f_blocks = (unsigned)system.f_blocks;
    status->f_bfree = (unsigned)system.f_bfree;
    status->f_bavail = (unsigned)system.f_bavail;
    return 0;
}
