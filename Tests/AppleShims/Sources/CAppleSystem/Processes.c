#define _GNU_SOURCE
#include "CAppleSystem.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int darwin_clock_gettime(darwin_clockid_t clock, struct darwin_timespec *time) {
    struct timespec now;
    if (clock != darwin_CLOCK_MONOTONIC_RAW) {
        errno = EINVAL;
        return -1;
    }
    // Darwin's raw clock goes on while the machine sleeps; Linux's one of that name does not.
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_nsec = now.tv_nsec;
    return 0;
}

// Not by another name: Glibc has it in the part that is linked statically.
int darwin_atexit(void (*handler)(void)) { return atexit(handler); }

static void fill(struct darwin_passwd *entry, const struct passwd *system) {
    memset(entry, 0, sizeof *entry);
    entry->pw_name = system->pw_name;
    entry->pw_passwd = system->pw_passwd;
    entry->pw_uid = system->pw_uid;
    entry->pw_gid = system->pw_gid;
    entry->pw_class = "";
    entry->pw_gecos = system->pw_gecos;
    entry->pw_dir = system->pw_dir;
    entry->pw_shell = system->pw_shell;
}

int darwin_getpwuid_r(
    darwin_uid_t user, struct darwin_passwd *entry, char *buffer, size_t size, struct darwin_passwd **found
) {
    struct passwd system, *result = NULL;
    int code = getpwuid_r(user, &system, buffer, size, &result);
    *found = NULL;
    if (code != 0 || !result) return code;
    fill(entry, &system);
    *found = entry;
    return 0;
}

struct darwin_passwd *darwin_getpwuid(darwin_uid_t user) {
    static _Thread_local struct darwin_passwd entry;
    struct passwd *system = getpwuid(user);
    if (!system) return NULL;
    fill(&entry, system);
    return &entry;
}

int darwin_sysctlbyname(const char *name, void *old, size_t *old_size, void *new_value, size_t new_size) {
    // 36 characters, as Darwin has it in upper case, and the terminating zero.
    char identifier[37] = "";
    if (strcmp(name, "kern.bootsessionuuid") != 0) {
        errno = ENOENT;
        return -1;
    }
    if (new_value || new_size) {
        errno = EPERM;
        return -1;
    }
    int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    ssize_t count = read(descriptor, identifier, sizeof identifier - 1);
    close(descriptor);
    if (count != sizeof identifier - 1) {
        errno = EIO;
        return -1;
    }
    for (size_t index = 0; index < sizeof identifier; index++) identifier[index] = (char)toupper(identifier[index]);
    size_t room = old ? *old_size : 0;
    *old_size = sizeof identifier;
    if (!old) return 0;
    if (room < sizeof identifier) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(old, identifier, sizeof identifier);
    return 0;
}
