#if BACKGROUNDWORK_HAS_SUBPROCESSES
import Foundation

/// Programs that a test runs on a Mac. Apple's other systems do not let a program start another one.
package enum ChildProcess {
    package enum Change: Equatable, Sendable { case exited(Int32), signalled(Int32) }

    /// Runs a program to its end, by the words of a command, found as the shell finds it.
    ///
    /// - Returns: how it ended, and what it wrote, errors among it.
    package static func run(_ words: [String]) async throws -> (end: Change, output: [UInt8]) {
        let folder = try TemporaryFolder()
        let log = folder.path + "/output"
        try Data().write(to: URL(filePath: log))
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = output
        process.standardError = output
        let end: Change = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { ended in
                let status = ended.terminationStatus
                continuation.resume(returning: ended.terminationReason == .exit ? .exited(status) : .signalled(status))
            }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return (end, FileManager.default.contents(atPath: log).map(Array.init) ?? [])
    }
}
#endif
