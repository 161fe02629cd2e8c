import BackgroundWorkFoundation

/// The rules that a request must meet to be accepted.
package enum RequestRules {
    /// The most bytes an input may have.
    package static let maximumInputBytes = 10_000_000
    /// The most bytes an id may have.
    package static let maximumIDBytes = 10_240
    /// The most bytes a tag or a queue's label may have.
    package static let maximumLabelBytes = 1024
    /// A hundred years: no wait is longer.
    package static let longestWaitMs: Int64 = 100 * 366 * 86_400_000
    /// In seconds since 1970. `Date.distantFuture` is earlier, so it is a valid deadline that is never reached.
    private static let endOfYear9999 = 253_402_300_800.0

    package static func check(_ request: TaskRequest) throws(EnqueueError) {
        guard !request.workerClassName.isEmpty else { throw .emptyWorkerName }
        if let bytes = request.inputJSON?.utf8.count, bytes > maximumInputBytes {
            throw .inputTooLarge(workerClassName: request.workerClassName, bytes: bytes, limit: maximumInputBytes)
        }
        if let reason = request.inputJSON.flatMap(JSONSyntax.complaint(about:)) {
            throw .malformedInput(workerClassName: request.workerClassName, reason: reason)
        }
        if let reason = request.retryPolicy.complaint {
            throw .invalidRetryPolicy(workerClassName: request.workerClassName, reason: reason)
        }
        try check(delay: request.delay)
        if let timeout = request.timeout, timeout <= .zero || timeout.milliseconds > longestWaitMs {
            throw .invalidTimeout(workerClassName: request.workerClassName, timeout)
        }
        if let deadline = request.deadline?.timeIntervalSince1970 {
            guard deadline.isFinite, deadline < endOfYear9999 else {
                throw .invalidDeadline(workerClassName: request.workerClassName)
            }
        }
        if request.queue != TaskRequest.defaultQueue { try check(label: request.queue, kind: "queue") }
        for tag in request.tags { try check(label: tag, kind: "tag") }
    }

    package static func check(id: String) throws(EnqueueError) {
        let bytes = id.utf8.count
        guard bytes > 0, bytes <= maximumIDBytes else { throw .invalidID(bytes: bytes, limit: maximumIDBytes) }
    }

    package static func check(_ chain: ChainSteps, id: String?) throws(EnqueueError) {
        guard !chain.steps.isEmpty else { throw .emptyStep(chainID: id, step: 0) }
        for (index, step) in chain.steps.enumerated() {
            guard !step.isEmpty else { throw .emptyStep(chainID: id, step: index) }
            for request in step { try check(request) }
            for predecessor in chain.predecessors(of: index) where predecessor >= index || predecessor < 0 {
                throw .cyclicChain(chainID: id, step: index)
            }
        }
    }

    package static func check(delay: Duration) throws(EnqueueError) {
        guard delay >= .zero, delay.milliseconds <= longestWaitMs else { throw .invalidDelay(delay) }
    }

    private static func check(label: String, kind: String) throws(EnqueueError) {
        let bytes = label.utf8.count
        guard bytes > 0, bytes <= maximumLabelBytes else {
            throw .invalidLabel(kind: kind, bytes: bytes, limit: maximumLabelBytes)
        }
    }
}
