#define _GNU_SOURCE
#include "CBackgroundWorkLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

int bgw_local_socket(int is_nonblocking) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (is_nonblocking ? SOCK_NONBLOCK : 0), 0);
}

int bgw_peer_credentials(int socket, uid_t *uid, pid_t *pid) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *uid = credentials.uid;
    *pid = credentials.pid;
    return 0;
}

int bgw_spawn_detached(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                       const char *directory, int output, int inherited) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }

    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // posix_spawn carries the actions out in this order: `inherited` is moved out of the way of 0, 1 and 2 by its
    // owner (descriptors it opens are above 2), and adddup2 clears close-on-exec on the copies only.
    if (!failure) failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (!failure && inherited >= 0) failure = posix_spawn_file_actions_adddup2(&actions, inherited, 3);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, inherited >= 0 ? 4 : 3);
    if (!failure) failure = posix_spawn_file_actions_addchdir_np(&actions, directory);
    if (!failure) failure = posix_spawnattr_setsigmask(&attributes, &none);
    if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!failure)
        failure = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!failure) failure = posix_spawn(pid, path, &actions, &attributes, arguments, environment);

    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int bgw_begin_writeback(int file, int64_t offset, int64_t bytes) {
    return sync_file_range(file, offset, bytes, SYNC_FILE_RANGE_WRITE);
}

int bgw_wait_for_writeback(int file) {
    return sync_file_range(file, 0, 0,
                           SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

int bgw_sync_file_system(int file) { return syncfs(file); }

int64_t bgw_file_system_type(int file) {
    struct statfs status;
    if (fstatfs(file, &status) != 0) return -1;
    return (int64_t)status.f_type;
}

int bgw_rename_to_free_name(int folder, const char *source, int target_folder, const char *target) {
#if defined(__GLIBC__)
    return renameat2(folder, source, target_folder, target, RENAME_NOREPLACE);
#else
    return (int)syscall(SYS_renameat2, folder, source, target_folder, target, 1 /* RENAME_NOREPLACE */);
#endif
}


int bgw_signal_descriptor(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int bgw_read_signal(int descriptor) {
    struct signalfd_siginfo info;
    ssize_t bytes = read(descriptor, &info, sizeof info);
    return bytes == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int bgw_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
int bgw_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int bgw_interest_descriptor(void) { return epoll_create1(EPOLL_CLOEXEC); }

int bgw_interest_set(int interest, int descriptor, int before, int now) {
    struct epoll_event event = {.data.fd = descriptor};
    if (now & BGW_INTEREST_READ) event.events |= EPOLLIN;
    if (now & BGW_INTEREST_WRITE) event.events |= EPOLLOUT;
    int operation = now == 0 ? EPOLL_CTL_DEL : before == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    return epoll_ctl(interest, operation, descriptor, &event);
}

int bgw_interest_ready(int interest, int *descriptors, int most) {
    struct epoll_event events[64];
    int count = epoll_wait(interest, events, most < 64 ? most : 64, 0);
    for (int index = 0; index < count; index++) descriptors[index] = events[index].data.fd;
    return count < 0 ? 0 : count;
}

int bgw_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL); }

int bgw_alarm_descriptor(void) { return timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

int bgw_alarm_set(int descriptor, int64_t milliseconds) {
    struct itimerspec alarm = {0};
    int flags = 0;
    if (milliseconds > 0) {
        flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
        alarm.it_value.tv_sec = milliseconds / 1000;
        alarm.it_value.tv_nsec = milliseconds % 1000 * 1000000;
    }
    int answer;
    // ECANCELED means that the clock was set since the last read; the next call succeeds.
    do answer = timerfd_settime(descriptor, flags, &alarm, NULL);
    while (answer != 0 && errno == ECANCELED);
    return answer;
}

int bgw_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int bgw_process_descriptor(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int bgw_netlink_open(int protocol, uint32_t groups) {
    int opened = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    if (opened < 0) return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    if (bind(opened, (struct sockaddr *)&address, sizeof address) == 0) return opened;
    int code = errno;
    close(opened);
    errno = code;
    return -1;
}

int bgw_netlink_request_dump(int socket, uint16_t type) {
    struct {
        struct nlmsghdr header;
        union {
            struct rtmsg route;
            struct ifinfomsg link;
        } body;  // all zeros: every family
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = NLMSG_LENGTH(type == RTM_GETROUTE ? sizeof(struct rtmsg) : sizeof(struct ifinfomsg));
    request.header.nlmsg_type = type;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = 1;
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent =
        sendto(socket, &request, request.header.nlmsg_len, 0, (struct sockaddr *)&kernel, sizeof kernel);
    return sent == (ssize_t)request.header.nlmsg_len ? 0 : -1;
}

ssize_t bgw_netlink_receive(int socket, void *buffer, size_t size, uint32_t *sender) {
    struct sockaddr_nl address = {0};
    struct iovec part = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1};
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_DONTWAIT);
    while (received < 0 && errno == EINTR);
    if (received >= 0 && (message.msg_flags & MSG_TRUNC)) {
        errno = EMSGSIZE;
        return -1;
    }
    *sender = address.nl_pid;
    return received;
}
static int give_back_program(struct dl_phdr_info *program, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        // A writable part holds relocated addresses; they are nowhere else.
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        uintptr_t first = (program->dlpi_addr + part->p_vaddr + page - 1) & ~(page - 1);
        uintptr_t end = (program->dlpi_addr + part->p_vaddr + part->p_filesz) & ~(page - 1);
        if (end > first) madvise((void *)first, end - first, MADV_DONTNEED);
    }
    // The program comes first; its libraries are shared with others.
    return 1;
}

void bgw_give_back_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    dl_iterate_phdr(give_back_program, NULL);
}

int bgw_create_unnamed(int folder) {
    if (access("/proc/self/fd", X_OK) != 0) return -1;
    return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

int bgw_name_file(int file, int folder, const char *name) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

static locale_t utf8;

static void make_utf8(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

void bgw_read_names_as_utf8(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_utf8);
    if (utf8) uselocale(utf8);
}
