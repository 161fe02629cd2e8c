import BackgroundWorkModel
import BackgroundWorkTransfers

/// Pauses of transfers whose task may have begun.
extension URLSessionTransferService {
    /// Stops the task of a paused transfer. One that is suspended already would have to be resumed twice.
    ///
    /// A background download that another task can continue gives its task up: what a suspended one has received is lost
    /// with the task. Its completion brings what has been received, and makes it another task, which may be after the
    /// end of the pause.
    func hold(_ transfer: SessionTransfer) {
        guard let task = tasks[transfer.reference], task.state == .running else { return }
        guard provider.outlivesProcess, ContinuationRules.allow(transfer.specification, after: task.response),
            recordStop(of: transfer)
        else { return task.suspend() }
        let (reference, number) = (transfer.reference, transfer.task)
        task.cancel { [weak self] data in
            guard let self, let data else { return }
            // Not waited for: the queue that this comes on may be one that this service waits for.
            executor.holdable.async { self.assumeIsolated { $0.keep(data, ofTask: number, of: reference) } }
        }
    }

    /// Before the task is stopped, so that its end is known to be that, also to the next process.
    private func recordStop(of transfer: SessionTransfer) -> Bool {
        if transfer.stoppedTask == transfer.task { return true }
        var transfer = transfer
        transfer.stoppedTask = transfer.task
        // The task has begun, so what it was to continue is outdated.
        transfer.resumeData = nil
        do {
            try save(transfer)
            return true
        } catch {
            report("\(error)")
            return false
        }
    }

    /// What a stopped task has received. Its completion may not have brought it, and may have come before.
    private func keep(_ data: Data, ofTask number: Int64, of reference: TransferReference) {
        guard var transfer = transfers[reference], transfer.state == .active, transfer.stoppedTask == number,
            transfer.resumeData == nil
        else { return }
        if transfer.task == number {
            transfer.resumeData = data
            do { try save(transfer) } catch { report("\(error)") }
        } else if counts[reference]?.first == nil {
            // The next task was to begin anew, and has received nothing yet.
            tasks.removeValue(forKey: reference)?.cancel()
            Task { [transfer] in await tryAgain(transfer, data, in: session(transfer.session)) }
        }
    }
}

/// Which downloads Foundation lets another task continue
/// (https://developer.apple.com/documentation/foundation/urlsessiondownloadtask/cancel(byproducingresumedata:)).
enum ContinuationRules {
    static func allow(_ specification: TransferSpecification, after response: URLResponse?) -> Bool {
        guard case .download(let job) = specification.job, job.isResumable,
            !specification.options.headers.keys.contains(where: { $0.lowercased() == "range" }),
            let response = response as? HTTPURLResponse
        else { return false }
        let hasRanges =
            response.statusCode == 206
            || response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes"
                && response.statusCode == 200
        return hasRanges && ["ETag", "Last-Modified"].contains { response.value(forHTTPHeaderField: $0) != nil }
    }
}
