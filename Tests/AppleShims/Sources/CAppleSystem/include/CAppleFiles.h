#ifndef CAPPLEFILES_H
#define CAPPLEFILES_H

#include "CAppleTypes.h"

// xnu bsd/sys/stat.h, __DARWIN_STRUCT_STAT64
struct IN_SWIFT("stat") darwin_stat_record {
    darwin_dev_t st_dev;
    darwin_mode_t st_mode;
    darwin_nlink_t st_nlink;
    darwin_ino_t st_ino;
    darwin_uid_t st_uid;
    darwin_gid_t st_gid;
    darwin_dev_t st_rdev;
    struct darwin_timespec st_atimespec;
    struct darwin_timespec st_mtimespec;
    struct darwin_timespec st_ctimespec;
    struct darwin_timespec st_birthtimespec;
    darwin_off_t st_size;
    darwin_blkcnt_t st_blocks;
    darwin_blksize_t st_blksize;
    unsigned int st_flags;
    unsigned int st_gen;
    int st_lspare;
    long long st_qspare[2];
};

// xnu bsd/sys/stat.h
int darwin_stat(const char *path, struct darwin_stat_record *status) IN_SWIFT("stat(_:_:)");
// xnu bsd/sys/stat.h
int darwin_lstat(const char *path, struct darwin_stat_record *status) IN_SWIFT("lstat(_:_:)");
// xnu bsd/sys/stat.h
int darwin_fstat(int descriptor, struct darwin_stat_record *status) IN_SWIFT("fstat(_:_:)");
// xnu bsd/sys/stat.h
int darwin_fstatat(int folder, const char *path, struct darwin_stat_record *status, int flag)
    IN_SWIFT("fstatat(_:_:_:_:)");
// xnu bsd/sys/stat.h
int darwin_chmod(const char *path, darwin_mode_t mode) IN_SWIFT("chmod(_:_:)");
// xnu bsd/sys/stat.h
int darwin_fchmod(int descriptor, darwin_mode_t mode) IN_SWIFT("fchmod(_:_:)");
// xnu bsd/sys/stat.h
int darwin_mkdir(const char *path, darwin_mode_t mode) IN_SWIFT("mkdir(_:_:)");
// xnu bsd/sys/stat.h
int darwin_mkfifo(const char *path, darwin_mode_t mode) IN_SWIFT("mkfifo(_:_:)");

// swiftlang/swift stdlib/public/Platform/Platform.swift: Swift sees open, openat and fcntl without variadic arguments.
int darwin_open(const char *path, int flags, darwin_mode_t mode) __attribute__((swift_private));
int darwin_openat(int folder, const char *path, int flags, darwin_mode_t mode) __attribute__((swift_private));
int darwin_fcntl(int descriptor, int command, int value) __attribute__((swift_private));
int darwin_fcntl_pointer(int descriptor, int command, void *value) __attribute__((swift_private));

// xnu bsd/sys/stdio.h
// xnu bsd/sys/stdio.h
int darwin_renameatx_np(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
    IN_SWIFT("renameatx_np(_:_:_:_:_:)");
// xnu bsd/sys/stdio.h
#define DARWIN_RENAME_EXCL 0x4
// xnu bsd/sys/fcntl.h: the value is Darwin's, which is free on Linux
#define DARWIN_O_NOFOLLOW_ANY 0x20000000

// xnu bsd/sys/stat.h
int darwin_mkdirat(int folder, const char *path, darwin_mode_t mode) IN_SWIFT("mkdirat(_:_:_:)");
// xnu bsd/sys/stdio.h
int darwin_renameat(int from_folder, const char *from, int to_folder, const char *to) __asm__("renameat")
    IN_SWIFT("renameat(_:_:_:_:)");
// xnu bsd/sys/unistd.h
int darwin_linkat(int from_folder, const char *from, int to_folder, const char *to, int flag) __asm__("linkat")
    IN_SWIFT("linkat(_:_:_:_:_:)");
// xnu bsd/sys/unistd.h
int darwin_unlinkat(int folder, const char *path, int flag) __asm__("unlinkat") IN_SWIFT("unlinkat(_:_:_:)");

// xnu bsd/sys/unistd.h
int darwin_symlinkat(const char *target, int folder, const char *path) __asm__("symlinkat")
    IN_SWIFT("symlinkat(_:_:_:)");
// xnu bsd/sys/unistd.h
long darwin_readlinkat(int folder, const char *path, char *target, size_t size) __asm__("readlinkat")
    IN_SWIFT("readlinkat(_:_:_:_:)");
// xnu bsd/sys/stat.h
int darwin_futimens(int descriptor, const struct darwin_timespec times[2]) IN_SWIFT("futimens(_:_:)");

// xnu bsd/sys/dirent.h, __DARWIN_STRUCT_DIRENTRY with 64-bit inode numbers
struct IN_SWIFT("dirent") darwin_dirent {
    unsigned long long d_ino;
    unsigned long long d_seekoff;
    unsigned short d_reclen;
    unsigned short d_namlen;
    unsigned char d_type;
    char d_name[1024];
};
// Libc include/dirent.h
typedef struct IN_SWIFT("DIR") darwin_folder_stream {
    void *system;
    struct darwin_dirent entry;
} darwin_DIR;
// Libc include/dirent.h
darwin_DIR *darwin_fdopendir(int descriptor) IN_SWIFT("fdopendir(_:)");
// Libc include/dirent.h
struct darwin_dirent *darwin_readdir(darwin_DIR *stream) IN_SWIFT("readdir(_:)");
// Libc include/dirent.h
int darwin_closedir(darwin_DIR *stream) IN_SWIFT("closedir(_:)");

// Libc include/sys/statvfs.h
struct IN_SWIFT("statvfs") darwin_statvfs_record {
    unsigned long f_bsize;
    unsigned long f_frsize;
    unsigned int f_blocks;
    unsigned int f_bfree;
    unsigned int f_bavail;
    unsigned int f_files;
    unsigned int f_ffree;
    unsigned int f_favail;
    unsigned long f_fsid;
    unsigned long f_flag;
    unsigned long f_namemax;
};
// Libc include/sys/statvfs.h
int darwin_fstatvfs(int descriptor, struct darwin_statvfs_record *status) IN_SWIFT("fstatvfs(_:_:)");

// Libc include/_stdio.h
int darwin_rename(const char *from, const char *to) __asm__("rename") IN_SWIFT("rename(_:_:)");
// Libc include/unistd.h
int darwin_access(const char *path, int mode) __asm__("access") IN_SWIFT("access(_:_:)");
// Libc include/unistd.h
int darwin_chown(const char *path, darwin_uid_t user, darwin_gid_t group) __asm__("chown") IN_SWIFT("chown(_:_:_:)");
// Libc include/unistd.h
int darwin_close(int descriptor) __asm__("close") IN_SWIFT("close(_:)");
// Libc include/unistd.h
int darwin_fsync(int descriptor) __asm__("fsync") IN_SWIFT("fsync(_:)");
// Libc include/unistd.h
int darwin_link(const char *from, const char *to) __asm__("link") IN_SWIFT("link(_:_:)");
// Libc include/unistd.h
darwin_off_t darwin_lseek(int descriptor, darwin_off_t offset, int whence) __asm__("lseek") IN_SWIFT("lseek(_:_:_:)");
// Libc include/unistd.h
int darwin_pipe(int ends[2]) __asm__("pipe") IN_SWIFT("pipe(_:)");
// Libc include/unistd.h
long darwin_pread(int descriptor, void *bytes, size_t count, darwin_off_t offset) __asm__("pread")
    IN_SWIFT("pread(_:_:_:_:)");
// Libc include/unistd.h
long darwin_pwrite(int descriptor, const void *bytes, size_t count, darwin_off_t offset) __asm__("pwrite")
    IN_SWIFT("pwrite(_:_:_:_:)");
// Libc include/unistd.h
long darwin_read(int descriptor, void *bytes, size_t count) __asm__("read") IN_SWIFT("read(_:_:_:)");
// Libc include/unistd.h
int darwin_unlink(const char *path) __asm__("unlink") IN_SWIFT("unlink(_:)");
// Libc include/unistd.h
long darwin_write(int descriptor, const void *bytes, size_t count) __asm__("write") IN_SWIFT("write(_:_:_:)");
// Libc include/_stdlib.h
char *darwin_realpath(const char *path, char *resolved) __asm__("realpath") IN_SWIFT("realpath(_:_:)");
// xnu bsd/sys/fcntl.h
int darwin_flock(int descriptor, int operation) __asm__("flock") IN_SWIFT("flock(_:_:)");
// xnu bsd/sys/mman.h
void *darwin_mmap(void *address, size_t length, int protection, int flags, int descriptor, darwin_off_t offset)
    __asm__("mmap") IN_SWIFT("mmap(_:_:_:_:_:_:)");
// xnu bsd/sys/mman.h
int darwin_munmap(void *address, size_t length) __asm__("munmap") IN_SWIFT("munmap(_:_:)");

#endif
