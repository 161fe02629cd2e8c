#ifndef CBACKGROUNDWORK_LINUX_H
#define CBACKGROUNDWORK_LINUX_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <sys/types.h>

#include "NetworkManager.h"
#include "SharedLibrary.h"

/// A stream socket of the family AF_UNIX, close-on-exec, and non-blocking if `is_nonblocking`. -1 with errno set.
///
/// Here because the names of its flags come from <sys/socket.h>, which curl.h includes as well: which of the two modules
/// Swift finds them in depends on the order of files.
int bgw_local_socket(int is_nonblocking);

/// The uid and pid of the process at the other end of a Unix socket (SO_PEERCRED, unix(7)).
/// Returns 0, or -1 with errno set.
int bgw_peer_credentials(int socket, uid_t *uid, pid_t *pid);

/// Starts a program in a session of its own, with an empty signal mask and default signal handlers, `directory` as
/// its working folder, standard input from /dev/null, standard output and error to `output`, `inherited` (or -1)
/// as descriptor 3, and every other descriptor closed. Returns 0, or the error number.
int bgw_spawn_detached(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                       const char *directory, int output, int inherited);

/// sync_file_range(2) with SYNC_FILE_RANGE_WRITE: starts write-back of a range and does not wait for it.
int bgw_begin_writeback(int file, int64_t offset, int64_t bytes);
/// sync_file_range(2) over the whole file, waiting: unwritten data is written now, and an error of an earlier
/// write-back is reported. It is not an fsync: neither the file's length is written nor the disk's own cache flushed.
/// Returns 0, or -1 with errno set.
int bgw_wait_for_writeback(int file);
/// syncfs(2): the whole file system that the open file or folder lies on. Returns 0, or -1 with errno set.
int bgw_sync_file_system(int file);
/// The type of the file system that the open file or folder lies on (fstatfs(2), `f_type`), or -1 with errno set.
int64_t bgw_file_system_type(int file);

/// A new file in a folder, without a name, for reading and writing (O_TMPFILE, open(2)), with the permissions of any new file. -1 with
/// errno set where the volume has no such files, or /proc is missing, by which they get a name.
int bgw_create_unnamed(int folder);
/// Gives such a file a name in the folder. 0, or -1 with errno set.
int bgw_name_file(int file, int folder, const char *name);

/// From here on this thread takes names that are not ASCII for UTF-8, whatever the process's locale is: libcurl asks for
/// that when it encodes the name of a host (IDN).
void bgw_read_names_as_utf8(void);

/// renameat2(2) with RENAME_NOREPLACE: 0, or -1 with errno set: EEXIST when `target` exists, EINVAL or ENOSYS where the
/// volume or the kernel cannot do it.
int bgw_rename_to_free_name(int folder, const char *source, int target_folder, const char *target);

/// Opens an absolute path, close-on-exec, in which no component is a link: by openat2(2), or where the kernel does not
/// have it (before 5.6) component by component. -1 with errno set: ELOOP or ENOTDIR for a link.
int bgw_open_without_links(const char *path, int flags);
/// The same, component by component.
int bgw_walk_without_links(const char *path, int flags);
/// The same for a folder, with O_PATH: it need not be readable.
int bgw_open_folder_without_links(const char *path);
/// A folder in an open folder, with O_PATH; -1 with errno ENOTDIR for a link.
int bgw_open_subfolder(int folder, const char *name);

/// A signalfd(2), non-blocking and close-on-exec, for the signals given; they are blocked in the calling thread.
int bgw_signal_descriptor(const int *signals, int count);

/// Reads one signal number from a signalfd; 0 when none is waiting.
int bgw_read_signal(int descriptor);

/// pipe2(2) with O_CLOEXEC: `ends[0]` is read from, `ends[1]` written to.
int bgw_pipe(int ends[2]);
/// An eventfd(2), non-blocking and close-on-exec: eight bytes written from any thread wake the poller.
int bgw_event_descriptor(void);

/// An epoll(7) descriptor, close-on-exec: readable while one of the descriptors in it is ready. -1 with errno set.
int bgw_interest_descriptor(void);
enum { BGW_INTEREST_READ = 1, BGW_INTEREST_WRITE = 2 };
/// Changes what is waited for of a descriptor; 0 for nothing. Returns 0, or -1 with errno set.
int bgw_interest_set(int interest, int descriptor, int before, int now);
/// Those that are ready, 64 at most, without waiting. Returns how many.
int bgw_interest_ready(int interest, int *descriptors, int most);

/// pidfd_open(2), close-on-exec: becomes readable when the process has ended. -1 with errno where it is not supported.
int bgw_process_descriptor(pid_t pid);

/// PR_SET_CHILD_SUBREAPER, prctl(2): from now on descendants of this process that lose their parent become its children.
/// Returns 0, or -1 with errno set.
int bgw_adopt_orphans(void);

/// A timerfd(2) on the wall clock, non-blocking and close-on-exec, not set to any instant.
int bgw_alarm_descriptor(void);
/// Makes the descriptor ready at an instant, in milliseconds since 1970, and whenever the clock is set. 0 or less turns
/// it off. Returns 0, or -1 with errno set.
int bgw_alarm_set(int descriptor, int64_t milliseconds);

/// accept4(2), non-blocking and close-on-exec.
int bgw_accept(int socket);

/// A netlink(7) socket, non-blocking and close-on-exec, that receives `groups` (RTMGRP_… or 0). -1 with errno set.
int bgw_netlink_open(int protocol, uint32_t groups);
/// Asks for all links (RTM_GETLINK) or all routes of every family (RTM_GETROUTE). 0, or -1 with errno set.
int bgw_netlink_request_dump(int socket, uint16_t type);
/// One datagram of the kernel: its length, or -1 with errno set: EAGAIN when none is waiting, EMSGSIZE when it did not
/// fit. `sender` is 0 when it comes from the kernel.
ssize_t bgw_netlink_receive(int socket, void *buffer, size_t size, uint32_t *sender);

/// Releases memory that this process does not need while idle: free heap (malloc_trim(3)), and the read-only mapped
/// pages of the program's file, which are mapped again from the page cache when accessed.
void bgw_give_back_memory(void);

#endif
