#ifndef CAPPLEPROCESSES_H
#define CAPPLEPROCESSES_H

#include "CAppleTypes.h"

// Libc include/_time.h
typedef enum IN_SWIFT("clockid_t") {
    darwin_CLOCK_MONOTONIC_RAW IN_SWIFT("CLOCK_MONOTONIC_RAW") = 4
} darwin_clockid_t;
// Libc include/_time.h
int darwin_clock_gettime(darwin_clockid_t clock, struct darwin_timespec *time) IN_SWIFT("clock_gettime(_:_:)");
// Libc include/_time.h
struct IN_SWIFT("tm") darwin_tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    char *tm_zone;
};
// Libc include/_time.h
struct darwin_tm *darwin_gmtime_r(const darwin_time_t *time, struct darwin_tm *parts) __asm__("gmtime_r")
    IN_SWIFT("gmtime_r(_:_:)");
// Libc include/_time.h
struct darwin_tm *darwin_localtime_r(const darwin_time_t *time, struct darwin_tm *parts) __asm__("localtime_r")
    IN_SWIFT("localtime_r(_:_:)");
// Libc include/_time.h
darwin_time_t darwin_mktime(struct darwin_tm *parts) __asm__("mktime") IN_SWIFT("mktime(_:)");
// Libc include/_time.h
int darwin_nanosleep(const struct darwin_timespec *time, struct darwin_timespec *left) __asm__("nanosleep")
    IN_SWIFT("nanosleep(_:_:)");
// Libc include/unistd.h
unsigned int darwin_sleep(unsigned int seconds) __asm__("sleep") IN_SWIFT("sleep(_:)");
// Libc include/unistd.h
int darwin_usleep(darwin_useconds_t microseconds) __asm__("usleep") IN_SWIFT("usleep(_:)");

// Libc include/unistd.h
void darwin_exit(int status) __attribute__((noreturn)) __asm__("_exit") IN_SWIFT("_exit(_:)");
// Libc include/unistd.h
darwin_uid_t darwin_geteuid(void) __asm__("geteuid") IN_SWIFT("geteuid()");
// Libc include/unistd.h
darwin_pid_t darwin_getpid(void) __asm__("getpid") IN_SWIFT("getpid()");
// Libc include/signal.h
int darwin_kill(darwin_pid_t process, int signal) __asm__("kill") IN_SWIFT("kill(_:_:)");
// Libc include/signal.h
int darwin_raise(int signal) __asm__("raise") IN_SWIFT("raise(_:)");
// xnu bsd/sys/signal.h
void (*darwin_signal(int signal, void (*handler)(int)))(int) __asm__("signal") IN_SWIFT("signal(_:_:)");
// xnu bsd/sys/wait.h
darwin_pid_t darwin_waitpid(darwin_pid_t process, int *status, int options) __asm__("waitpid")
    IN_SWIFT("waitpid(_:_:_:)");

// xnu bsd/sys/resource.h
struct IN_SWIFT("rlimit") darwin_rlimit {
    darwin_rlim_t rlim_cur;
    darwin_rlim_t rlim_max;
};
// xnu bsd/sys/resource.h: the first argument is an Int32, not an enumeration
int darwin_getrlimit(int resource, struct darwin_rlimit *limit) __asm__("getrlimit") IN_SWIFT("getrlimit(_:_:)");
// xnu bsd/sys/resource.h
int darwin_setrlimit(int resource, const struct darwin_rlimit *limit) __asm__("setrlimit") IN_SWIFT("setrlimit(_:_:)");

// xnu bsd/sys/sysctl.h: knows kern.bootsessionuuid only
int darwin_sysctlbyname(const char *name, void *old, size_t *old_size, void *new_value, size_t new_size)
    IN_SWIFT("sysctlbyname(_:_:_:_:_:)");

// Libinfo lookup.subproj/pwd.h
struct IN_SWIFT("passwd") darwin_passwd {
    char *pw_name;
    char *pw_passwd;
    darwin_uid_t pw_uid;
    darwin_gid_t pw_gid;
    darwin_time_t pw_change;
    char *pw_class;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
    darwin_time_t pw_expire;
};
// Libinfo lookup.subproj/pwd.h
int darwin_getpwuid_r(
    darwin_uid_t user, struct darwin_passwd *entry, char *buffer, size_t size, struct darwin_passwd **found
) IN_SWIFT("getpwuid_r(_:_:_:_:_:)");
// Libinfo lookup.subproj/pwd.h
struct darwin_passwd *darwin_getpwuid(darwin_uid_t user) IN_SWIFT("getpwuid(_:)");
// Libinfo lookup.subproj/grp.h
struct IN_SWIFT("group") darwin_group {
    char *gr_name;
    char *gr_passwd;
    darwin_gid_t gr_gid;
    char **gr_mem;
};
// Libinfo lookup.subproj/grp.h
int darwin_getgrgid_r(
    darwin_gid_t number, struct darwin_group *entry, char *buffer, size_t size, struct darwin_group **found
) __asm__("getgrgid_r") IN_SWIFT("getgrgid_r(_:_:_:_:_:)");
// Libinfo lookup.subproj/grp.h
struct darwin_group *darwin_getgrgid(darwin_gid_t number) __asm__("getgrgid") IN_SWIFT("getgrgid(_:)");

// Libc include/_stdio.h, struct __sFILE: a complete structure, so that Swift has UnsafeMutablePointer<FILE>
typedef struct darwin_file_record {
    unsigned char *_p;
} darwin_FILE IN_SWIFT("FILE");
// Libc include/_stdio.h: only for all files, with a null pointer
int darwin_fflush(darwin_FILE *file) __asm__("fflush") IN_SWIFT("fflush(_:)");
// libmalloc include/malloc/_malloc.h
void darwin_free(void *memory) __asm__("free") IN_SWIFT("free(_:)");
// Libc include/_stdlib.h
char *darwin_getenv(const char *name) __asm__("getenv") IN_SWIFT("getenv(_:)");
// Libc include/_string.h
int darwin_memcmp(const void *first, const void *second, size_t count) __asm__("memcmp") IN_SWIFT("memcmp(_:_:_:)");
// Libc include/_string.h
char *darwin_strerror(int code) __asm__("strerror") IN_SWIFT("strerror(_:)");

#endif
