import Foundation
import TestSupport

/// Runs curl, where a program may start others, and what else of a test blocks, on threads of their own.
enum Curl {
    #if BACKGROUNDWORK_HAS_SUBPROCESSES
    struct Answer: Sendable {
        /// curl's exit status.
        var exit: Int32
        /// The status line and header lines of the last answer.
        var head: [String]
        var body: [UInt8]

        var status: Int? { head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? {
            head.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
    }

    /// curl's exit status and output.
    static func run(_ arguments: [String]) async throws -> (status: Int32, body: [UInt8]) {
        let (end, body) = try await ChildProcess.run(["curl", "-s"] + arguments)
        guard case .exited(let status) = end else { throw Killed(end: end) }
        return (status, body)
    }

    struct Killed: Error {
        var end: ChildProcess.Change
    }

    /// The last answer with its head.
    static func answer(_ arguments: String...) async throws -> Answer {
        let (exit, output) = try await run(["-i"] + arguments)
        var head: [String] = []
        var rest = output[...]
        while head.isEmpty || rest.starts(with: "HTTP/".utf8) {
            guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { break }
            head = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            rest = rest[end.upperBound...]
        }
        return Answer(exit: exit, head: head, body: Array(rest))
    }
    #endif

    static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
}
