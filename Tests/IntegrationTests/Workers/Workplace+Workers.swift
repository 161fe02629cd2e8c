import BackgroundWork
import Foundation
import TestSupport

extension Workplace {
    /// A host that runs a built-in worker as the work "w", and ends with it.
    func startWorkerHost<W: Worker>(
        _ type: W.Type, _ input: W.Input, stoppingAt point: KillPoint? = nil
    ) throws -> ChildProcess where W.Input: WorkerInput {
        let file = folder.path + "/input.json"
        try Data(input.inputJSON.utf8).write(to: URL(filePath: file))
        return try ChildProcess(
            Programs.host, ["worker", directory, W.name, file], environment: hostEnvironment(stoppingAt: point),
            log: hostLog)
    }

    /// Writes a file of its own bytes beside the scheduler's directory, and returns its path.
    func makeFile(_ name: String, bytes: Int) throws -> String {
        let path = folder.path + "/" + name
        let seed = name.utf8.reduce(1) { $0 &* 31 &+ Int($1) }
        try Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed) }).write(to: URL(filePath: path))
        return path
    }
}
