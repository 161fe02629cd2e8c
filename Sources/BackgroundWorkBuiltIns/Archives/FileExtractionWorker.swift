import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkTransfers

/// Takes everything out of a ZIP archive.
///
/// ```swift
/// let photos = FileExtractionConfiguration(inputPath: "/home/me/photos.zip", outputPath: "/home/me/photos")
/// try await scheduler.enqueue(TaskRequest(FileExtractionWorker.self, input: photos), id: "photos")
/// ```
///
/// It is registered in every `WorkerRegistry`. Nothing in the archive is trusted: it cannot write outside of its folder,
/// fill the disk, or replace a file that is there, unless the input says so. The folder gets its name when it is complete
/// and durable. The next step of a chain gets a ``FileExtractionOutput``. Docs/workers.md has the rules.
public struct FileExtractionWorker: BuiltInWorker {
    /// What to extract, and where to.
    public typealias Input = FileExtractionConfiguration
    /// Where it is, and how much.
    public typealias Output = FileExtractionOutput

    /// The name that requests use.
    public static let name = "FileExtractionWorker"

    /// How often everything is extracted when others make or remove the folder meanwhile.
    private static let mostBeginnings = 3

    private let services: BuiltInServices
    private var policy: SecurityPolicy { services.securityPolicy }

    package init(_ services: BuiltInServices) { self.services = services }

    /// Refuses a configuration that breaks a rule, with the field's name: what can be said without the disk.
    public static func validate(input: FileExtractionConfiguration, under policy: SecurityPolicy) throws {
        let rules = ArchiveInputRules(worker: name, policy)
        try rules.check(path: input.inputPath, "inputPath")
        try rules.check(path: input.outputPath, "outputPath")
        if let bytes = input.maxBytes, bytes < 0 {
            throw rules.refusal("maxBytes", "it is \(bytes), but must be 0 or more bytes")
        }
        guard (1...10_000_000).contains(input.maxEntries) else {
            throw rules.refusal("maxEntries", "it is \(input.maxEntries), but must be from 1 to 10000000")
        }
        guard input.maxRatio >= 1 else {
            throw rules.refusal("maxRatio", "it is \(input.maxRatio), but must be 1 or more")
        }
        if input.deleteOriginal { try rules.checkDeletion(of: input.inputPath) }
    }

    /// Extracts the archive. The scheduler calls it.
    ///
    /// Throws ``WorkerInputError`` for a configuration that breaks a rule, and `CancellationError` when it is stopped.
    public func doWork(_ input: FileExtractionConfiguration, context: WorkerContext) async throws -> WorkerResult {
        try Self.validate(input: input, under: policy)
        let run = ExtractionRun(input: input, policy: policy, workID: context.workID) { context.report($0) }
        do {
            return try .success(
                message: "extracted \(input.inputPath) to \(input.outputPath)".printable,
                output: try await services.recording(run.temporaryPaths, context) { try await output(of: run, context) }
            )
        } catch {
            return try ArchiveWorkResult.of(error, trying: "extracting \(input.inputPath)")
        }
    }

    private func output(of run: ExtractionRun, _ context: WorkerContext) async throws -> FileExtractionOutput {
        if let earlier = context.checkpoint.flatMap({ try? JSONCoding.value(ExtractedArchive.self, from: $0) }),
            earlier.input == run.input,
            let output = try await ArchiveThread.run({ _ in try run.complete(earlier) })
        {
            return output
        }
        for _ in 0..<Self.mostBeginnings {
            let extracted = try await ArchiveThread.run { try run.make($0) }
            try await context.saveCheckpoint(JSONCoding.text(of: extracted))
            if let output = try await ArchiveThread.run({ _ in try run.complete(extracted) }) { return output }
        }
        throw FileError.missing(run.input.outputPath)
    }
}

/// What ``FileExtractionWorker`` has extracted. In JSON its members have the same names.
public struct FileExtractionOutput: Sendable, Hashable, Codable {
    /// The folder with the archive's content.
    public var folderPath: String
    /// How many entries the archive has: files, folders and links.
    public var entries: Int
    /// The archive's length.
    public var bytesIn: Int64
    /// The length of all files.
    public var bytesOut: Int64
    /// How many files and links were left out because their names were taken. A folder whose name a file has counts as
    /// one.
    public var skipped = 0
    /// How many links were left out because of `links`.
    public var skippedLinks = 0
    /// With `deleteOriginal`, 1 if the archive was not deleted because it has changed; otherwise 0.
    public var kept = 0
}
