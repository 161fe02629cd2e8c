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
}
