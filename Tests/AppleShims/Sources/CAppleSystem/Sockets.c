#define _GNU_SOURCE
#include "CAppleSystem.h"

#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/// The sockets that do not raise SIGPIPE, by descriptor: Linux asks at each send instead. A descriptor beyond the
/// table raises it.
static atomic_bool silent[1 << 16];

static int has_place(int descriptor) { return descriptor >= 0 && descriptor < (int)(sizeof silent / sizeof *silent); }

static int is_silent(int descriptor) { return has_place(descriptor) && atomic_load(&silent[descriptor]); }

static void set_silent(int descriptor, int value) {
    if (has_place(descriptor)) atomic_store(&silent[descriptor], value != 0);
}

/// Darwin's length and family are in the place of Linux's family.
static int linux_address(const struct darwin_sockaddr *from, darwin_socklen_t length, struct sockaddr_storage *to) {
    if (length > sizeof *to || length < sizeof(struct darwin_sockaddr)) {
        errno = EINVAL;
        return -1;
    }
    memcpy(to, from, length);
    to->ss_family = from->sa_family;
    return 0;
}

static void darwin_address(const struct sockaddr_storage *from, socklen_t full, struct darwin_sockaddr *to,
                           darwin_socklen_t *length) {
    if (!to || !length) return;
    struct sockaddr_storage copy = *from;
    struct darwin_sockaddr *head = (struct darwin_sockaddr *)&copy;
    head->sa_family = (darwin_sa_family_t)from->ss_family;
    head->sa_len = (unsigned char)full;
    memcpy(to, &copy, *length < full ? *length : full);
    *length = full;
}

int darwin_socket(int domain, int type, int protocol) {
    int descriptor = socket(domain, type, protocol);
    set_silent(descriptor, 0);
    return descriptor;
}

int darwin_accept(int listener, struct darwin_sockaddr *address, darwin_socklen_t *length) {
    struct sockaddr_storage peer = {0};
    socklen_t full = sizeof peer;
    int descriptor = accept(listener, (struct sockaddr *)&peer, &full);
    if (descriptor < 0) return descriptor;
    // xnu bsd/kern/uipc_socket2.c: an accepted socket inherits SOF_NOSIGPIPE.
    set_silent(descriptor, is_silent(listener));
    darwin_address(&peer, full, address, length);
    return descriptor;
}

int darwin_bind(int descriptor, const struct darwin_sockaddr *address, darwin_socklen_t length) {
    struct sockaddr_storage system = {0};
    if (linux_address(address, length, &system) != 0) return -1;
    return bind(descriptor, (struct sockaddr *)&system, length);
}

int darwin_connect(int descriptor, const struct darwin_sockaddr *address, darwin_socklen_t length) {
    struct sockaddr_storage system = {0};
    if (linux_address(address, length, &system) != 0) return -1;
    return connect(descriptor, (struct sockaddr *)&system, length);
}

int darwin_getsockname(int descriptor, struct darwin_sockaddr *address, darwin_socklen_t *length) {
    struct sockaddr_storage own = {0};
    socklen_t full = sizeof own;
    if (getsockname(descriptor, (struct sockaddr *)&own, &full) != 0) return -1;
    darwin_address(&own, full, address, length);
    return 0;
}

int darwin_getsockopt(int descriptor, int level, int option, void *value, darwin_socklen_t *length) {
    if (level != SOL_SOCKET || option != DARWIN_SO_NWRITE) {
        return getsockopt(descriptor, level, option, value, length);
    }
    if (*length < sizeof(int)) {
        errno = EINVAL;
        return -1;
    }
    *length = sizeof(int);
    return ioctl(descriptor, SIOCOUTQ, value);
}

int darwin_setsockopt(int descriptor, int level, int option, const void *value, darwin_socklen_t length) {
    if (level != SOL_SOCKET || option != DARWIN_SO_NOSIGPIPE) {
        return setsockopt(descriptor, level, option, value, length);
    }
    if (length != sizeof(int)) {
        errno = EINVAL;
        return -1;
    }
    set_silent(descriptor, *(const int *)value);
    return 0;
}

long darwin_send(int descriptor, const void *bytes, size_t count, int flags) {
    return send(descriptor, bytes, count, is_silent(descriptor) ? flags | MSG_NOSIGNAL : flags);
}

int darwin_poll(struct darwin_pollfd *descriptors, darwin_nfds_t count, int milliseconds) {
    return poll((struct pollfd *)descriptors, count, milliseconds);
}
