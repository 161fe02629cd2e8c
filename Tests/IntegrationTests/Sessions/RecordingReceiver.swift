import BackgroundWorkTransfers
import Synchronization

/// Records what a daemon reports, in order.
final class RecordingReceiver: TransferReceiver {
    enum News: Sendable {
        case connected(epoch: String, transfers: [TransferSnapshot])
        case caughtUp
        case outcome(TransferOutcome)
        case progress([TransferProgress])
        case unreachable
    }

    private struct State {
        var news: [News] = []
        var waiting: [(isSatisfied: @Sendable ([News]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var news: [News] { state.withLock { $0.news } }

    var outcomes: [TransferOutcome] { news.compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } } }

    /// Returns when the recorded reports satisfy the closure.
    func wait(until isSatisfied: @escaping @Sendable ([News]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = isSatisfied(state.news)
                if !isThere { state.waiting.append((isSatisfied, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
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

    private func add(_ news: News) {
        let satisfied = state.withLock { state in
            state.news.append(news)
            let all = state.news
            defer { state.waiting.removeAll { $0.isSatisfied(all) } }
            return state.waiting.filter { $0.isSatisfied(all) }.map(\.continuation)
        }
        for continuation in satisfied { continuation.resume() }
    }
}
