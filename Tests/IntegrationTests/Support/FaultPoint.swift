import Foundation
import Testing

/// One system call, or some that follow each other, that fail in a program under test.
struct FaultPoint: Sendable, CustomTestStringConvertible {
    var calls: [String]
    /// In the path of the file.
    var path: String
    /// Which of the calls, from 1.
    var number: Int
    var count = 1
    var errno: Int32

    /// The environment of the program.
    ///
    /// - Parameter log: gets a line for each call that was counted.
    func environment(log: String) -> [String: String] {
        ProcessInfo.processInfo.environment.merging([
            "LD_PRELOAD": PreloadedLibrary.faultPoint, "FAULT_CALLS": calls.joined(separator: ","), "FAULT_PATH": path,
            "FAULT_AT": "\(number)", "FAULT_COUNT": "\(count)", "FAULT_ERRNO": "\(errno)", "FAULT_LOG": log,
        ]) { $1 }
    }

    /// Whether the program with that log has reached this point.
    static func hasFailed(log: String) -> Bool {
        ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").contains(" fails\n")
    }

    var testDescription: String {
        "\(calls.joined(separator: ", ")) \(number) of \(path) fails with \(String(cString: strerror(errno)))"
    }
}
