#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What changes when a file is replaced or written: a cache of its content is good as long as its stamp is.
package struct FileStamp: Sendable, Hashable, CustomStringConvertible {
    private var identity: FileIdentity
    /// Of the Unix epoch.
    package private(set) var modifiedSeconds: Int64
    private var modifiedNanoseconds: Int64

    /// The stamp of what stands at a path; `nil` if nothing does.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, let identity = FileIdentity(path: path) else { return nil }
        self.identity = identity
        #if canImport(Darwin)
        modifiedSeconds = Int64(status.st_mtimespec.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtimespec.tv_nsec)
        #else
        modifiedSeconds = Int64(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        #endif
    }

    /// The stamp of what stands at a path as it is stored; a word of its own if nothing does.
    package static func stored(path: String) -> String { FileStamp(path: path).map { "\($0)" } ?? "none" }

    /// The stamp as it is stored, to be compared with another.
    package var description: String {
        "\(identity.inode).\(identity.bytes).\(modifiedSeconds).\(modifiedNanoseconds)"
    }
}
