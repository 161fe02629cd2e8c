import BackgroundWorkSystem
import Foundation

/// A file to which each line is appended in one write, also when other processes write to it.
package final class LineLog: Sendable {
    private let descriptor: Int32

    package init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    package func append(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }
}
