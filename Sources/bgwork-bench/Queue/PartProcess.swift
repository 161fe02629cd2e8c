import Foundation

/// A build of this program, and how its parts are run.
struct PartProcess: Sendable {
    static let thisBuild = PartProcess(
        program: Bundle.main.executablePath ?? ProcessInfo.processInfo.arguments.first ?? "bgwork-bench")

    var program: String

    /// The figures of one part, run in a process of its own.
    func run(_ part: QueuePart, _ options: [String]) async throws -> [String: Double] {
        let output = try await CommandLineTool.output(of: program, ["queue-part", part.rawValue] + options)
        return try JSONDecoder().decode([String: Double].self, from: Data(output.utf8))
    }
}
