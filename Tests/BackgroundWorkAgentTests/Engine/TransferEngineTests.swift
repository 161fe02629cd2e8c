import BackgroundWorkExchange
import BackgroundWorkModel
import BackgroundWorkTransfers
import TestSupport
import Testing

@testable import BackgroundWorkAgent

/// The engine beside a journal that is not opened, and a network that is not turned.
final class TransferEngineTests {
    private let folder: TemporaryFolder
    private var readings: [WallTime] = []

    init() throws { folder = try TemporaryFolder() }

    private func makeEngine() throws -> TransferEngine {
        let paths = AgentPaths(schedulerDirectory: folder.path)
        let wake = try WakeDescriptor()
        let context = TransferContext(
            staging: StagingClient(queue: StorageQueue(paths: paths, boot: "boot"), wake: wake),
            exchanges: ExchangePool(), timers: LoopTimers(), paths: paths, boot: "boot")
        return try TransferEngine(
            context: context, limits: TransferLimits(), monitor: DeviceMonitor(device: FakeDevice(), wake: wake),
            // The last reading stays.
            clock: { [unowned self] in readings.count > 1 ? readings.removeFirst() : readings[0] }, delivered: { _ in })
    }

    @Test("an attempt that becomes due while its transfer is being checked is made")
    func dueMeanwhile() throws {
        let now = WallTime(milliseconds: 1_000_000)
        for readingsBefore in 1...6 {
            readings = Array(repeating: now, count: readingsBefore) + [now.advanced(byMs: 2)]
            let engine = try makeEngine()
            var record = TransferRecord(
                task: 1, specification: .sample(url: "none://host/file"), checkpoint: 0, startedAt: now)
            record.nextAttempt = now.advanced(byMs: 1)
            engine.start(record)
            for _ in 0..<readingsBefore { engine.perform(now: .now) }
            let transfer = try #require(engine.transfers[1])
            #expect(transfer.attempts == 1, "\(readingsBefore) readings before it is due")
        }
    }
}
