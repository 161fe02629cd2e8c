import BackgroundWork
import BackgroundWorkConsole
import Foundation

/// Waits for a work item, and prints its result. Each wait returns the program's exit status.
struct TransferEnd {
    private static let pause = Duration.milliseconds(100)

    let id: String
    let scheduler: WorkScheduler
    let folder: TransfersFolder

    /// Until it is handed off to the agent, and so continues without this program.
    func waitForHandOff() async throws -> Int32 {
        while let info = try await scheduler.info(id: id) {
            switch info.state {
            case .handedOff, .finishing:
                Output.line("\(id): handed off; it continues in the background")
                return 0
            case .pending where info.runAttempt > 0:
                Output.complain("\(id): could not be handed off yet: \(words(info) ?? "it will be retried")")
                return 1
            case .blocked, .pending, .running: break
            case .succeeded, .failed, .cancelled, .skipped: return tell(info)
            }
            try await Task.sleep(for: Self.pause)
        }
        Output.complain("\(id): no longer exists")
        return 1
    }

    /// Until it has ended, with a line that shows its progress.
    func wait() async throws -> Int32 {
        let observer = TransferObserver(folder)
        var line = OwnLine()
        defer { line.end() }
        while let info = try await scheduler.info(id: id) {
            if info.state.isFinished {
                await observer.stop()
                if info.state == .succeeded { line.succeed() }
                line.end()
                return tell(info)
            }
            // Polling every tenth of a second, so no stream is needed.
            if folder.hasJournal, let transfer = try? await observer.transfers().last(where: { $0.id == id }) {
                line.show(transfer)
            }
            try await Task.sleep(for: Self.pause)
        }
        Output.complain("\(id): no longer exists")
        return 1
    }

    private func tell(_ info: WorkInfo) -> Int32 {
        if info.state == .succeeded {
            Output.line("\(id): \(words(info) ?? "done")")
            return 0
        }
        Output.complain("\(id): \(info.state)\(words(info).map { ": " + $0 } ?? "")")
        return 1
    }

    private func words(_ info: WorkInfo) -> String? { info.message.map { TerminalText.harmless($0) } }
}

/// The progress of one transfer: a bar on a terminal, lines elsewhere.
struct OwnLine {
    private var live: LiveLines?
    private var lines = ChangeLines()
    private var last: ShownTransfer?

    mutating func show(_ transfer: ShownTransfer) {
        last = transfer
        guard Window.isThere else {
            lines.line(for: transfer).map(Output.line)
            return
        }
        if live == nil { live = LiveLines() }
        let width = Window.size.width
        live?.draw([TransferScreen.line(transfer, width: max(1, width - 1))], width: width)
    }

    /// Shows 100 %: the last report may have shown less.
    mutating func succeed() {
        guard var transfer = last, let total = transfer.totalBytes else { return }
        (transfer.phase, transfer.bytes, transfer.bytesPerSecond) = (.succeeded, total, nil)
        show(transfer)
    }

    /// May be called more than once.
    mutating func end() {
        live?.end()
        live = nil
    }
}
