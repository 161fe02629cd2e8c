#if canImport(Darwin)
import Darwin

/// What is seen at a path: the file or link there, and the file that a link leads to.
struct VnodeSight: Hashable {
    private let link: FileIdentity?
    private let file: FileStamp?

    init(path: String) {
        link = FileIdentity(path: path)
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        file = resolved.flatMap { FileStamp(path: String(cString: $0)) }
    }
}
#endif
