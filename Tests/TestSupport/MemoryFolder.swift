import Foundation

/// A folder for one test that needs no disk, where the system has such; so many thousand commits take seconds.
package final class MemoryFolder: Sendable {
    package let path: String
    private let temporary: TemporaryFolder?

    package init() throws {
        DescriptorLimit.raise()
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
