import Glibc

// The numbers are Glibc's, since its functions set them.

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public var errno: Int32 {
    get { Glibc.errno }
    set { Glibc.errno = newValue }
}

/// xnu bsd/sys/errno.h
public var EACCES: Int32 { Glibc.EACCES }
/// xnu bsd/sys/errno.h
public var EAGAIN: Int32 { Glibc.EAGAIN }
/// xnu bsd/sys/errno.h
public var EBUSY: Int32 { Glibc.EBUSY }
/// xnu bsd/sys/errno.h
public var ECONNABORTED: Int32 { Glibc.ECONNABORTED }
/// xnu bsd/sys/errno.h
public var ECONNRESET: Int32 { Glibc.ECONNRESET }
/// xnu bsd/sys/errno.h
public var EDQUOT: Int32 { Glibc.EDQUOT }
/// xnu bsd/sys/errno.h
public var EEXIST: Int32 { Glibc.EEXIST }
/// xnu bsd/sys/errno.h
public var EFBIG: Int32 { Glibc.EFBIG }
/// xnu bsd/sys/errno.h
public var EINTR: Int32 { Glibc.EINTR }
/// xnu bsd/sys/errno.h
public var EINVAL: Int32 { Glibc.EINVAL }
/// xnu bsd/sys/errno.h
public var EIO: Int32 { Glibc.EIO }
/// xnu bsd/sys/errno.h
public var EISDIR: Int32 { Glibc.EISDIR }
/// xnu bsd/sys/errno.h
public var ELOOP: Int32 { Glibc.ELOOP }
/// xnu bsd/sys/errno.h
public var EMFILE: Int32 { Glibc.EMFILE }
/// xnu bsd/sys/errno.h
public var ENAMETOOLONG: Int32 { Glibc.ENAMETOOLONG }
/// xnu bsd/sys/errno.h
public var ENFILE: Int32 { Glibc.ENFILE }
/// xnu bsd/sys/errno.h
public var ENOBUFS: Int32 { Glibc.ENOBUFS }
/// xnu bsd/sys/errno.h
public var ENODEV: Int32 { Glibc.ENODEV }
/// xnu bsd/sys/errno.h
public var ENOENT: Int32 { Glibc.ENOENT }
/// xnu bsd/sys/errno.h
public var ENOMEM: Int32 { Glibc.ENOMEM }
/// xnu bsd/sys/errno.h
public var ENOSPC: Int32 { Glibc.ENOSPC }
/// xnu bsd/sys/errno.h
public var ENOSYS: Int32 { Glibc.ENOSYS }
/// xnu bsd/sys/errno.h
public var ENOTDIR: Int32 { Glibc.ENOTDIR }
/// xnu bsd/sys/errno.h
public var ENOTEMPTY: Int32 { Glibc.ENOTEMPTY }
/// xnu bsd/sys/errno.h
public var ENOTSUP: Int32 { Glibc.ENOTSUP }
/// xnu bsd/sys/errno.h
public var ENXIO: Int32 { Glibc.ENXIO }
/// xnu bsd/sys/errno.h
public var EOPNOTSUPP: Int32 { Glibc.EOPNOTSUPP }
/// xnu bsd/sys/errno.h
public var EPERM: Int32 { Glibc.EPERM }
/// xnu bsd/sys/errno.h
public var EROFS: Int32 { Glibc.EROFS }
/// xnu bsd/sys/errno.h
public var ESRCH: Int32 { Glibc.ESRCH }
/// xnu bsd/sys/errno.h
public var ESTALE: Int32 { Glibc.ESTALE }
/// xnu bsd/sys/errno.h
public var ETIMEDOUT: Int32 { Glibc.ETIMEDOUT }
/// xnu bsd/sys/errno.h
public var EWOULDBLOCK: Int32 { Glibc.EWOULDBLOCK }
/// xnu bsd/sys/errno.h
public var EXDEV: Int32 { Glibc.EXDEV }
