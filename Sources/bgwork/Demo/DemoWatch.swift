#if os(Linux)
import Foundation

/// Waits for what the demo waits for, and draws how far the transfer is meanwhile.
struct DemoWatch {
    /// How long nothing at all may happen: no byte, no event. A demo that hangs must end, too.
    private static let patience = Duration.seconds(120)

    let folder: DemoFolder
    let databases: DemoDatabases
    let line: ProgressLine
    /// The file's bytes, if they are known.
    let total: Int64?

    /// Returns when the condition holds. Throws ``DemoFailure`` with the words of `mishap`, if it has any, and
    /// ``StopSignals/Stopped``.
    func until(
        _ what: String, note: String? = nil, unless mishap: () -> String? = { nil }, _ condition: () throws -> Bool
    ) async throws {
        let clock = ContinuousClock()
        var deadline = clock.now.advanced(by: Self.patience)
        var before = standing
        while true {
            try StopSignals.check()
            if try condition() { return }
            if let mishap = mishap() {
                throw DemoFailure(description: "\(mishap)\n          (while waiting for \(what))")
            }
            if let note, let bytes = folder.stagedBytes { line.show(bytes: bytes, total: total, note: note) }
            let now = standing
            if now != before { deadline = clock.now.advanced(by: Self.patience) }
            before = now
            guard clock.now < deadline else {
                throw DemoFailure(description: "waited in vain for \(what): nothing has happened for \(Self.patience)")
            }
            try? await clock.sleep(for: .milliseconds(20))
        }
    }

    private var standing: [Int64] { [folder.stagedBytes ?? -1, Int64((try? databases.events().count) ?? -1)] }
}
#endif
