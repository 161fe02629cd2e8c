#ifndef CAPPLETYPES_H
#define CAPPLETYPES_H

#define IN_SWIFT(name) __attribute__((swift_name(name)))

// Swift knows this one by its C name, and makes an Int of it, as on Darwin.
typedef __SIZE_TYPE__ size_t;

// xnu bsd/sys/_types.h, __darwin_mode_t
typedef unsigned short darwin_mode_t IN_SWIFT("mode_t");
// xnu bsd/sys/_types.h, __darwin_dev_t
typedef int darwin_dev_t IN_SWIFT("dev_t");
// xnu bsd/sys/_types/_nlink_t.h
typedef unsigned short darwin_nlink_t IN_SWIFT("nlink_t");
// xnu bsd/sys/_types.h, __darwin_ino64_t
typedef unsigned long long darwin_ino_t IN_SWIFT("ino_t");
// xnu bsd/sys/_types.h, __darwin_off_t
typedef long long darwin_off_t IN_SWIFT("off_t");
// xnu bsd/sys/_types.h, __darwin_blkcnt_t
typedef long long darwin_blkcnt_t IN_SWIFT("blkcnt_t");
// xnu bsd/sys/_types.h, __darwin_blksize_t
typedef int darwin_blksize_t IN_SWIFT("blksize_t");
// xnu bsd/sys/_types.h, __darwin_uid_t
typedef unsigned int darwin_uid_t IN_SWIFT("uid_t");
// xnu bsd/sys/_types.h, __darwin_gid_t
typedef unsigned int darwin_gid_t IN_SWIFT("gid_t");
// xnu bsd/sys/_types.h, __darwin_pid_t
typedef int darwin_pid_t IN_SWIFT("pid_t");
// xnu bsd/sys/_types.h, __darwin_useconds_t
typedef unsigned int darwin_useconds_t IN_SWIFT("useconds_t");
// xnu bsd/arm/_types.h, __darwin_time_t
typedef long darwin_time_t IN_SWIFT("time_t");
// xnu bsd/arm/_types.h, __darwin_socklen_t
typedef unsigned int darwin_socklen_t IN_SWIFT("socklen_t");
// xnu bsd/sys/_types/_sa_family_t.h
typedef unsigned char darwin_sa_family_t IN_SWIFT("sa_family_t");
// xnu bsd/sys/_types/_in_port_t.h
typedef unsigned short darwin_in_port_t IN_SWIFT("in_port_t");
// xnu bsd/sys/_types/_in_addr_t.h
typedef unsigned int darwin_in_addr_t IN_SWIFT("in_addr_t");
// xnu bsd/sys/resource.h
typedef unsigned long long darwin_rlim_t IN_SWIFT("rlim_t");
// xnu bsd/sys/poll.h
typedef unsigned int darwin_nfds_t IN_SWIFT("nfds_t");

// xnu bsd/sys/_types/_timespec.h
struct IN_SWIFT("timespec") darwin_timespec {
    darwin_time_t tv_sec;
    long tv_nsec;
};

#endif
