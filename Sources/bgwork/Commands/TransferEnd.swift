#if os(Linux)
import BackgroundWork
import BackgroundWorkConsole
import Foundation

/// Waits for a piece of work, and says what became of it. Each wait returns the program's exit status.
struct TransferEnd {
    private static let pause = Duration.milliseconds(100)

    let id: String
    let scheduler: WorkScheduler
    let folder: TransfersFolder

    /// Until the agent has it, from where on it goes on without this program.
    func waitForHandOff() async throws -> Int32 {
        while let info = try await scheduler.info(id: id) {
            switch info.state {
            case .handedOff, .finishing:
                Output.line("\(id): handed off; it goes on by itself")
                return 0
            case .pending where info.runAttempt > 0:
                Output.complain("\(id): could not be handed off yet: \(words(info) ?? "it is tried again")")
                return 1
            case .blocked, .pending, .running: break
            case .succeeded, .failed, .cancelled, .skipped: return tell(info)
            }
            try await Task.sleep(for: Self.pause)
        }
        Output.complain("\(id): is not known any more")
        return 1
    }

    /// Until it has ended, with a line that says how far it is.
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
            // One who asks each tenth of a second needs no stream.
            if folder.hasJournal, let transfer = try? await observer.transfers().last(where: { $0.id == id }) {
                line.show(transfer)
            }
            try await Task.sleep(for: Self.pause)
        }
        Output.complain("\(id): is not known any more")
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

/// How far one transfer is: a bar on a terminal, lines elsewhere.
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

    /// Shows the whole way: the last report may have been one before that.
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
#endif
