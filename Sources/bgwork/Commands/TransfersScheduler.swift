#if os(Linux)
import BackgroundWork
import Foundation

/// A scheduler on a folder that belongs to others as well: it has the built-in workers only, leaves the work of other
/// programs alone, and does not touch the limits that they have set.
enum TransfersScheduler {
    /// - Parameters:
    ///   - launches: whether the agent is to start `bgwork transfers settle` when there is something to take in. It takes
    ///     the place of the command that it has.
    ///   - allowsPrivate: whether the transfers that are added by it may dial any address. It says nothing about those
    ///     that it runs for others.
    static func make(
        _ folder: TransfersFolder, launches: Bool = false, allowsPrivate: Bool = false
    ) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path))
        configuration.decidesTransferLimits = false
        configuration.leavesUnknownWorkers = true
        configuration.addressPolicy = allowsPrivate ? .unrestricted : .publicInternet
        if launches {
            configuration.launchCommand = .thisProgram(
                arguments: ["transfers", "settle", "--directory", folder.path])
        }
        return try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
    }

    static var workers: Set<String> { Set(WorkerRegistry().names) }
}
#endif
