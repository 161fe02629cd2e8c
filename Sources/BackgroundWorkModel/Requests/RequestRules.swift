/// What a request must fulfil to be taken.
package enum RequestRules {
    /// The most bytes an input may have.
    package static let maximumInputBytes = 10_000_000
    /// The most bytes an id may have.
    package static let maximumIDBytes = 10_240
    private static let maximumDelayMs: Int64 = 100 * 366 * 86_400_000

    package static func check(_ request: TaskRequest) throws(EnqueueError) {
        guard !request.workerClassName.isEmpty else { throw .emptyWorkerName }
        if let bytes = request.inputJSON?.utf8.count, bytes > maximumInputBytes {
            throw .inputTooLarge(worker: request.workerClassName, bytes: bytes, limit: maximumInputBytes)
        }
        if let reason = request.inputJSON.flatMap(JSONSyntax.complaint(about:)) {
            throw .malformedInput(worker: request.workerClassName, reason: reason)
        }
        if let reason = request.retryPolicy.complaint {
            throw .invalidRetryPolicy(worker: request.workerClassName, reason: reason)
        }
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
        }
    }

    /// The trigger's delay in milliseconds.
    package static func delayMs(of trigger: TaskTrigger) throws(EnqueueError) -> Int64 {
        switch trigger {
        case .oneTime(let delay):
            let milliseconds = delay.milliseconds
            guard delay >= .zero, milliseconds <= maximumDelayMs else { throw .invalidDelay(delay) }
            return milliseconds
        }
    }
}
