import BackgroundWorkFiles
import BackgroundWorkFoundation
import BackgroundWorkModel
import BackgroundWorkSystem

/// `base_folders.json`: the paths that a scheduler's base folders have had.
///
/// It is written before anything is stored under a new path, and replaced as a whole, so every path that was ever stored
/// is below one that it knows.
package struct BaseFolders: Sendable {
    package static let fileName = "base_folders.json"
    /// The oldest are forgotten.
    private static let mostPaths = 100

    private let path: String
    private let clock: any WorkClock
    private let report: @Sendable (String) -> Void

    /// - Parameter report: told when a file that cannot be read was set aside.
    package init(directory: String, clock: any WorkClock, report: @escaping @Sendable (String) -> Void) {
        path = directory + "/" + Self.fileName
        self.clock = clock
        self.report = report
    }

    /// Records where the folders are now, if that is new, and returns what has moved. Blocks; a single read if nothing
    /// is new, and nothing at all without folders.
    ///
    /// - Parameters:
    ///   - folders: by a name that stays, which differs between programs whose folder it is.
    ///   - earlierPaths: asked when a folder is new here: paths that were stored before there was this record.
    package func record(
        _ folders: [String: URL], earlierPaths: () throws -> [String] = { [] }
    ) throws -> FolderMoves {
        if folders.isEmpty { return .none }
        let folders = folders.mapValues {
            DurableFile.withoutTrailingSlashes($0.absoluteURL.path(percentEncoded: false))
        }
        if let known = try? read(), folders.allSatisfy({ known[$0]?.first == $1 }) { return Self.moves(known) }
        let lock = try AdvisoryLock(path: path + ".lock", contention: .wait)
        defer { withExtendedLifetime(lock) {} }
        var known = try readOrSetAside()
        for (name, folder) in folders {
            let former = try (known[name] ?? FormerContainers.found(beside: folder, in: earlierPaths()))
                .filter { $0 != folder }
            known[name] = [folder] + former.prefix(Self.mostPaths - 1)
        }
        try DurableFile.replace(path, with: try JSONCoding.text(of: known).utf8)
        return Self.moves(known)
    }

    /// A former folder that is still there has not moved, and what was stored below it stays there.
    private static func moves(_ known: [String: [String]]) -> FolderMoves {
        FolderMoves(known.mapValues { $0.prefix(1) + $0.dropFirst().filter { access($0, F_OK) != 0 } })
    }

    private func read() throws -> [String: [String]] {
        guard let bytes = try WholeFile.read(path) else { return [:] }
        return try JSONCoding.value([String: [String]].self, from: String(decoding: bytes, as: UTF8.self))
    }

    private func readOrSetAside() throws -> [String: [String]] {
        do { return try read() } catch let error as FileError { throw error } catch {
            let aside = try DamagedFile.setAside(path, at: clock.now)
            report("\(path) could not be read (\(error)); it was kept as \(aside), and a new one was created")
            return [:]
        }
    }
}
