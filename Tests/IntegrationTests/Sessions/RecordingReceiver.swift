import BackgroundWorkTransfers
import TestSupport

/// Records what a daemon reports, in order.
final class RecordingReceiver: TransferReceiver {
    enum News: Sendable {
        case connected(epoch: String, transfers: [TransferSnapshot])
        case caughtUp
        case outcome(TransferOutcome)
        case progress([TransferProgress])
        case unreachable
    }

    private let recorder = Recorder<News>()

    var news: [News] { recorder.values }

    var outcomes: [TransferOutcome] { news.compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } } }

    /// Returns when the recorded reports satisfy the closure.
    func wait(until isSatisfied: @escaping @Sendable ([News]) -> Bool) async {
        await recorder.wait(until: isSatisfied)
    }

    /// Returns when an outcome of the work has been delivered.
    func untilOutcome(of workID: String) async {
        await wait { news in
            news.contains {
                if case .outcome(let outcome) = $0 { outcome.reference.key.workID == workID } else { false }
            }
        }
    }

    func connected(epoch: String, transfers: [TransferSnapshot]) async {
        add(.connected(epoch: epoch, transfers: transfers))
    }
    func caughtUp() async { add(.caughtUp) }
    func receive(_ outcome: TransferOutcome) { add(.outcome(outcome)) }
    func receive(_ progress: [TransferProgress]) { add(.progress(progress)) }
    func unreachable(_ error: any Error) async { add(.unreachable) }

    private func add(_ news: News) { recorder.add(news) }
}
