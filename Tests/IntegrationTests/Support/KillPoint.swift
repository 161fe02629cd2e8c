import Testing

/// Where a process is to be stopped, so that a test can kill it there.
struct KillPoint: Sendable, CustomStringConvertible, CustomTestStringConvertible {
    enum Moment: String { case before, after }

    var environment: [String: String]
    var description: String

    /// At the `occurrence`th call whose path or data contains `text`.
    static func at(_ moment: Moment, _ operation: String, _ text: String, occurrence: Int = 1) -> KillPoint {
        KillPoint(
            environment: ["KILLPOINT_STOP": "\(moment):\(operation):\(text):\(occurrence)"],
            description: "\(moment) \(operation) of \(text) (\(occurrence))")
    }

    /// Before the `number`th counted call.
    static func call(_ number: Int) -> KillPoint {
        KillPoint(environment: ["KILLPOINT_COUNT": "\(number)"], description: "before call \(number)")
    }

    /// No stop: every such call fails with an errno.
    static func failing(_ operation: String, _ text: String, errno: Int32) -> KillPoint {
        KillPoint(
            environment: ["KILLPOINT_FAIL": "\(operation):\(text):\(errno)"],
            description: "\(operation) of \(text) fails with \(errno)")
    }

    /// The process ends there by itself, so that nobody has to be as quick as the others' patience with one that is
    /// stopped.
    var dying: KillPoint {
        KillPoint(environment: environment.merging(["KILLPOINT_DIES": "1"]) { $1 }, description: description)
    }

    var testDescription: String { description }
}
