import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers
import Foundation

/// The scheduler's directory that a command is about.
struct TransfersFolder {
    /// Absolute.
    let path: String

    /// Takes `--directory DIR`. Without it: `bgwork/transfers` in the user's folder for data, created for this user
    /// only.
    ///
    /// - Parameter isCreated: whether DIR need not exist. Otherwise a name that is mistyped would look like a folder
    ///   without transfers.
    init(_ arguments: inout Arguments, isCreated: Bool = false) throws {
        if let given = try arguments.value("--directory") {
            guard !given.isEmpty else { throw UsageError(description: "--directory needs a value") }
            path = Self.absolute(given)
            guard isCreated || FileIdentity(path: path) != nil else { throw NoSuchFolder(path: path) }
            return
        }
        let environment = ProcessInfo.processInfo.environment
        // The specification says to ignore a relative one: https://specifications.freedesktop.org/basedir-spec/latest/
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { $0 + "/.local/share" }
        guard let data else {
            throw UsageError(description: "set --directory or HOME: the folder of the transfers is unknown")
        }
        path = Self.absolute(data + "/bgwork/transfers")
        try Folder.create(path, mode: 0o700)
    }

    /// Whether a scheduler has ever kept work there.
    var hasStore: Bool { FileIdentity(path: path + "/work.sqlite") != nil }

    /// Whether an agent has ever kept transfers there.
    var hasJournal: Bool { FileIdentity(path: AgentPaths(schedulerDirectory: path).journal) != nil }

    /// Relative to the current folder. A slash at the end is kept if `isPlaceOfFile`, because it has a meaning there.
    static func absolute(_ path: String, isPlaceOfFile: Bool = false) -> String {
        var path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        while !isPlaceOfFile, path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}

/// The folder of `--directory` does not exist.
private struct NoSuchFolder: Error, CustomStringConvertible {
    var path: String

    var description: String {
        "there is no folder \(path), so it has no transfers. Check --directory; transfers add creates it."
    }
}

/// A scheduler on a folder that belongs to others as well: it has only the workers that hand transfers over, does not run the work of
/// other programs, and does not change the limits that they have set.
enum TransfersScheduler {
    /// - Parameters:
    ///   - launches: whether the agent is to start `bgwork transfers settle` when there is an outcome to process.
    ///     Replaces the agent's current launch command.
    ///   - securityPolicy: of the transfers that it adds. Does not apply to those that it runs for other programs.
    static func make(
        _ folder: TransfersFolder, launches: Bool = false, securityPolicy: SecurityPolicy = .publicInternet
    ) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path))
        configuration.decidesTransferLimits = false
        configuration.leavesUnknownWorkers = true
        configuration.securityPolicy = securityPolicy
        if launches {
            configuration.launchCommand = .thisProgram(
                arguments: ["transfers", "settle", "--directory", folder.path])
        }
        return try WorkScheduler(configuration: configuration, workers: .ofTransfers)
    }

    static var workers: Set<String> { Set(WorkerRegistry.ofTransfers.names) }
}
