import BackgroundWork
import BackgroundWorkArchive
import BackgroundWorkFiles
import BackgroundWorkSystem
import BackgroundWorkTesting
import Foundation
import TestSupport
import Testing

@testable import BackgroundWorkBuiltIns

/// A folder with files to be compressed, and a scheduler that does it.
struct ArchivePlace {
    let folder: TemporaryFolder
    var input: String { folder.path + "/in" }
    var archive: String { folder.path + "/made/out.zip" }
    var output: String { folder.path + "/out" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: input, withIntermediateDirectories: true)
    }

    static func text(_ count: Int) -> Data {
        let line = Data("The quick brown fox jumps over the lazy dog. ".utf8)
        var text = Data()
        while text.count < count { text += line }
        return text.prefix(count)
    }

    /// Writes a file below the input, with its folders.
    func add(_ name: String, _ content: Data = text(1_000)) throws {
        let path = input + "/" + name
        try FileManager.default.createDirectory(
            atPath: DurableFile.folder(of: path), withIntermediateDirectories: true)
        try content.write(to: URL(filePath: path))
    }

    /// Everything below a path, with contents; folders end in a slash, links show what they lead to.
    func tree(_ path: String) throws -> [String: String] {
        var tree: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name) else {
                continue
            }
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory: tree[name + "/"] = ""
            case .typeSymbolicLink:
                tree[name] = "-> " + (try FileManager.default.destinationOfSymbolicLink(atPath: path + "/" + name))
            case .typeRegular:
                tree[name] = try FileDigest.sha256(of: [UInt8](Data(contentsOf: URL(filePath: path + "/" + name))))
            default: tree[name] = "special"
            }
        }
        return tree
    }

    /// Names of temporaries anywhere.
    func temporaries() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".bgwork-") }
    }

    func scheduler(_ policy: SecurityPolicy? = nil) throws -> WorkScheduler {
        var configuration = WorkScheduler.Configuration(directory: URL(filePath: folder.path + "/work"))
        if let policy { configuration.securityPolicy = policy }
        return try WorkScheduler(configuration: configuration, workers: WorkerRegistry())
    }

    /// Runs one request to its end.
    func run(_ request: TaskRequest, policy: SecurityPolicy? = nil) async throws -> TaskCompletionEvent {
        let scheduler = try scheduler(policy)
        let events = scheduler.eventBus.events
        try await scheduler.start()
        let id = UUID().uuidString
        guard case .accepted = try await scheduler.enqueue(request, id: id) else {
            throw WorkerInputError(workerClassName: request.workerClassName, reason: "refused")
        }
        var end: TaskCompletionEvent?
        for await event in events where event.workID == id {
            end = event
            break
        }
        await scheduler.shutdown()
        return try #require(end)
    }

    func compress(
        _ change: (inout FileCompressionConfiguration) -> Void = { _ in }
    ) async throws -> FileCompressionOutput {
        var input = FileCompressionConfiguration(inputPath: input, outputPath: archive)
        change(&input)
        let event = try await run(TaskRequest(FileCompressionWorker.self, input: input))
        #expect(event.outcome == .succeeded, "\(event.message ?? "")")
        return try JSONDecoder().decode(FileCompressionOutput.self, from: Data((event.outputJSON ?? "").utf8))
    }

    func extract(
        _ change: (inout FileExtractionConfiguration) -> Void = { _ in }
    ) async throws -> TaskCompletionEvent {
        var input = FileExtractionConfiguration(inputPath: archive, outputPath: output)
        change(&input)
        return try await run(TaskRequest(FileExtractionWorker.self, input: input))
    }
}
