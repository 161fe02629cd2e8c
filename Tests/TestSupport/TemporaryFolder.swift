import Foundation

/// A folder for one test, removed with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        DescriptorLimit.raise()
        path = FileManager.default.temporaryDirectory.path + "/bgwork-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
}
