/// Why a request or a chain was not taken. Nothing of it was stored.
public enum EnqueueError: Error, Hashable, CustomStringConvertible {
    /// The request names no worker.
    case emptyWorkerName
    /// The input is not a JSON document.
    case malformedInput(worker: String, reason: String)
    /// The input is larger than the limit; both in bytes.
    case inputTooLarge(worker: String, bytes: Int, limit: Int)
    /// The delay is negative or lies beyond what the calendar holds.
    case invalidDelay(Duration)
    /// The numbers of the retry policy contradict each other.
    case invalidRetryPolicy(worker: String, reason: String)
    /// The id is empty or longer than the limit; both in bytes.
    case invalidID(bytes: Int, limit: Int)
    /// A chain without steps, or with a step that has no requests.
    case emptyStep(chainID: String?, step: Int)
    /// The id is that of another kind of work: of a chain's member, or a chain's where a request is meant.
    case idTaken(id: String, by: String)
    /// The scheduler is shutting down.
    case shuttingDown

    /// What was wrong, with which request, and what to do.
    public var description: String {
        switch self {
        case .emptyWorkerName:
            "A request has an empty workerClassName. Give the name under which its worker is registered."
        case .malformedInput(let worker, let reason):
            "The input for \(worker) is not valid JSON: \(reason). Nothing was enqueued."
        case .inputTooLarge(let worker, let bytes, let limit):
            "The input for \(worker) has \(bytes) bytes; the limit is \(limit). Store it in a file and pass its path."
        case .invalidDelay(let delay):
            "A delay of \(delay) is not possible. Give zero or more, and at most 100 years."
        case .invalidRetryPolicy(let worker, let reason):
            "The retry policy for \(worker) cannot work: \(reason)."
        case .invalidID(let bytes, let limit):
            bytes == 0
                ? "The id is empty. Leave it out to have one made up."
                : "An id of \(bytes) bytes is too long; the limit is \(limit) bytes."
        case .emptyStep(let chainID, let step):
            "Step \(step) of chain \(chainID ?? "(unnamed)") has no requests. Leave the step out."
        case .idTaken(let id, let owner):
            "The id \"\(id)\" belongs to \(owner). Choose another."
        case .shuttingDown:
            "The scheduler is shutting down and takes no more work."
        }
    }
}
