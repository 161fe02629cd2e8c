import BackgroundWorkSystem
import CBackgroundWorkLinux
import Foundation

/// Programs by the words of a command, found as the shell finds them.
extension ChildProcess {
    private static let finder = "/usr/bin/env"

    /// Runs a program to its end.
    ///
    /// - Returns: how it ended, and what it wrote, errors among it.
    package static func run(_ words: [String]) async throws -> (end: Change, output: [UInt8]) {
        let folder = try TemporaryFolder()
        let log = folder.path + "/output"
        let process = try ChildProcess(finder, words, environment: ProcessInfo.processInfo.environment, log: log)
        let end = await process.nextChange()
        return (end, FileManager.default.contents(atPath: log).map(Array.init) ?? [])
    }

    /// Starts a program, and returns when it has written something, or has ended without.
    ///
    /// - Parameter inherited: what it gets as descriptor 3; -1 for nothing.
    package static func untilItSpeaks(_ words: [String], inherited: Int32 = -1) async throws -> ChildProcess {
        var ends: [Int32] = [-1, -1]
        guard bgw_pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let (output, input) = (ends[0], ends[1])
        let process: ChildProcess
        do {
            defer { close(input) }
            process = try ChildProcess(
                finder, words, environment: ProcessInfo.processInfo.environment, output: input, inherited: inherited)
        } catch {
            close(output)
            throw error
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var waiting: CheckedContinuation<Void, Never>? = continuation
                var buffer = [UInt8](repeating: 0, count: 4096)
                // To the end: it must not die of what it writes later.
                while read(output, &buffer, buffer.count) > 0 {
                    waiting?.resume()
                    waiting = nil
                }
                waiting?.resume()
                close(output)
            }
        }
        return process
    }
}
