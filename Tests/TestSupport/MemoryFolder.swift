import Foundation
import TestSupport

/// A folder for one test that needs no disk, where the system has such; so many thousand commits take seconds.
final class MemoryFolder: Sendable {
    let path: String
    private let temporary: TemporaryFolder?

    init() throws {
        let memory = "/dev/shm"
        guard FileManager.default.isWritableFile(atPath: memory) else {
            let temporary = try TemporaryFolder()
            (path, self.temporary) = (temporary.path, temporary)
            return
        }
        (path, temporary) = ("\(memory)/bgwork-" + UUID().uuidString, nil)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { if temporary == nil { try? FileManager.default.removeItem(atPath: path) } }
}
