import BackgroundWork
import BackgroundWorkConsole
import Foundation

/// `bgwork transfers pause`, `resume` and `cancel`.
struct ControlCommand {
    enum Verb { case pause, resume, cancel }

    private let verb: Verb
    private let folder: TransfersFolder
    private let names: [String]

    init(_ verb: Verb, _ arguments: inout Arguments) throws {
        self.verb = verb
        folder = try TransfersFolder(&arguments)
        names = arguments.operands()
        try arguments.finish()
        if names.isEmpty { throw UsageError(description: "\(verb) needs at least one id or number") }
    }

    func run() async throws -> Int32 {
        guard folder.hasStore else {
            for name in names { Output.complain(unknown(name)) }
            return 1
        }
        let scheduler = try TransfersScheduler.make(folder)
        let observer = TransferObserver(folder)
        var hasFailed = false
        for name in names {
            let id = try await resolve(name, scheduler, observer)
            let answer = try await apply(to: id, named: name, scheduler)
            switch answer {
            case .done(let words): Output.line("\(TerminalText.harmless(id)): \(words)")
            case .refused(let words):
                Output.complain(words)
                hasFailed = true
            }
        }
        if verb == .cancel, try await !scheduler.tellCancellations() {
            let reason = scheduler.recentNotices.last { $0.kind == .daemonUnreachable }.map { " " + $0.message } ?? ""
            Output.complain("the agent could not be reached; it is notified at the next start of a scheduler.\(reason)")
        }
        await observer.stop()
        return hasFailed ? 1 : 0
    }

    private enum Answer {
        case done(String)
        case refused(String)
    }

    /// An id takes precedence over an equal number.
    private func resolve(
        _ name: String, _ scheduler: WorkScheduler, _ observer: TransferObserver
    ) async throws -> String {
        guard try await scheduler.info(id: name) == nil, let number = Int64(name), folder.hasJournal else {
            return name
        }
        return try await observer.transfers().first { $0.number == number }?.id ?? name
    }

    private func apply(to id: String, named name: String, _ scheduler: WorkScheduler) async throws -> Answer {
        switch verb {
        case .pause:
            switch try await scheduler.backgroundSessions.pause(id: id) {
            case .paused: .done("paused")
            case .beforeHandOff: .done("will be paused when it is handed off")
            case .whenReachable(let reason): .done("will be paused when the agent can be reached: \(reason)")
            case .tooLate: .refused("\"\(name)\" cannot be paused: its file is being moved into place")
            case .alreadyFinished: .refused(finished(name))
            case .notATransfer: .refused(notATransfer(name))
            case .unknown: .refused(unknown(name))
            }
        case .resume:
            switch try await scheduler.backgroundSessions.resume(id: id) {
            case .resumed: .done("resumed")
            case .beforeHandOff: .done("will not be paused when it is handed off")
            case .whenReachable(let reason): .done("will be resumed when the agent can be reached: \(reason)")
            case .notPaused: .done("was not paused")
            case .alreadyFinished: .refused(finished(name))
            case .notATransfer: .refused(notATransfer(name))
            case .unknown: .refused(unknown(name))
            }
        case .cancel:
            switch try await scheduler.cancel(id: id) {
            case .cancelled(let items): .done(items == 1 ? "cancelled" : "cancelled, with \(items - 1) more items")
            case .tooLate: .refused("\"\(name)\" cannot be cancelled: its file is being moved into place")
            case .alreadyFinished: .refused(finished(name))
            case .unknown: .refused(unknown(name))
            }
        }
    }

    private func finished(_ name: String) -> String { "\"\(TerminalText.harmless(name))\" has ended already" }

    private func notATransfer(_ name: String) -> String {
        "\"\(TerminalText.harmless(name))\" is not a transfer; cancel works for it, pause and resume do not"
    }

    private func unknown(_ name: String) -> String {
        "there is no transfer with the id or number \"\(TerminalText.harmless(name))\" in \(folder.path); "
            + "\"bgwork transfers list\" lists all transfers"
    }
}
