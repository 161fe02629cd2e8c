import BackgroundWorkModel
import Synchronization
import TestSupport

@testable import BackgroundWorkStorage

/// A fresh store, and any number of schedulers on it: what the conformance suites are held against.
///
/// The suites know the store's verbs and reads only. This is the one place that says which engine keeps the data, so
/// another engine is held against the same suites by being opened here.
final class StoreUnderTest: Sendable {
    private let folder: MemoryFolder
    private let settings: StoreSettings
    private let opened = Mutex(0)

    /// - Parameters:
    ///   - retaining: how many events are kept.
    ///   - ageMs: how old an event may grow, in milliseconds.
    ///   - transferring: the workers whose runs may leave a transfer with the daemon.
    init(retaining: Int = 1000, ageMs: Int64? = nil, transferring: Set<String> = []) throws {
        folder = try MemoryFolder()
        settings = .inUTC(retaining: retaining, ageMs: ageMs, transferring: transferring)
    }

    /// One more scheduler on the same data, which is on the list of owners.
    func scheduler() async throws -> StoreScheduler {
        let number = opened.withLock { number in
            number += 1
            return number
        }
        return try await StoreScheduler(
            path: folder.path + "/work", settings: settings, lockFile: "scheduler-\(number)", keeping: self)
    }
}
