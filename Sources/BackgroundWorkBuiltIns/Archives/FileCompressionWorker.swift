import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Puts a file or a folder into a ZIP archive.
///
/// ```swift
/// let logs = FileCompressionConfiguration(inputPath: "/home/me/logs", outputPath: "/home/me/logs.zip")
/// try await scheduler.enqueue(TaskRequest(FileCompressionWorker.self, input: logs), id: "logs")
/// ```
///
/// It is registered in every `WorkerRegistry`. The archive gets its name when it is complete and durable, so a process
/// that dies leaves nothing half-written there; the next run begins again, or continues with what is left to do. The next
/// step of a chain gets a ``FileCompressionOutput``. Docs/workers.md has the rules of the input and what an archive has.
public struct FileCompressionWorker: BuiltInWorker {
    /// What to compress, and where the archive goes.
    public typealias Input = FileCompressionConfiguration
    /// Where the archive is, and what is in it.
    public typealias Output = FileCompressionOutput

    /// The name that requests use.
    public static let name = "FileCompressionWorker"
    /// The ancestor's name.
    public static let aliases = [BuiltInWorkers.ancestorName(of: name)]

    private let services: BuiltInServices
    private var policy: SecurityPolicy { services.securityPolicy }

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses a configuration that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: FileCompressionConfiguration, under policy: SecurityPolicy) throws {
        let rules = ArchiveInputRules(worker: name, policy)
        try rules.check(path: input.inputPath, "inputPath")
        try rules.check(path: input.outputPath, "outputPath")
        guard input.outputPath.lowercased().hasSuffix(".zip") else {
            throw rules.refusal("outputPath", "it must end in .zip")
        }
        let (source, archive) = (FileRules.normalized(input.inputPath), FileRules.normalized(input.outputPath))
        if source == archive {
            throw rules.refusal("outputPath", "it is inputPath, which the archive would replace; name another file")
        }
        if input.excludePatterns.count > 1_000 {
            throw rules.refusal("excludePatterns", "it has \(input.excludePatterns.count) patterns; the limit is 1000")
        }
        for pattern in input.excludePatterns {
            if let complaint = ExclusionPattern.complaint(about: pattern) {
                throw rules.refusal("excludePatterns", complaint)
            }
        }
        if input.deleteOriginal { try rules.checkDeletion(of: input.inputPath) }
    }

    /// Makes the archive. The scheduler calls it.
    ///
    /// Throws ``WorkerInputError`` for a configuration that breaks a rule, and `CancellationError` when it is stopped.
    public func doWork(_ input: FileCompressionConfiguration, context: WorkerContext) async throws -> WorkerResult {
        try Self.validate(input: input, under: policy)
        let run = CompressionRun(input: input, policy: policy, workID: context.workID) { context.report($0) }
        do {
            return try .success(
                message: "compressed \(input.inputPath) to \(input.outputPath)".printable,
                output: try await services.recording(run.temporaryPaths, context) { try await output(of: run, context) }
            )
        } catch {
            return try ArchiveWorkResult.of(error, trying: "compressing \(input.inputPath)")
        }
    }

    private func output(of run: CompressionRun, _ context: WorkerContext) async throws -> FileCompressionOutput {
        if let earlier = context.checkpoint.flatMap({ try? JSONCoding.value(CompressedArchive.self, from: $0) }),
            earlier.input == run.input,
            let output = try await ArchiveThread.run({ _ in try run.complete(earlier) })
        {
            return output
        }
        let archive = try await ArchiveThread.run { try run.make($0) }
        try await context.saveCheckpoint(JSONCoding.text(of: archive))
        guard let output = try await ArchiveThread.run({ _ in try run.complete(archive) }) else {
            throw FileError.missing(run.input.outputPath)
        }
        return output
    }
}

/// What ``FileCompressionWorker`` has made. In JSON its members have the same names.
public struct FileCompressionOutput: Sendable, Hashable, Codable {
    /// The archive's path.
    public var filePath: String
    /// How many entries it has: files, folders and links.
    public var entries: Int
    /// The length of all files that were read.
    public var bytesIn: Int64
    /// The archive's length.
    public var bytesOut: Int64
    /// How many files and folders a pattern has left out. What is in such a folder is not counted.
    public var excluded = 0
    /// How many named pipes, sockets and devices were left out.
    public var skipped = 0
    /// How many files and folders were removed by others before they could be read.
    public var vanished = 0
    /// With `deleteOriginal`, how many files and folders of the archive were not deleted, because they have changed or
    /// something else is in them.
    public var kept = 0
}
