// Stands in for Darwin: its C declarations, and beneath them what its Swift overlay adds.
@_exported import CAppleSystem

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { __darwin_open(path, oflag, 0) }

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
    __darwin_open(path, oflag, mode)
}

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 {
    __darwin_openat(fd, path, oflag, 0)
}

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
    __darwin_openat(fd, path, oflag, mode)
}

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { __darwin_fcntl(fd, cmd, 0) }

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { __darwin_fcntl(fd, cmd, value) }

/// swiftlang/swift stdlib/public/Platform/Platform.swift
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 {
    __darwin_fcntl_pointer(fd, cmd, ptr)
}
