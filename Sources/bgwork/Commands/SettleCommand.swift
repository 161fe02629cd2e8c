import BackgroundWork
import BackgroundWorkConsole
import Foundation

/// `bgwork transfers settle`: started by the agent when a transfer has ended and no host is connected. Processes the
/// waiting outcomes, runs due work, and ends.
struct SettleCommand {
    private static let pause = Duration.milliseconds(100)
    /// After this time an outcome that cannot be processed, on a full disk for example, is left for a later start.
    private static let patience = Duration.seconds(60)

    private let folder: TransfersFolder

    init(_ arguments: inout Arguments) throws {
        folder = try TransfersFolder(&arguments)
        try arguments.finish()
    }

    func run() async throws -> Int32 {
        guard folder.hasStore else { return 0 }
        let scheduler = try TransfersScheduler.make(folder, launches: true)
        let events = scheduler.eventBus.events
        let printer = Task {
            for await event in events {
                Output.line(
                    TerminalText.harmless("\(event.workID): \(event.outcome.rawValue): \(event.message ?? "")"))
            }
        }
        _ = try await scheduler.sweepStaleStateOnLaunch()
        try await scheduler.start()
        let observer = TransferObserver(folder)
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: Self.patience)
        while clock.now < deadline, try await isBusy(scheduler, observer) { try await Task.sleep(for: Self.pause) }
        await observer.stop()
        await scheduler.shutdown()
        await printer.value
        return 0
    }

    private func isBusy(_ scheduler: WorkScheduler, _ observer: TransferObserver) async throws -> Bool {
        if try await observer.transfers().contains(where: \.hasEnded) { return true }
        return try await scheduler.isBusy(with: TransfersScheduler.workers)
    }
}
