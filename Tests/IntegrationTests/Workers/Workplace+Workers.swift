import BackgroundWork
import Foundation
import TestSupport

extension Workplace {
    /// A host that runs a built-in worker as the work "w", and ends with it.
    func startWorkerHost<W: Worker>(
        _ type: W.Type, _ input: W.Input, attempts: Int = 5, stoppingAt point: KillPoint? = nil,
        _ environment: [String: String] = [:]
    ) throws -> ChildProcess where W.Input: WorkerInput {
        let file = folder.path + "/input.json"
        try Data(input.inputJSON.utf8).write(to: URL(filePath: file))
        return try ChildProcess(
            Programs.host, ["worker", directory, W.name, file, "\(attempts)"],
            environment: hostEnvironment(stoppingAt: point).merging(environment) { $1 }, log: hostLog)
    }

    /// The names in the folder of downloads, hidden ones as well.
    var downloadNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/downloads")) ?? []).sorted()
    }

    /// The records of partial files.
    var partialRecords: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory + "/partials")) ?? []
    }

    /// Writes a file of its own bytes beside the scheduler's directory, and returns its path.
    func makeFile(_ name: String, bytes: Int) throws -> String {
        let path = folder.path + "/" + name
        let seed = name.utf8.reduce(1) { $0 &* 31 &+ Int($1) }
        try Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed) }).write(to: URL(filePath: path))
        return path
    }
}
