import BackgroundWorkStorage

/// Secrets leave the folder when their transfer has ended.
extension URLSessionTransferService {
    /// The row of a transfer that has ended has none; its log and the body that was sent may.
    func removeSecrets(of transfer: SessionTransfer) {
        if transfer.specification.job.isUpload { try? journal().staging.removeBody(of: transfer.reference) }
        if transfer.hasSecrets { planEmptying(logEmptying.want()) }
    }

    func planEmptying(_ wait: Duration?) {
        guard let wait else { return }
        Task {
            try? await clock.sleep(for: wait)
            emptyLog()
        }
    }

    private func emptyLog() {
        if isReplaced { return }
        planEmptying(logEmptying.attempt { try journal().journal.emptyLog() })
    }
}
