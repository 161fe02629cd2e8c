import BackgroundWorkFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lock files of a directory's schedulers, as far as they can be asked without the database.
struct OwnerFolder {
    private let path: String

    init(directory: String) { path = directory + "/owners" }

    /// A scheduler that lives, in words; `nil` if none does.
    func living() throws -> String? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        for name in names.sorted() where name.hasSuffix(".lock") {
            if try AdvisoryLock(path: "\(path)/\(name)", contention: .giveUp) == nil {
                return "another scheduler (its lock is \(path)/\(name))"
            }
        }
        return nil
    }
}
