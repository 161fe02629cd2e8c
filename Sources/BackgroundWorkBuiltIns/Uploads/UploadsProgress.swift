import BackgroundWorkHTTP
import BackgroundWorkModel
import Synchronization

/// How far the files of a parallel upload are, each counted alike.
final class UploadsProgress: Sendable {
    private struct State: Sendable {
        var ended: Int
        /// Of those that are being sent, from 0 to 1.
        var fractions: [Int: Double] = [:]
    }

    private let files: Int
    private let report: @Sendable (WorkerProgress) -> Void
    private let state: Mutex<State>

    /// - Parameter left: how many of the files are still to be sent.
    init(files: Int, left: Int, report: @escaping @Sendable (WorkerProgress) -> Void) {
        self.files = files
        self.report = report
        state = Mutex(State(ended: files - left))
    }

    func update(_ index: Int, _ progress: HTTPProgress) {
        change { $0.fractions[index] = progress.toSend.map { Double(progress.sent) / Double(max($0, 1)) } ?? 0 }
    }

    /// A file has been sent, or was given up for now.
    func end(_ index: Int) {
        change {
            $0.fractions[index] = nil
            $0.ended += 1
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let progress = state.withLock { state in
            body(&state)
            let done = Double(state.ended) + state.fractions.values.reduce(0, +)
            return WorkerProgress(fraction: done / Double(files), message: "\(state.ended) of \(files) files")
        }
        report(progress)
    }
}
