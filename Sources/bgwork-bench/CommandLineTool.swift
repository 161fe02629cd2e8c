import Foundation

/// Runs other programs, and waits for them without blocking the cooperative pool.
enum CommandLineTool {
    struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    static func run(_ name: String, _ arguments: [String]) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw Failed(description: "\(name) ended with status \(status)") }
    }

    /// What a program writes to standard output.
    static func output(of program: String, _ arguments: [String]) async throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                if process.terminationStatus == 0 {
                    continuation.resume(returning: String(decoding: data, as: UTF8.self))
                } else {
                    let reason = "\(program) ended with status \(process.terminationStatus)"
                    continuation.resume(throwing: Failed(description: reason))
                }
            }
        }
    }
}
