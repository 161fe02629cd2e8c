import BackgroundWork
import BackgroundWorkFiles
import BackgroundWorkModel
import BackgroundWorkStorage
import Foundation
import Testing

/// What an error says where only its `localizedDescription` is shown.
struct LocalizedDescriptionTests {
    @Test("an error's localizedDescription says what its description says")
    func words() {
        let errors: [any Error & CustomStringConvertible] = [
            EnqueueError.emptyWorkerName, ConfigurationError.directoryIsNoFile("x"),
            WorkerInputError(workerClassName: "W", reason: "r"), FileError(action: "read", path: "/p", code: EIO),
            SQLiteError(code: 13, message: "full", path: "/p", action: "COMMIT"),
        ]
        for error in errors { #expect(error.localizedDescription == error.description) }
    }
}
