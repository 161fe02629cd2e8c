import Foundation
import TestSupport

/// A folder of power supplies as the kernel lays it out, that a test changes.
struct SupplyFolder {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path }

    /// Writes or changes one supply; a value of `nil` is a file that cannot be read as one.
    func set(_ name: String, _ values: [String: String?]) throws {
        let supply = "\(path)/\(name)"
        try FileManager.default.createDirectory(atPath: supply, withIntermediateDirectories: true)
        for (key, value) in values {
            if let value {
                try Data("\(value)\n".utf8).write(to: URL(filePath: "\(supply)/\(key)"))
            } else {
                try FileManager.default.createDirectory(atPath: "\(supply)/\(key)", withIntermediateDirectories: true)
            }
        }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}
