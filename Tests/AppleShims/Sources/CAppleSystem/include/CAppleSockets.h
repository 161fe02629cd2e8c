#ifndef CAPPLESOCKETS_H
#define CAPPLESOCKETS_H

#include "CAppleTypes.h"

// xnu bsd/sys/socket.h
struct IN_SWIFT("sockaddr") darwin_sockaddr {
    unsigned char sa_len;
    darwin_sa_family_t sa_family;
    char sa_data[14];
};
// xnu bsd/netinet/in.h
struct IN_SWIFT("in_addr") darwin_in_addr {
    darwin_in_addr_t s_addr;
};
// xnu bsd/netinet/in.h
struct IN_SWIFT("sockaddr_in") darwin_sockaddr_in {
    unsigned char sin_len;
    darwin_sa_family_t sin_family;
    darwin_in_port_t sin_port;
    struct darwin_in_addr sin_addr;
    char sin_zero[8];
};
// xnu bsd/sys/un.h
struct IN_SWIFT("sockaddr_un") darwin_sockaddr_un {
    unsigned char sun_len;
    darwin_sa_family_t sun_family;
    char sun_path[104];
};
// xnu bsd/sys/socket.h
struct IN_SWIFT("linger") darwin_linger {
    int l_onoff;
    int l_linger;
};
// xnu bsd/sys/poll.h
struct IN_SWIFT("pollfd") darwin_pollfd {
    int fd;
    short events;
    short revents;
};

// xnu bsd/sys/socket.h
int darwin_accept(int socket, struct darwin_sockaddr *address, darwin_socklen_t *length) IN_SWIFT("accept(_:_:_:)");
// xnu bsd/sys/socket.h
int darwin_bind(int socket, const struct darwin_sockaddr *address, darwin_socklen_t length) IN_SWIFT("bind(_:_:_:)");
// xnu bsd/sys/socket.h
int darwin_connect(int socket, const struct darwin_sockaddr *address, darwin_socklen_t length)
    IN_SWIFT("connect(_:_:_:)");
// xnu bsd/sys/socket.h
int darwin_getsockname(int socket, struct darwin_sockaddr *address, darwin_socklen_t *length)
    IN_SWIFT("getsockname(_:_:_:)");
// xnu bsd/sys/socket.h: SO_NWRITE as well
int darwin_getsockopt(int socket, int level, int option, void *value, darwin_socklen_t *length)
    IN_SWIFT("getsockopt(_:_:_:_:_:)");
// xnu bsd/sys/socket.h: SO_NOSIGPIPE as well
int darwin_setsockopt(int socket, int level, int option, const void *value, darwin_socklen_t length)
    IN_SWIFT("setsockopt(_:_:_:_:_:)");
// xnu bsd/sys/socket.h
long darwin_send(int socket, const void *bytes, size_t count, int flags) IN_SWIFT("send(_:_:_:_:)");
// xnu bsd/sys/socket.h
int darwin_socket(int domain, int type, int protocol) IN_SWIFT("socket(_:_:_:)");
// xnu bsd/sys/socket.h
int darwin_listen(int socket, int backlog) __asm__("listen") IN_SWIFT("listen(_:_:)");
// xnu bsd/sys/socket.h
long darwin_recv(int socket, void *bytes, size_t count, int flags) __asm__("recv") IN_SWIFT("recv(_:_:_:_:)");
// xnu bsd/sys/socket.h
int darwin_shutdown(int socket, int how) __asm__("shutdown") IN_SWIFT("shutdown(_:_:)");
// xnu bsd/sys/poll.h
int darwin_poll(struct darwin_pollfd *descriptors, darwin_nfds_t count, int milliseconds) IN_SWIFT("poll(_:_:_:)");
// Libc include/arpa/inet.h
int darwin_inet_aton(const char *text, struct darwin_in_addr *address) __asm__("inet_aton") IN_SWIFT("inet_aton(_:_:)");
// Libc include/arpa/inet.h
int darwin_inet_pton(int family, const char *text, void *address) __asm__("inet_pton") IN_SWIFT("inet_pton(_:_:_:)");
// Libc include/arpa/inet.h
const char *darwin_inet_ntop(int family, const void *address, char *text, darwin_socklen_t bytes) __asm__("inet_ntop")
    IN_SWIFT("inet_ntop(_:_:_:_:)");

// Libinfo include/netdb.h, with the fields in Linux's order: an address in it is only for getnameinfo
struct IN_SWIFT("addrinfo") darwin_addrinfo {
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    darwin_socklen_t ai_addrlen;
    struct darwin_sockaddr *ai_addr;
    char *ai_canonname;
    struct darwin_addrinfo *ai_next;
};
// Libinfo include/netdb.h
int darwin_getaddrinfo(
    const char *host, const char *service, const struct darwin_addrinfo *hints, struct darwin_addrinfo **found)
    __asm__("getaddrinfo") IN_SWIFT("getaddrinfo(_:_:_:_:)");
// Libinfo include/netdb.h
void darwin_freeaddrinfo(struct darwin_addrinfo *found) __asm__("freeaddrinfo") IN_SWIFT("freeaddrinfo(_:)");
// Libinfo include/netdb.h
int darwin_getnameinfo(
    const struct darwin_sockaddr *address, darwin_socklen_t length, char *host, darwin_socklen_t hostBytes,
    char *service, darwin_socklen_t serviceBytes, int flags) __asm__("getnameinfo")
    IN_SWIFT("getnameinfo(_:_:_:_:_:_:_:)");

// xnu bsd/sys/socket.h; beside Linux's options, which end below 0x100
#define DARWIN_SO_NOSIGPIPE 0x1022
#define DARWIN_SO_NWRITE 0x1024

#endif
