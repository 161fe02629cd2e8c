import TestSupport

/// Runs a program to its end.
enum Command {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    @discardableResult
    static func run(_ words: String...) async throws -> String {
        let (end, output) = try await ChildProcess.run(words)
        let text = String(decoding: output, as: UTF8.self)
        guard end == .exited(0) else { throw Failure(description: "\(words): \(end): \(text)") }
        return text
    }
}
