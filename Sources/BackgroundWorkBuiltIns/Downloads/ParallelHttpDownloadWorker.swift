import BackgroundWorkModel
import BackgroundWorkTransfers

/// Downloads a file in the scheduler's own process over several connections, each for a part of the file; over one where
/// the server takes no ranges.
///
/// ```swift
/// var film = ParallelHttpDownloadWorker.Input(url: "https://example.com/film.mp4", savePath: "/home/me/film.mp4")
/// film.numChunks = 8
/// try await scheduler.enqueue(TaskRequest(ParallelHttpDownloadWorker.self, input: film), id: "film")
/// ```
///
/// It is registered in every `WorkerRegistry`. An attempt goes on where the last one has stopped, part by part. The next
/// step of a chain gets a ``DownloadOutput``. Docs/workers.md has the rules.
public struct ParallelHttpDownloadWorker: BuiltInWorker {
    /// Where the file is, and the server's response.
    public typealias Output = DownloadOutput

    /// The name that requests use.
    public static let name = "ParallelHttpDownloadWorker"
    /// The ancestor's name for it.
    public static let aliases = [BuiltInWorkers.ancestorName(of: name)]
    private static let timeout = Duration.seconds(600)

    private let services: BuiltInServices

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses an input that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: Input, under policy: SecurityPolicy) throws {
        _ = try plan(of: input, under: policy)
    }

    /// Downloads the file, or what is missing of it. The scheduler calls it.
    ///
    /// Throws ``WorkerInputError`` for an input that breaks a rule.
    public func doWork(_ input: Input, context: WorkerContext) async throws -> WorkerResult {
        try await services.download(Self.plan(of: input, under: services.securityPolicy), context: context)
    }

    private static func plan(of input: Input, under policy: SecurityPolicy) throws -> DownloadPlan {
        let rules = TransferInputRules(worker: name, securityPolicy: policy)
        let path = try rules.checkedPath(
            url: input.url, savePath: input.savePath, checksum: input.checksum, fileMode: input.fileMode, input.options)
        guard ConnectionPlan.allowed.contains(input.numChunks) else {
            throw rules.refusal("numChunks", "it is \(input.numChunks), but must be from 1 to 16")
        }
        return DownloadPlan(
            url: input.url, path: path, options: input.options, timeout: timeout, checksum: input.checksum,
            fileMode: input.fileMode, onDuplicate: input.skipsExisting ? .skip : .overwrite,
            connections: input.numChunks)
    }
}
