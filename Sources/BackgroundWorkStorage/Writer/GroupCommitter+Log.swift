import BackgroundWorkFiles
import BackgroundWorkModel
import Dispatch

/// The write-ahead log is emptied when what it has was removed for good.
extension GroupCommitter {
    /// A process that was killed may have left what it had removed.
    nonisolated func emptyLogSoon() {
        executor.holdable.async { self.assumeIsolated { $0.planEmptying($0.logEmptying.want()) } }
    }

    /// On the writer's queue, so after what was submitted before.
    nonisolated func emptyLogAtEnd(ended: @escaping @Sendable () -> Void) {
        executor.holdable.async {
            self.assumeIsolated { $0.emptyLog() }
            ended()
        }
    }

    func planEmptying(_ wait: Duration?) {
        guard let wait else { return }
        let time = DispatchTime.now() + .milliseconds(Int(wait.milliseconds))
        // Behind the transactions that are waiting then.
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: time) { [weak self] in
            guard let self else { return }
            self.executor.holdable.async { [weak self] in self?.assumeIsolated { $0.emptyLog() } }
        }
    }

    private func emptyLog() { planEmptying(logEmptying.attempt(connection.emptyLog)) }
}
