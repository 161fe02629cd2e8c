import BackgroundWork
import Foundation
import TestSupport

extension Workplace {
    /// Starts a program that runs one request of a built-in worker.
    func startBuiltInHost<W: Worker>(
        _ worker: W.Type, _ input: W.Input, attempts: Int = 1, stoppingAt point: KillPoint? = nil,
        _ environment: [String: String] = [:]
    ) throws -> ChildProcess where W.Input: WorkerInput {
        try ChildProcess(
            Programs.host, ["built-in", directory, W.name, input.inputJSON, "\(attempts)"],
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
}
