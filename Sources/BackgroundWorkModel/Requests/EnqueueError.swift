import BackgroundWorkFoundation

/// Why a request or a chain was not accepted. Nothing of it was stored.
public enum EnqueueError: Error, Hashable, CustomStringConvertible {
    /// The request names no worker.
    case emptyWorkerName
    /// The typed input cannot be written as JSON.
    case inputNotEncodable(workerClassName: String, reason: String)
    /// The input is not a JSON document.
    case malformedInput(workerClassName: String, reason: String)
    /// The input is larger than the limit; both in bytes.
    case inputTooLarge(workerClassName: String, bytes: Int, limit: Int)
    /// The delay is negative or longer than 100 years.
    case invalidDelay(Duration)
    /// The numbers of the retry policy contradict each other.
    case invalidRetryPolicy(workerClassName: String, reason: String)
    /// The id is empty or longer than the limit; both in bytes.
    case invalidID(bytes: Int, limit: Int)
    /// A chain without steps, or with a step that has no requests.
    case emptyStep(chainID: String?, step: Int)
    /// The id belongs to another kind of work: to a chain's member, or to a chain where a request is expected.
    case idTaken(id: String, by: String)
    /// The interval of periodic work is shorter than the platform allows.
    case intervalTooShort(Duration, minimum: Duration)
    /// The flex of periodic work is negative or longer than its interval.
    case invalidFlex(Duration, interval: Duration)
    /// The window's end is not after its beginning.
    case emptyWindow
    /// The date is outside of the supported range.
    case invalidDate
    /// The crontab line cannot be read.
    case invalidCron(line: String, reason: String)
    /// The crontab line has no matching time, such as 31 February.
    case cronNeverFires(line: String)
    /// There is no time zone of that name.
    case unknownTimeZone(String)
    /// The path to watch is not absolute, or contains NUL.
    case invalidPath(String)
    /// The deadline is outside of the supported range.
    case invalidDeadline(workerClassName: String)
    /// The timeout is zero or negative, or longer than the supported range.
    case invalidTimeout(workerClassName: String, Duration)
    /// The queue's label or a tag is empty or too long; both in bytes.
    case invalidLabel(kind: String, bytes: Int, limit: Int)
    /// A step waits for itself, or for a later one.
    case cyclicChain(chainID: String?, step: Int)
    /// Chains of different schedulers cannot be joined.
    case chainsOfDifferentSchedulers
    /// Nothing can be appended to recurring work, since it has no end.
    case cannotAppend(id: String)
    /// The new chain does not have the shape of the chain that it should update.
    case cannotUpdate(id: String, reason: String)
    /// The worker refuses the input of what a running worker enqueues. A scheduler's `enqueue` returns
    /// ``ScheduleResult/rejectedBySystem(reason:)`` instead.
    case inputRefused(reason: String)
    /// One of many; the others were not enqueued either.
    indirect case inSubmission(index: Int, EnqueueError)
    /// The scheduler is shutting down.
    case shuttingDown

    /// What was wrong, with which request, and what to do.
    public var description: String {
        switch self {
        case .emptyWorkerName:
            "A request has an empty workerClassName. Give the name under which its worker is registered."
        case .inputNotEncodable(let worker, let reason):
            "The input for \(worker) cannot be written as JSON: \(reason). Nothing was enqueued."
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
                ? "The id is empty. Leave it out to have one generated."
                : "An id of \(bytes) bytes is too long; the limit is \(limit) bytes."
        case .emptyStep(let chainID, let step):
            "Step \(step) of chain \(chainID ?? "(unnamed)") has no requests. Leave the step out."
        case .idTaken(let id, let owner):
            "The id \"\(id)\" belongs to \(owner). Choose another."
        case .intervalTooShort(let interval, let minimum):
            "An interval of \(interval) is too short; this platform allows \(minimum) and more."
        case .invalidFlex(let flex, let interval):
            "A flex of \(flex) is not possible. Give zero or more, and at most the interval, \(interval)."
        case .emptyWindow:
            "The window ends before it starts. Give a latest instant that is after the earliest."
        case .invalidDate:
            "The date is not possible. Give one within 100 years of now."
        case .invalidCron(let line, let reason):
            "The crontab line \"\(line)\" cannot be read: \(reason)."
        case .cronNeverFires(let line):
            "The crontab line \"\(line)\" never matches a date. Give a day that exists in one of its months."
        case .unknownTimeZone(let name):
            "There is no time zone \"\(name)\". Give a name such as \"Europe/Berlin\" or \"UTC\"."
        case .invalidPath(let path):
            "The path \"\(path)\" cannot be watched. Give an absolute path without NUL."
        case .invalidDeadline(let worker):
            "The deadline for \(worker) is not possible. Give a date before the year 10000, or none."
        case .invalidTimeout(let worker, let timeout):
            "A timeout of \(timeout) for \(worker) is not possible. Give more than zero, or none."
        case .invalidLabel(let kind, let bytes, let limit):
            bytes == 0
                ? "A \(kind) is empty. Give it a name, or leave it out."
                : "A \(kind) of \(bytes) bytes is too long; the limit is \(limit) bytes."
        case .cyclicChain(let chainID, let step):
            "Step \(step) of chain \(chainID ?? "(unnamed)") waits for itself or a later one, so it would never start."
        case .chainsOfDifferentSchedulers:
            "The chains to be joined belong to different schedulers. Create them all with the same one."
        case .cannotAppend(let id):
            "Nothing can be appended to \"\(id)\", since it recurs and never ends. Cancel or replace it."
        case .cannotUpdate(let id, let reason):
            "\"\(id)\" cannot be updated: \(reason). Replace it instead."
        case .inputRefused(let reason): "Nothing was enqueued: \(reason)"
        case .inSubmission(let index, let error):
            "Submission \(index) (counted from 0): \(error) None of them was enqueued."
        case .shuttingDown:
            "The scheduler is shutting down and takes no more work. Open another on the same directory."
        }
    }
}

extension EnqueueError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
