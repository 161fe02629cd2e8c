import CAppleSystem
import Glibc

// The values are Glibc's, since its functions take them; the types are those that Swift gives Darwin's macros.

/// xnu bsd/sys/fcntl.h
public var O_RDONLY: Int32 { Glibc.O_RDONLY }
/// xnu bsd/sys/fcntl.h
public var O_WRONLY: Int32 { Glibc.O_WRONLY }
/// xnu bsd/sys/fcntl.h
public var O_RDWR: Int32 { Glibc.O_RDWR }
/// xnu bsd/sys/fcntl.h
public var O_APPEND: Int32 { Glibc.O_APPEND }
/// xnu bsd/sys/fcntl.h
public var O_CREAT: Int32 { Glibc.O_CREAT }
/// xnu bsd/sys/fcntl.h
public var O_EXCL: Int32 { Glibc.O_EXCL }
/// xnu bsd/sys/fcntl.h
public var O_TRUNC: Int32 { Glibc.O_TRUNC }
/// xnu bsd/sys/fcntl.h
public var O_NONBLOCK: Int32 { Glibc.O_NONBLOCK }
/// xnu bsd/sys/fcntl.h
public var O_NOFOLLOW: Int32 { Glibc.O_NOFOLLOW }
/// xnu bsd/sys/fcntl.h
public var O_NOFOLLOW_ANY: Int32 { DARWIN_O_NOFOLLOW_ANY }
/// xnu bsd/sys/fcntl.h
public var O_NOCTTY: Int32 { Glibc.O_NOCTTY }
/// xnu bsd/sys/fcntl.h
public var O_DIRECTORY: Int32 { Glibc.O_DIRECTORY }
/// xnu bsd/sys/fcntl.h
public var O_CLOEXEC: Int32 { Glibc.O_CLOEXEC }
/// xnu bsd/sys/fcntl.h: without a counterpart; Linux ignores this bit (O_LARGEFILE), and the file is opened for reading
public var O_EVTONLY: Int32 { 0x8000 }
/// xnu bsd/sys/fcntl.h
public var F_SETFD: Int32 { Glibc.F_SETFD }
/// xnu bsd/sys/fcntl.h
public var FD_CLOEXEC: Int32 { Glibc.FD_CLOEXEC }
/// xnu bsd/sys/fcntl.h
public var AT_FDCWD: Int32 { Glibc.AT_FDCWD }
/// xnu bsd/sys/fcntl.h
public var AT_SYMLINK_NOFOLLOW: Int32 { Glibc.AT_SYMLINK_NOFOLLOW }
/// xnu bsd/sys/fcntl.h
public var AT_REMOVEDIR: Int32 { Glibc.AT_REMOVEDIR }
/// xnu bsd/sys/dirent.h
public var DT_DIR: Int32 { Int32(Glibc.DT_DIR) }
/// xnu bsd/sys/dirent.h
public var DT_REG: Int32 { Int32(Glibc.DT_REG) }
/// xnu bsd/sys/dirent.h
public var DT_LNK: Int32 { Int32(Glibc.DT_LNK) }
/// xnu bsd/sys/fcntl.h
public var LOCK_EX: Int32 { Glibc.LOCK_EX }
/// xnu bsd/sys/fcntl.h
public var LOCK_NB: Int32 { Glibc.LOCK_NB }
/// xnu bsd/sys/fcntl.h
public var LOCK_UN: Int32 { Glibc.LOCK_UN }
/// xnu bsd/sys/unistd.h
public var F_OK: Int32 { Glibc.F_OK }
/// xnu bsd/sys/unistd.h
public var R_OK: Int32 { Glibc.R_OK }
/// xnu bsd/sys/unistd.h
public var W_OK: Int32 { Glibc.W_OK }
/// xnu bsd/sys/unistd.h
public var X_OK: Int32 { Glibc.X_OK }
/// xnu bsd/sys/_types/_seek_set.h
public var SEEK_CUR: Int32 { Glibc.SEEK_CUR }
/// Libc include/unistd.h
public var STDERR_FILENO: Int32 { Glibc.STDERR_FILENO }
/// xnu bsd/sys/stdio.h
public var RENAME_EXCL: Int32 { DARWIN_RENAME_EXCL }
/// xnu bsd/sys/mman.h
public var MAP_SHARED: Int32 { Glibc.MAP_SHARED }
/// xnu bsd/sys/mman.h
public var PROT_READ: Int32 { Glibc.PROT_READ }
/// swiftlang/swift stdlib/public/Darwin/Darwin.swift.gyb
public var MAP_FAILED: UnsafeMutableRawPointer! { UnsafeMutableRawPointer(bitPattern: -1) }

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFMT: UInt16 { 0o170000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFIFO: UInt16 { 0o010000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFCHR: UInt16 { 0o020000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFDIR: UInt16 { 0o040000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFBLK: UInt16 { 0o060000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFREG: UInt16 { 0o100000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFLNK: UInt16 { 0o120000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IFSOCK: UInt16 { 0o140000 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IWGRP: UInt16 { 0o000020 }
/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var S_IWOTH: UInt16 { 0o000002 }

/// xnu bsd/sys/socket.h
public var AF_INET: Int32 { Glibc.AF_INET }
/// xnu bsd/sys/socket.h
public var AF_INET6: Int32 { Glibc.AF_INET6 }
/// xnu bsd/netinet6/in6.h
public var INET6_ADDRSTRLEN: Int32 { Int32(Glibc.INET6_ADDRSTRLEN) }
/// Libinfo include/netdb.h
public var NI_NUMERICHOST: Int32 { Int32(Glibc.NI_NUMERICHOST) }
/// xnu bsd/sys/socket.h
public var AF_UNIX: Int32 { Glibc.AF_UNIX }
/// xnu bsd/sys/socket.h
public var SOL_SOCKET: Int32 { Glibc.SOL_SOCKET }
/// xnu bsd/sys/socket.h
public var SO_LINGER: Int32 { Glibc.SO_LINGER }
/// xnu bsd/sys/socket.h
public var SO_REUSEADDR: Int32 { Glibc.SO_REUSEADDR }
/// xnu bsd/sys/socket.h
public var SO_SNDBUF: Int32 { Glibc.SO_SNDBUF }
/// xnu bsd/sys/socket.h
public var SOCK_STREAM: Int32 { Int32(Glibc.SOCK_STREAM.rawValue) }
/// xnu bsd/sys/socket.h
public var SHUT_WR: Int32 { Int32(Glibc.SHUT_WR) }
/// xnu bsd/sys/socket.h
public var SHUT_RDWR: Int32 { Int32(Glibc.SHUT_RDWR) }
/// xnu bsd/sys/socket.h
public var SO_NOSIGPIPE: Int32 { DARWIN_SO_NOSIGPIPE }
/// xnu bsd/sys/socket.h
public var SO_NWRITE: Int32 { DARWIN_SO_NWRITE }
/// xnu bsd/netinet/in.h
public var IPPROTO_TCP: Int32 { Int32(Glibc.IPPROTO_TCP) }
/// xnu bsd/netinet/tcp.h
public var TCP_NODELAY: Int32 { Glibc.TCP_NODELAY }
/// xnu bsd/sys/poll.h
public var POLLIN: Int32 { Glibc.POLLIN }

/// xnu bsd/sys/resource.h
public var RLIMIT_NOFILE: Int32 { Int32(Glibc.RLIMIT_NOFILE.rawValue) }
/// xnu bsd/sys/syslimits.h: Glibc has none, so this is Darwin's
public var OPEN_MAX: Int32 { 10240 }
/// xnu bsd/sys/signal.h
public var SIGINT: Int32 { Glibc.SIGINT }
/// xnu bsd/sys/signal.h
public var SIGKILL: Int32 { Glibc.SIGKILL }
/// xnu bsd/sys/signal.h
public var SIGTERM: Int32 { Glibc.SIGTERM }
/// xnu bsd/sys/wait.h
public var WUNTRACED: Int32 { Glibc.WUNTRACED }
